//! How the values of a function's parameters are made, from what the source says of their types.

use super::make::Maker;
use super::{Callback, Counted, NumberKind, Room, Rule, abi};
use crate::Entry;
use coax_program::{Func, Program, Signature};
use std::ops::RangeInclusive;

/// How the parameters of a function are made.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// One for each wasm parameter.
    pub params: Vec<ParamShape>,
    /// What is not done, one sentence each.
    pub notes: Vec<String>,
    /// Why coax makes no input by itself, if it does not.
    pub refusal: Option<String>,
    /// The functions that pointers lead to.
    pub callbacks: Vec<Callback>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct ParamShape {
    /// Its name, if the source has one.
    pub name: Option<String>,
    /// How it is made.
    pub shape: Shape,
}

/// How a value is made.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A number; the second is what it begins with.
    Number(NumberKind, u64),
    /// A number that can only be in one of these ranges; the second is what it begins with.
    Choice(NumberKind, u64, Vec<RangeInclusive<u64>>),
    /// A pointer to a string that ends with zero.
    Text(Room),
    /// A pointer to elements, as many as a length beside it says if there is one.
    Buffer(Room, Box<Layout>),
    /// How many elements of this size another parameter, or field of the same object, leads to.
    Length {
        /// The other's name.
        of: String,
        /// The size of an element.
        element: u64,
        /// What kind of number it is.
        kind: NumberKind,
        /// Whether it must be so: no symbol.
        fixed: bool,
        /// What else has as many elements.
        also: Vec<Counted>,
    },
    /// A pointer to an object.
    Pointer {
        /// Where its memory comes from.
        room: Room,
        /// What is in it.
        to: Box<Layout>,
        /// Whether the source rules null out.
        never_null: bool,
    },
    /// A pointer that is null: nothing can be made for it.
    Null,
    /// A pointer to a function that returns anything.
    Callback(Callback),
    /// Bytes in the object itself.
    Inline(u64),
}

/// What is in an object.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Its size.
    pub bytes: u64,
    /// Its parts; all else is zero.
    pub fields: Vec<FieldShape>,
    /// What the source calls its type.
    pub type_name: Option<String>,
    /// Whether many of it are UTF-8.
    pub is_utf8: bool,
    /// Whether there is always one, though a length beside the pointer may say that there is none.
    pub is_always_there: bool,
}

/// A part of an object.
#[derive(Clone, Debug)]
pub struct FieldShape {
    /// Its name within the object: `next`, `inner.x`, `items[2]`. If it is empty, it is called as the object is.
    pub name: String,
    /// Where it begins.
    pub at: u64,
    /// How it is made.
    pub shape: Shape,
}

impl Shapes {
    /// How far structures that refer to others of their kind are followed.
    pub const DEPTH: usize = 3;

    /// How the parameters of this entry are made, with chains of at most so many objects. Without debug information, they are numbers.
    pub fn of(program: &Program, entry: &Entry, depth: usize) -> Shapes {
        let signature = program.signature(entry.func);
        if entry.is_libfuzzer() && signature.params.len() == 2 {
            return libfuzzer();
        }
        Shapes::of_function(program, entry.source_function(program), signature, depth)
    }

    /// The same of any function, by what the source says of it, as it is called with this signature.
    pub(crate) fn of_function(program: &Program, func: Func, signature: &Signature, depth: usize) -> Shapes {
        let source = &program.functions[func];
        let types = program.debug.types();
        let function = types.function(source);
        let unit = source.defined().and_then(|defined| defined.unit).map(|unit| &program.debug.units[unit]);
        let language = unit.map_or("", |unit| unit.language.as_ref());
        let is_rust = language == "Rust";
        let mut maker = Maker::new(&types, depth, language);
        let found = function.and_then(|function| abi::params(&mut maker, &function, signature, is_rust));
        let numbers = || {
            let number = |&ty| ParamShape { name: None, shape: Shape::Number(NumberKind::of(ty), 0) };
            signature.params.iter().map(number).collect()
        };
        let Maker { notes, refusal, callbacks, .. } = maker;
        let mut shapes = Shapes { params: found.unwrap_or_else(numbers), notes, refusal, callbacks };
        shapes.drop_missing(program);
        shapes
    }
}

impl Shapes {
    /// Makes pointers null to functions that the program has no import for, though it could call them.
    fn drop_missing(&mut self, program: &Program) {
        if program.tables.is_empty() {
            return;
        }
        let missing = Callback::missing(self.callbacks.clone(), program);
        for callback in &missing {
            let name = &callback.name;
            self.notes.push(format!(
                "`{name}` is a pointer to a function, which this module has none for: it is null"
            ));
        }
        if !missing.is_empty() {
            self.params.iter_mut().for_each(|param| drop_callbacks(&mut param.shape, &missing));
        }
    }
}

fn drop_callbacks(shape: &mut Shape, missing: &[Callback]) {
    match shape {
        Shape::Callback(callback) if missing.contains(callback) => *shape = Shape::Null,
        Shape::Buffer(_, to) | Shape::Pointer { to, .. } => {
            to.fields.iter_mut().for_each(|field| drop_callbacks(&mut field.shape, missing));
        }
        _ => {}
    }
}

/// What libFuzzer gives to a fuzz target.
fn libfuzzer() -> Shapes {
    let bytes = Layout { bytes: 1, ..Layout::default() };
    let length = Shape::Length {
        of: "data".into(),
        element: 1,
        kind: NumberKind::U32,
        fixed: false,
        also: Vec::new(),
    };
    let params = vec![
        ParamShape { name: Some("data".into()), shape: Shape::Buffer(Room::Pages, Box::new(bytes)) },
        ParamShape { name: None, shape: length },
    ];
    Shapes { params, ..Shapes::default() }
}

impl Shape {
    /// Which values it may have, if not all.
    pub fn rule(&self) -> Option<Rule> {
        match self {
            Shape::Choice(_, _, ranges) => Some(Rule::Among(ranges.clone())),
            Shape::Buffer(_, element) if element.is_utf8 => Some(Rule::Utf8),
            _ => None,
        }
    }

    /// Whether it is a pointer to something that can be made.
    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self, Shape::Text(_) | Shape::Buffer(..) | Shape::Pointer { .. })
    }

    /// How many bytes it takes as a field.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Shape::Number(kind, _) | Shape::Choice(kind, ..) | Shape::Length { kind, .. } => {
                kind.bytes().unwrap_or(0)
            }
            Shape::Inline(bytes) => *bytes,
            Shape::Text(_) | Shape::Buffer(..) | Shape::Pointer { .. } | Shape::Null | Shape::Callback(_) => {
                4
            }
        }
    }

    /// The size of an element, if it leads to as many as a length says.
    pub(super) fn element(&self) -> Option<u64> {
        match self {
            Shape::Text(_) => Some(1),
            Shape::Buffer(_, layout) => Some(layout.bytes.max(1)),
            _ => None,
        }
    }

    /// Whether it leads to the length of something beside it, and to nothing else.
    pub fn leads_to_length(&self) -> bool {
        match self {
            Shape::Pointer { to, .. } => {
                matches!(&to.fields[..], [FieldShape { shape: Shape::Length { .. }, .. }])
            }
            _ => false,
        }
    }

    /// The same, with other names for what it is the length of, if it is one.
    pub fn renamed(mut self, name: &dyn Fn(&str) -> String) -> Shape {
        match &mut self {
            Shape::Length { of, also, .. } => {
                *of = name(of);
                also.iter_mut().for_each(|counted| counted.name = name(&counted.name));
            }
            Shape::Pointer { to, .. }
                if matches!(&to.fields[..], [FieldShape { shape: Shape::Length { .. }, .. }]) =>
            {
                let inner = &mut to.fields[0].shape;
                *inner = inner.clone().renamed(name);
            }
            _ => {}
        }
        self
    }
}

impl Layout {
    /// Whether its bytes may be anything.
    pub(super) fn is_plain(&self) -> bool {
        self.fields.iter().all(|field| {
            matches!(field.shape, Shape::Number(kind, _) if kind != NumberKind::Bool)
                || matches!(field.shape, Shape::Inline(_))
        })
    }

    /// Whether it is a single byte without a meaning of its own: many of them are text.
    pub fn is_byte(&self) -> bool {
        self.bytes == 1 && self.fields.is_empty()
    }
}
