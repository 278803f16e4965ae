//! What a failure supposes of a structure that coax has filled in.
//!
//! Any number may be in any part of it. Where parts belong together (a buffer, and a position in it), what a caller has there is no such thing, and the
//! source does not say so.

use coax_execute::{Argument, Content, Number};
use std::cmp::Reverse;

/// So many parts are named.
const SHOWN: usize = 4;

/// What is in the numbers of structures that lead to memory, too; nothing if they are zero.
pub(crate) fn parts(params: &[Argument]) -> Option<String> {
    let mut parts = Vec::new();
    for (number, argument) in params.iter().enumerate() {
        let name = argument.name.clone().unwrap_or_else(|| format!("param{number}"));
        add_parts(&mut parts, &name, argument);
    }
    // The largest are the least likely.
    parts.sort_by_key(|(value, _)| Reverse(value.unsigned_abs()));
    let mut parts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
    let more = parts.len().saturating_sub(SHOWN);
    parts.truncate(SHOWN);
    if more > 0 {
        parts.push(format!("{more} more are not zero"));
    }
    let last = parts.pop()?;
    let all = if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) };
    Some(format!("{all}, though nothing says which parts of a structure belong together"))
}

fn add_parts(parts: &mut Vec<(i128, String)>, name: &str, argument: &Argument) {
    let Content::Pointer(Some(object)) = &argument.content else { return };
    let fields = || object.fields.iter().map(|field| &field.argument);
    let leads_on = fields()
        .any(|it| matches!(it.content, Content::Bytes(..) | Content::Text(..) | Content::Pointer(Some(_))));
    for field in fields() {
        let own = field.name.as_deref().unwrap_or_default();
        let dot = if own.starts_with('[') || own.is_empty() { "" } else { "." };
        let name = format!("{name}{dot}{own}");
        match &field.content {
            Content::Number(value) if leads_on => {
                parts.extend(unusual(*value).map(|value| (value, format!("`{name}` is {value}"))))
            }
            _ => add_parts(parts, &name, field),
        }
    }
}

/// An integer, if it is not zero.
fn unusual(value: Number) -> Option<i128> {
    value.integer().filter(|value| *value != 0)
}
