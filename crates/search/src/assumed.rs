//! What is true of all inputs that a search makes, though a caller might do otherwise: proofs hold for such inputs.

use crate::Subject;
use coax_execute::{Argument, Content, Entry, Input};

/// What proofs assume of inputs like this one, for people.
pub(crate) fn assumed(subject: &Subject<'_>, like: &Input, reads_stdin: bool) -> Vec<String> {
    let longest = subject.symbols.longest;
    let at_most = |what: &str| match longest {
        u64::MAX => None,
        bytes => Some(format!("{what} has at most {bytes} bytes (`--max-len`)")),
    };
    let mut assumed = Vec::new();
    let entry = Entry::find(subject.program, like.entry.as_deref());
    let is_command = entry.is_ok_and(|entry| entry.export == "_start");
    if is_command && like.args.is_empty() {
        assumed.push("there are no arguments (`--sym-arg` makes one)".to_owned());
    }
    assumed.extend(reads_stdin.then(|| at_most("standard input")).flatten());
    assumed.extend(like.files.keys().filter_map(|name| at_most(&format!("file `{name}`"))));
    for (number, Argument { name, content, .. }) in like.params.iter().enumerate() {
        let name = name.clone().unwrap_or_else(|| format!("param{number}"));
        match content {
            Content::Bytes(..) | Content::Text(..) => assumed.extend(at_most(&format!("`{name}`"))),
            Content::Pointer(Some(object)) => {
                let is_deep =
                    object.fields.iter().any(|field| matches!(field.argument.content, Content::Pointer(_)));
                let deep =
                    if is_deep { ", and what it leads to has the shape of the first input" } else { "" };
                assumed.push(format!("`{name}` is not null and shares nothing with other pointers{deep}"));
            }
            Content::Pointer(None) => assumed.push(format!("`{name}` is null")),
            Content::Number(_) | Content::LengthOf { .. } | Content::Inline(_) => {}
        }
    }
    assumed
}
