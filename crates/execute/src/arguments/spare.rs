//! Objects whose size is a guess: nothing beside a pointer says how much it leads to.
//!
//! `int *out` may lead to one number or to as many as another parameter has, `char *text` beside a source to as much as is written there. What a program
//! does behind the size that we have guessed says that the guess was too small, not that the program is wrong. So such an object has spare room, more
//! when a run needs more; what is behind it is an error again.

use super::shape::{FieldShape, Shape};
use super::{Argument, Content, Room};
use crate::Input;

/// How much room is behind an object at first, and at most; each time there is so many times more.
pub(super) const SPARE: u64 = 1 << 12;
const MOST: u64 = 1 << 20;
const MORE: u64 = 1 << 4;

/// Whether the size of what a parameter, or a field of an object, leads to is a guess: no length counts it, and its type does not say it.
pub(super) fn is_guess(place: usize, names: &[&str], shapes: &[&Shape]) -> bool {
    if shapes.iter().any(|shape| counts(shape, names[place])) {
        return false;
    }
    match shapes[place] {
        // A structure is one thing, and a reference leads to one. What holds a length is counted by nobody.
        Shape::Pointer { to, never_null, .. } => {
            !never_null && to.type_name.is_none() && !to.fields.is_empty() && !shapes[place].leads_to_length()
        }
        Shape::Buffer(..) => true,
        // A string ends where it ends, except where another is copied or written to.
        Shape::Text(Room::Heap) => {
            let is_source = |shape: &&Shape| {
                matches!(
                    shape,
                    Shape::Text(Room::Pages)
                        | Shape::Buffer(Room::Pages, _)
                        | Shape::Pointer { room: Room::Pages, .. }
                )
            };
            shapes.iter().any(is_source)
        }
        _ => false,
    }
}

/// Whether a shape is, or leads to, the length of what has this name.
fn counts(shape: &Shape, name: &str) -> bool {
    match shape {
        Shape::Length { of, also, .. } => of == name || also.iter().any(|also| also.name == name),
        Shape::Pointer { to, .. } if shape.leads_to_length() => {
            to.fields.iter().any(|FieldShape { shape, .. }| counts(shape, name))
        }
        _ => false,
    }
}

impl Input {
    /// The same with more room behind all objects whose size is a guess; none if there are none, or they have as much as they get.
    pub fn with_more_spare(&self) -> Option<Input> {
        let mut input = self.clone();
        let mut is_more = false;
        for_spares(&mut input.params, &mut |argument| {
            let spare = argument.spare.saturating_mul(MORE).min(MOST);
            is_more |= spare > argument.spare;
            argument.spare = spare.max(argument.spare);
        });
        is_more.then_some(input)
    }

    /// The parameters that lead to objects whose size is a guess, by their places.
    pub fn guesses(&self) -> Vec<usize> {
        let is_guess = |argument: &Argument| {
            let mut is_any = false;
            for_spares(&mut [argument.clone()], &mut |_| is_any = true);
            is_any
        };
        (0..self.params.len()).filter(|&place| is_guess(&self.params[place])).collect()
    }

    /// How many bytes are behind its objects whose size is a guess; none if there are none.
    pub fn spare(&self) -> Option<u64> {
        let mut most = None;
        for_spares(&mut self.params.clone(), &mut |argument| most = most.max(Some(argument.spare)));
        most
    }
}

/// Does something with all that has spare room.
fn for_spares(arguments: &mut [Argument], work: &mut dyn FnMut(&mut Argument)) {
    for argument in arguments {
        if argument.spare > 0 {
            work(argument);
        }
        if let Content::Pointer(Some(object)) = &mut argument.content {
            for field in &mut object.fields {
                for_spares(std::slice::from_mut(&mut field.argument), work);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Data, Layout, Number, NumberKind, Value};

    #[test]
    fn what_nothing_counts_is_a_guess() {
        let number = || Shape::Number(NumberKind::I32, 0);
        let one = |type_name: Option<String>| {
            let fields = vec![FieldShape { name: String::new(), at: 0, shape: number() }];
            let to = Box::new(Layout { bytes: 4, fields, type_name, ..Layout::default() });
            Shape::Pointer { room: Room::Heap, to, never_null: false }
        };
        let bytes = || Shape::Buffer(Room::Pages, Box::new(Layout { bytes: 1, ..Layout::default() }));
        let length =
            Shape::Length { of: "a".into(), element: 1, kind: NumberKind::U32, fixed: false, also: vec![] };
        let all = [bytes(), length, one(None), one(Some("pair".into())), Shape::Text(Room::Heap), number()];
        let shapes: Vec<&Shape> = all.iter().collect();
        let names = ["a", "n", "out", "pair", "text", "x"];
        let guesses: Vec<bool> = (0..all.len()).map(|place| is_guess(place, &names, &shapes)).collect();
        assert_eq!(guesses, [false, false, true, false, true, false]);
        // Alone, a string is what it is.
        assert!(!is_guess(0, &["text"], &[&Shape::Text(Room::Heap)]));
    }

    #[test]
    fn there_is_more_up_to_a_bound() {
        let bytes = Argument { spare: SPARE, ..Argument::new(Content::Bytes(Room::Heap, Data::default())) };
        let number = Argument::new(Content::Number(Number::Value(Value::I32(1))));
        let mut input = Input { params: vec![bytes, number.clone()], ..Input::default() };
        let mut rooms = Vec::new();
        while let Some(more) = input.with_more_spare() {
            rooms.extend(more.spare());
            input = more;
        }
        assert_eq!(rooms, [SPARE * MORE, MOST]);
        let numbers = Input { params: vec![number], ..Input::default() };
        assert_eq!((numbers.spare(), numbers.with_more_spare()), (None, None));
    }
}
