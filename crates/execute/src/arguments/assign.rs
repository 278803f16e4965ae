//! Gives the symbols of parameters other values: the reverse of what `plan.rs` reads from them, under the same names.

use super::planner::join;
use super::{Argument, Content, Field, Object};
use crate::Data;
use crate::symbolic::input::byte_name;

/// The value that a symbol is to have, by its name; none if it may keep its own.
pub(crate) type Values<'v> = &'v dyn Fn(&str) -> Option<u64>;

/// Gives values to the symbols of the parameters, which have these names.
pub(crate) fn assign(
    arguments: &mut [Argument],
    names: &[String],
    prefix: &dyn Fn(&str) -> String,
    values: Values<'_>,
) {
    let own: Vec<String> =
        arguments.iter().map(|argument| argument.name.clone().unwrap_or_default()).collect();
    // How many elements there are, before what they are.
    for index in 0..arguments.len() {
        let argument = &arguments[index];
        let Content::LengthOf { name: target, element, .. } = &argument.content else { continue };
        let symbol =
            if argument.name.is_some() { names[index].clone() } else { format!("{}.length", prefix(target)) };
        let (Some(count), false) = (values(&symbol), argument.fixed) else { continue };
        let element = (*element).max(1);
        // Parameters without a name are called by their place.
        let counted = (0..arguments.len())
            .find(|&other| own[other] == *target || (own[other].is_empty() && names[other] == *target));
        if let Some(counted) = counted {
            resize(&mut arguments[counted].content, count, element);
        }
    }
    for (argument, name) in arguments.iter_mut().zip(names) {
        content(argument, name, values);
    }
}

fn content(argument: &mut Argument, name: &str, values: Values<'_>) {
    let fixed = argument.fixed;
    match &mut argument.content {
        Content::Number(number) if !fixed => {
            if let Some(bits) = values(name) {
                *number = number.kind().number(bits);
            }
        }
        Content::Bytes(_, data) | Content::Text(_, data) | Content::Inline(data) if !fixed => {
            bytes(data, name, values)
        }
        Content::Pointer(Some(to)) => object(to, name, values),
        _ => {}
    }
}

/// Gives values to bytes of this name.
pub(crate) fn bytes(data: &mut Data, name: &str, values: Values<'_>) {
    for (index, byte) in (0..).zip(&mut data.0) {
        if let Some(value) = values(&byte_name(name, index)) {
            *byte = value as u8;
        }
    }
}

fn object(object: &mut Object, name: &str, values: Values<'_>) {
    let (places, mut arguments): (Vec<u64>, Vec<Argument>) =
        std::mem::take(&mut object.fields).into_iter().map(|field| (field.at, field.argument)).unzip();
    let full = |(argument, at): (&Argument, &u64)| {
        join(name, &argument.name.clone().unwrap_or_else(|| format!("+{at}")))
    };
    let names: Vec<String> = arguments.iter().zip(&places).map(full).collect();
    assign(&mut arguments, &names, &|target| join(name, target), values);
    object.fields = places.into_iter().zip(arguments).map(|(at, argument)| Field { at, argument }).collect();
}

/// Makes something so many elements long. New ones are zero, or as the first one is.
fn resize(content: &mut Content, count: u64, element: u64) {
    let size = count.saturating_mul(element);
    match content {
        Content::Bytes(_, data) | Content::Text(_, data) => data.0.resize(size as usize, 0),
        Content::Pointer(Some(object)) if object.size != size => {
            let first: Vec<Field> =
                object.fields.iter().filter(|field| field.at < element).cloned().collect();
            for index in object.size / element..count {
                object.fields.extend(first.iter().map(|field| element_like(field, index, element)));
            }
            object.fields.retain(|field| field.at < size);
            object.size = size;
        }
        _ => {}
    }
}

/// The same field of another element than the first.
fn element_like(field: &Field, index: u64, element: u64) -> Field {
    let renamed = |name: &String| name.replacen("[0]", &format!("[{index}]"), 1);
    let mut argument = field.argument.clone();
    argument.name = argument.name.as_ref().map(renamed);
    if let Content::LengthOf { name, .. } = &mut argument.content {
        *name = renamed(name);
    }
    Field { at: field.at + index * element, argument }
}
