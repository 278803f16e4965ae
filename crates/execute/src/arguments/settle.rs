//! Lengths and what they count: who is whose, how something gets another length, and how several things keep the same one.
//!
//! An input that somebody changed (a mutation, a person) may have a buffer longer than the number beside it can say, or two buffers with one length
//! that differ. Settling it makes them agree, so that every run gets what a caller could give.

use super::assign::field_name;
use super::planner::join;
use super::{Argument, Content, Counted, Field, NumberKind, Object};
use crate::Input;
use crate::symbolic::input::param_name;

/// A length among parameters or fields that stand beside each other.
pub(super) struct Length {
    /// The symbol that it is; none if it is called after what it counts.
    pub(super) symbol: Option<String>,
    pub(super) kind: Option<NumberKind>,
    pub(super) fixed: bool,
    /// What it counts, at least one.
    pub(super) counted: Vec<Place>,
}

/// What a length counts.
pub(super) struct Place {
    pub(super) name: String,
    pub(super) element: u64,
    /// Which of those beside it it is; none if there is none of this name.
    pub(super) place: Option<usize>,
}

/// All lengths of things that stand beside each other and have these full names.
pub(super) fn lengths(arguments: &[Argument], names: &[String]) -> Vec<Length> {
    let mut found = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let (length, symbol) = match &argument.content {
            Content::LengthOf { .. } => (argument, argument.name.is_some().then(|| names[index].clone())),
            Content::Pointer(Some(object)) if object.is_length() => {
                let Field { at, argument: length } = &object.fields[0];
                let own = length.name.is_some().then(|| join(&names[index], &field_name(length, *at)));
                (length, own)
            }
            _ => continue,
        };
        let Content::LengthOf { name, element, kind, also } = &length.content else { continue };
        let first = Counted { name: name.clone(), element: *element };
        let counted = [first].into_iter().chain(also.iter().cloned()).map(|Counted { name, element }| {
            // Parameters without a name are called by their place.
            let own = |other: usize| arguments[other].name.as_deref().unwrap_or_default();
            let is_it =
                |other: &usize| own(*other) == name || (own(*other).is_empty() && names[*other] == name);
            let place = (0..arguments.len()).find(is_it);
            Place { name, element: element.max(1), place }
        });
        found.push(Length { symbol, kind: *kind, fixed: length.fixed, counted: counted.collect() });
    }
    found
}

impl Input {
    /// Makes lengths and what they count agree: what has the same length becomes as long as the first of it, and nothing is longer than its length can
    /// say.
    pub fn settle(&mut self) {
        settle(&mut self.params);
    }
}

/// The same of parameters, or of fields of one object.
pub(super) fn settle(arguments: &mut [Argument]) {
    if !has_lengths(arguments) {
        return;
    }
    let name =
        |(index, argument): (usize, &Argument)| argument.name.clone().unwrap_or_else(|| param_name(index));
    let names: Vec<String> = arguments.iter().enumerate().map(name).collect();
    for Length { kind, counted, .. } in lengths(arguments, &names) {
        let places = || counted.iter().filter_map(|it| Some((it.place?, it.element)));
        let Some((first, element)) = places().next() else { continue };
        let Some(bytes) = arguments[first].content.byte_count() else { continue };
        let most = kind.map_or(u64::MAX, largest);
        let count = bytes / element;
        if count <= most && places().count() == 1 {
            continue;
        }
        for (place, element) in places() {
            resize(&mut arguments[place].content, count.min(most), element);
        }
    }
    for argument in arguments {
        if let Content::Pointer(Some(object)) = &mut argument.content
            && !object.is_length()
        {
            let (places, mut fields): (Vec<u64>, Vec<Argument>) = std::mem::take(&mut object.fields)
                .into_iter()
                .map(|field| (field.at, field.argument))
                .unzip();
            settle(&mut fields);
            object.fields =
                places.into_iter().zip(fields).map(|(at, argument)| Field { at, argument }).collect();
        }
    }
}

/// Whether there are lengths among these, or in what they lead to.
pub(super) fn has_lengths(arguments: &[Argument]) -> bool {
    arguments.iter().any(has_length)
}

fn has_length(argument: &Argument) -> bool {
    match &argument.content {
        Content::LengthOf { .. } => true,
        Content::Pointer(Some(object)) => object.fields.iter().any(|field| has_length(&field.argument)),
        _ => false,
    }
}

/// The largest length that such a number can be.
fn largest(kind: NumberKind) -> u64 {
    let width = kind.width().unwrap_or(64);
    u64::MAX >> (64 - width + u8::from(kind.is_signed()))
}

/// Makes something so many elements long. New ones are zero, or as the first one is.
pub(super) fn resize(content: &mut Content, count: u64, element: u64) {
    let size = count.saturating_mul(element);
    match content {
        Content::Bytes(_, data) | Content::Text(_, data) => data.0.resize(size as usize, 0),
        Content::Pointer(Some(object)) if object.size != size => resize_array(object, count, element),
        _ => {}
    }
}

fn resize_array(object: &mut Object, count: u64, element: u64) {
    let size = count.saturating_mul(element);
    let there = object.size.max(if object.fields.is_empty() { 0 } else { element });
    let first: Vec<Field> = object.fields.iter().filter(|field| field.at < element).cloned().collect();
    for index in there / element..count {
        object.fields.extend(first.iter().map(|field| element_like(field, index, element)));
    }
    // What the first element was like stays known, so that there can be one again.
    object.fields.retain(|field| field.at < size.max(element));
    object.size = size;
}

/// The same field of another element than the first.
fn element_like(field: &Field, index: u64, element: u64) -> Field {
    let renamed = |name: &String| name.replacen("[0]", &format!("[{index}]"), 1);
    let mut argument = field.argument.clone();
    argument.name = argument.name.as_ref().map(renamed);
    for_lengths(&mut argument, &renamed);
    Field { at: field.at + index * element, argument }
}

/// Renames what a length counts that stands here, or that a pointer here leads to.
pub(super) fn for_lengths(argument: &mut Argument, renamed: &dyn Fn(&String) -> String) {
    match &mut argument.content {
        Content::LengthOf { name, also, .. } => {
            *name = renamed(name);
            also.iter_mut().for_each(|counted| counted.name = renamed(&counted.name));
        }
        Content::Pointer(Some(object)) if object.is_length() => {
            for_lengths(&mut object.fields[0].argument, renamed);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Data, Room, Value};

    fn bytes(name: &str, count: usize) -> Argument {
        Argument::new(Content::Bytes(Room::Pages, Data(vec![7; count]))).named(name)
    }

    fn length(name: &str, kind: NumberKind, also: &[(&str, u64)]) -> Argument {
        let also = also.iter().map(|&(name, element)| Counted { name: name.into(), element }).collect();
        Argument::new(Content::LengthOf { name: name.into(), element: 1, kind: Some(kind), also }).named("n")
    }

    fn counts(arguments: &[Argument]) -> Vec<Option<u64>> {
        arguments.iter().map(|argument| argument.content.byte_count()).collect()
    }

    #[test]
    fn what_has_one_length_has_the_same() {
        let fields = vec![Field { at: 0, argument: Argument::from(Value::I32(3)).named("[0]") }];
        let numbers = Argument::new(Content::Pointer(Some(Object::new(Room::Heap, 4, fields)))).named("c");
        let mut all =
            vec![bytes("a", 3), bytes("b", 9), numbers, length("a", NumberKind::U32, &[("b", 1), ("c", 4)])];
        settle(&mut all);
        assert_eq!(counts(&all), [Some(3), Some(3), Some(12), None]);
        let Content::Pointer(Some(object)) = &all[2].content else { panic!("it is still an array") };
        let names: Vec<_> = object.fields.iter().filter_map(|field| field.argument.name.as_deref()).collect();
        assert_eq!(names, ["[0]", "[1]", "[2]"]);
    }

    #[test]
    fn nothing_is_longer_than_its_length_can_say() {
        let mut all = vec![bytes("a", 300), length("a", NumberKind::U8, &[])];
        settle(&mut all);
        assert_eq!(counts(&all)[0], Some(255));
        let mut all = vec![bytes("a", 300), length("a", NumberKind::I8, &[])];
        settle(&mut all);
        assert_eq!(counts(&all)[0], Some(127));
    }

    #[test]
    fn a_pointer_to_a_length_counts_what_stands_beside_it() {
        let inner = Field { at: 0, argument: length("out", NumberKind::U32, &[("more", 2)]).named("") };
        let pointer = Argument::new(Content::Pointer(Some(Object::new(Room::Heap, 4, vec![inner]))));
        let mut all = vec![bytes("out", 5), pointer.named("out_len"), bytes("more", 1)];
        settle(&mut all);
        assert_eq!(counts(&all), [Some(5), Some(4), Some(10)]);
    }

    #[test]
    fn an_array_without_elements_can_have_some_again() {
        let fields = vec![Field { at: 0, argument: Argument::from(Value::I32(3)).named("[0]") }];
        let mut content = Content::Pointer(Some(Object::new(Room::Heap, 4, fields)));
        resize(&mut content, 0, 4);
        assert_eq!(content.byte_count(), Some(0));
        resize(&mut content, 2, 4);
        let Content::Pointer(Some(object)) = &content else { panic!("it is still an array") };
        assert_eq!(object.fields.iter().map(|field| field.at).collect::<Vec<_>>(), [0, 4]);
    }
}
