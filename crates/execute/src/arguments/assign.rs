//! Gives the symbols of parameters other values: the reverse of what `plan.rs` reads from them, under the same names.

use super::planner::join;
use super::settle::{lengths, resize};
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
    // How many elements there are, before what they are.
    for length in lengths(arguments, names) {
        let symbol = length.symbol.unwrap_or_else(|| format!("{}.length", prefix(&length.counted[0].name)));
        if let (Some(count), false) = (values(&symbol), length.fixed) {
            for counted in
                length.counted.iter().filter_map(|counted| counted.place.zip(Some(counted.element)))
            {
                resize(&mut arguments[counted.0].content, count, counted.1);
            }
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
    let names: Vec<String> =
        arguments.iter().zip(&places).map(|(argument, &at)| join(name, &field_name(argument, at))).collect();
    assign(&mut arguments, &names, &|target| join(name, target), values);
    object.fields = places.into_iter().zip(arguments).map(|(at, argument)| Field { at, argument }).collect();
}

/// What a field is called within its object.
pub(super) fn field_name(argument: &Argument, at: u64) -> String {
    argument.name.clone().unwrap_or_else(|| format!("+{at}"))
}
