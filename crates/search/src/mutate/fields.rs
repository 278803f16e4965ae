//! The parts of an input that can be changed.

use super::bytes::Mutator;
use coax_execute::{Answer, Argument, Content, Data, Input, Number};

/// A part of an input.
pub(crate) enum Field<'i> {
    /// Bytes that may become more, at most so many, or fewer.
    Resizable(&'i mut Data, Option<u64>),
    /// Bytes whose number stays.
    Bytes(&'i mut Data),
    /// A number.
    Number(&'i mut Number),
}

/// Makes up to so many changes, to standard input only if it matters. Parts may be taken from another input.
pub(super) fn change(
    input: &mut Input,
    stdin: bool,
    other: Option<&Input>,
    mutator: &mut Mutator<'_>,
    most: usize,
) {
    // Few changes are better than many, usually.
    let changes = 1usize << mutator.random.below(most.ilog2() as usize + 1);
    let others = other.map(bytes).unwrap_or_default();
    let mut fields = fields(input, stdin);
    if fields.is_empty() {
        return;
    }
    for _ in 0..changes {
        let place = mutator.random.below(fields.len());
        let other = others.get(place % others.len().max(1)).map_or(&[][..], |data| &data.0);
        match &mut fields[place] {
            Field::Resizable(data, most) => mutator.change_resizable(&mut data.0, other, *most),
            Field::Bytes(data) => mutator.change(&mut data.0, other),
            Field::Number(number) => **number = number.kind().number(mutator.changed(number.bits())),
        }
    }
    input.settle();
}

/// The parts of an input that may be others, with standard input or without.
pub(crate) fn fields(input: &mut Input, stdin: bool) -> Vec<Field<'_>> {
    let symbols = &input.symbols;
    let most = |source: &str| match symbols {
        None => Some(None),
        Some(symbols) => symbols.get(source).copied(),
    };
    let mut fields = Vec::new();
    if let Some(most) = most("stdin").filter(|_| stdin) {
        fields.push(Field::Resizable(&mut input.stdin, most));
    }
    for (name, data) in &mut input.files {
        if let Some(most) = most(&format!("files/{name}")) {
            fields.push(Field::Resizable(data, most));
        }
    }
    for (argument, number) in input.args.iter_mut().zip(1..) {
        if most(&format!("arg{number}")).is_some() {
            fields.push(Field::Bytes(argument));
        }
    }
    for request in &mut input.values {
        match &mut request.value {
            Answer::Number(number) => fields.push(Field::Number(number)),
            Answer::Bytes(data) => fields.push(Field::Bytes(data)),
            Answer::Written(_) => {}
        }
    }
    let mut arguments: Vec<&mut Argument> = input.params.iter_mut().collect();
    while let Some(argument) = arguments.pop() {
        if argument.fixed {
            continue;
        }
        match &mut argument.content {
            Content::Number(number) => fields.push(Field::Number(number)),
            Content::Bytes(_, data) | Content::Text(_, data) => fields.push(Field::Resizable(data, None)),
            Content::Inline(data) => fields.push(Field::Bytes(data)),
            Content::Pointer(Some(object)) => {
                arguments.extend(object.fields.iter_mut().map(|field| &mut field.argument));
            }
            Content::Pointer(None) | Content::LengthOf { .. } | Content::Callback(_) => {}
        }
    }
    fields
}

/// The bytes of an input, from which others may take parts.
pub(super) fn bytes(input: &Input) -> Vec<&Data> {
    let params = input.params.iter().filter_map(|argument| match &argument.content {
        Content::Bytes(_, data) | Content::Text(_, data) => Some(data),
        _ => None,
    });
    let all = std::iter::once(&input.stdin).chain(input.files.values()).chain(params);
    all.filter(|data| !data.is_empty()).collect()
}
