//! What parameters are if nobody says otherwise: zeros, as many as their shapes ask for.

use super::settle::for_lengths;
use super::shape::{FieldShape, Layout, ParamShape, Shape, Shapes};
use super::spare::{SPARE, is_guess};
use super::{Argument, Content, Field, Object, Room};
use crate::Data;
use crate::symbolic::input::param_name;

/// How many elements are made where nothing says how many: of bytes, of numbers, of structures.
const BYTES: u64 = 8;
const NUMBERS: u64 = 4;
const STRUCTURES: u64 = 2;

impl Shapes {
    /// An input of zeros for all parameters; what can have any length has at most so many bytes.
    pub fn defaults(&self, longest: u64) -> Vec<Argument> {
        let shapes: Vec<&Shape> = self.params.iter().map(|param| &param.shape).collect();
        let name =
            |(place, param): (usize, &ParamShape)| param.name.clone().unwrap_or_else(|| param_name(place));
        let names: Vec<String> = self.params.iter().enumerate().map(name).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let made = self.params.iter().enumerate().map(|(place, param)| {
            let spare = if is_guess(place, &names, &shapes) { SPARE } else { 0 };
            Argument { spare, ..param.default_argument(longest) }
        });
        made.collect()
    }
}

impl ParamShape {
    /// What it is if nobody says otherwise, with at most so many bytes where it can have any number.
    pub fn default_argument(&self, longest: u64) -> Argument {
        let argument = self.shape.default_argument(longest);
        Argument { name: self.name.clone(), ..argument }
    }
}

impl Shape {
    fn default_argument(&self, longest: u64) -> Argument {
        let zeros = |count: u64| Data(vec![0; count as usize]);
        let content = match self {
            Shape::Number(kind, first) | Shape::Choice(kind, first, _) => {
                Content::Number(kind.number(*first))
            }
            Shape::Text(room) => Content::Text(*room, zeros(BYTES.min(longest))),
            Shape::Buffer(room, element) if element.is_byte() => {
                Content::Bytes(*room, zeros(BYTES.min(longest)))
            }
            Shape::Buffer(room, element) => Content::Pointer(Some(element.elements(*room, longest))),
            Shape::Callback(callback) => Content::Callback(callback.clone()),
            Shape::Length { of, element, kind, fixed, also } => {
                let content = Content::LengthOf {
                    name: of.clone(),
                    element: *element,
                    kind: Some(*kind),
                    also: also.clone(),
                };
                return Argument { fixed: *fixed, ..Argument::new(content) };
            }
            Shape::Pointer { room, to, .. } => Content::Pointer(Some(to.array(*room, 1, longest))),
            Shape::Null => Content::Pointer(None),
            Shape::Inline(bytes) => Content::Inline(zeros(*bytes)),
        };
        Argument::new(content).under(self.rule())
    }
}

impl Layout {
    /// So many of it in a row, as one object.
    pub(super) fn repeated(&self, count: u64) -> Layout {
        let element = |index: u64| {
            self.fields.iter().map(move |field| FieldShape {
                name: indexed(index, &field.name),
                at: index * self.bytes + field.at,
                shape: field.shape.clone().renamed(&|name| indexed(index, name)),
            })
        };
        let fields = (0..count).flat_map(element).collect();
        Layout { bytes: count * self.bytes, fields, ..Layout::default() }
    }

    fn default_count(&self, longest: u64) -> u64 {
        let usual = if self.fields.len() > 1 { STRUCTURES } else { NUMBERS };
        usual.min(longest / self.bytes.max(1))
    }

    /// As many of it as there are where a length says how many; what they lead to has at most so many bytes.
    fn elements(&self, room: Room, longest: u64) -> Object {
        let count = self.default_count(longest);
        let repeated = self.repeated(count.max(1));
        let Object { fields, .. } = repeated.array(room, 1, longest);
        let least = if self.is_always_there { self.bytes } else { 0 };
        Object { least, ..Object::new(room, count * self.bytes, fields) }
    }

    /// So many objects of this kind, one after the other; what they lead to has at most so many bytes.
    pub fn array(&self, room: Room, count: u64, longest: u64) -> Object {
        let mut fields = Vec::new();
        let shapes: Vec<&Shape> = self.fields.iter().map(|field| &field.shape).collect();
        let names: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        let guesses: Vec<bool> =
            (0..self.fields.len()).map(|place| is_guess(place, &names, &shapes)).collect();
        for index in 0..count {
            for (FieldShape { name, at, shape }, &is_guess) in self.fields.iter().zip(&guesses) {
                let name = match count {
                    1 => name.clone(),
                    _ => indexed(index, name),
                };
                let mut argument = shape.default_argument(longest);
                argument.spare = if is_guess { SPARE } else { 0 };
                if count > 1 {
                    for_lengths(&mut argument, &|name| indexed(index, name));
                }
                fields.push(Field { at: index * self.bytes + at, argument: argument.named(name) });
            }
        }
        Object::new(room, count * self.bytes, fields)
    }
}

/// The name of a field of an element.
fn indexed(index: u64, name: &str) -> String {
    match name.is_empty() || name.starts_with('[') {
        true => format!("[{index}]{name}"),
        false => format!("[{index}].{name}"),
    }
}
