//! Words of the program's own in the place of those that an input has: a text that is changed so promises nothing, but what comes after it may be another.

use super::trace::{Trace, UnknownCall};
use coax_execute::{Argument, Content, Data, Input};
use coax_term::{Node, Term, Terms};

/// What follows a word that was put at the end of an input: room for another.
const MORE: [u64; 2] = [b' ' as u64, 0];

/// The input of a trace with these arguments in the place of those of a call, if it was given bytes of the input that lie side by side. What is behind them
/// moves.
pub(super) fn spliced(terms: &Terms, trace: &Trace, call: &UnknownCall, arguments: &[u64]) -> Option<Input> {
    let name = |term: &Term| match terms.node(*term) {
        Node::Symbol(symbol) => Some(terms.symbol_name(symbol)),
        _ => None,
    };
    let first = name(call.terms.first().filter(|_| call.numbers == 0)?)?;
    let (source, start) = first.strip_suffix(']')?.rsplit_once('[')?;
    let start: usize = start.parse().ok()?;
    let is_there = |(place, term): &(usize, &Term)| {
        name(term).is_some_and(|it| it == format!("{source}[{}]", start + place))
    };
    let count = call.terms.iter().enumerate().take_while(is_there).count();
    // A zero that the program itself puts behind the bytes is none of the input.
    let arguments = match arguments.split_last() {
        Some((0, before)) if count < call.terms.len() => before,
        _ => arguments,
    };
    let behind = data_of(&trace.input, source)?.0.get(start + count..)?;
    let mut behind: Vec<u64> = behind.iter().map(|&byte| byte.into()).collect();
    if behind.is_empty() {
        behind.extend(MORE);
    }
    let bytes: Vec<u64> = arguments.iter().copied().chain(behind).collect();
    let length = length_of(&trace.input, source);
    let value = |name: &str| {
        if name == length {
            return Some((start + bytes.len()) as u64);
        }
        let place: usize = name.strip_prefix(source)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
        bytes.get(place.checked_sub(start)?).copied()
    };
    Some(trace.input.with_values(&trace.requests, trace.io_calls, &value))
}

/// The bytes of an input whose symbols have this name.
fn data_of<'i>(input: &'i Input, source: &str) -> Option<&'i Data> {
    let is_it = |argument: &&Argument| argument.name.as_deref() == Some(source);
    match (source.strip_prefix("files/"), input.params.iter().find(is_it).map(|it| &it.content)) {
        (Some(name), _) => input.files.get(name),
        (None, Some(Content::Bytes(_, data) | Content::Text(_, data))) => Some(data),
        _ => Some(&input.stdin).filter(|_| source == "stdin"),
    }
}

/// The symbol that is the length of these bytes.
fn length_of(input: &Input, source: &str) -> String {
    let is_it =
        |argument: &&Argument| matches!(&argument.content, Content::LengthOf { name, .. } if name == source);
    let named = input.params.iter().find(is_it).and_then(|argument| argument.name.clone());
    named.unwrap_or_else(|| format!("{source}.length"))
}
