//! What is true of all inputs that a search makes, though a caller might do otherwise: proofs hold for such inputs.

use crate::Subject;
use coax_execute::{Argument, CallbackResult, Content, Entry, Input, Object};
use coax_program::Code;

/// What proofs assume of inputs like this one, for people.
pub(crate) fn assumed(subject: &Subject<'_>, like: &Input, reads_stdin: bool) -> Vec<String> {
    let longest = subject.symbols.longest;
    let entry = Entry::find(subject.program, like.entry.as_deref());
    let is_command = entry.as_ref().is_ok_and(|entry| entry.export == "_start");
    let mut assumed = Vec::new();
    match &like.args[..] {
        _ if !is_command => {}
        [] => assumed.push("there are no arguments (`--sym-arg` makes one)".to_owned()),
        [_] => assumed.push("there is 1 argument, no longer than given".to_owned()),
        several => assumed.push(format!("there are {} arguments, none longer than given", several.len())),
    }
    let read = |source: &str, what: &str, flag: &str| match &like.symbols {
        None => at_most(what, longest),
        Some(symbols) => match symbols.get(source) {
            Some(Some(bytes)) => Some(format!("{what} has at most {bytes} bytes (`{flag}`)")),
            Some(None) => at_most(what, longest),
            None => Some(format!("{what} is as given")),
        },
    };
    // One that is as given is no symbol, so that nothing shows whether it is read.
    let is_given = like.symbols.as_ref().is_some_and(|symbols| !symbols.contains_key("stdin"));
    if reads_stdin || is_command && is_given {
        assumed.extend(read("stdin", "standard input", "--sym-stdin"));
    }
    let file = |name: &String| read(&format!("files/{name}"), &format!("file `{name}`"), "--sym-file");
    assumed.extend(like.files.keys().filter_map(file));
    // What the entry cannot come to is asked of nobody.
    let program = subject.program;
    let roots = entry.as_ref().map(|entry| entry.roots(program)).unwrap_or_default();
    let called = program.calls().reachable(roots);
    let asks = |name: &str| {
        called.iter().any(|&func| match program.functions[func].code {
            Code::Import(number) => program.imports[number].name == name,
            Code::Defined(_) => false,
        })
    };
    let surroundings = [
        ("environ_get", "environment variables are as given"),
        ("clock_time_get", "the clock shows what it shows in these runs"),
        ("random_get", "random numbers are those of these runs"),
        ("path_open", "there are no files but those given"),
    ];
    assumed.extend(surroundings.iter().filter(|(name, _)| asks(name)).map(|(_, what)| (*what).to_owned()));
    if (asks("fd_read") || asks("fd_write")) && !subject.symbols.faults {
        assumed.push("reads and writes do not fail (`--io-faults` lets them)".to_owned());
    }
    // Whoever calls a target of libFuzzer's says how many bytes there are.
    let says_length = entry.is_ok_and(|entry| entry.is_libfuzzer());
    let of_parameter = |(number, argument)| of_parameter(number, argument, longest, says_length);
    assumed.extend(like.params.iter().enumerate().filter_map(of_parameter));
    let is_placed = |it: &Argument| {
        matches!(it.content, Content::Bytes(..) | Content::Text(..) | Content::Pointer(Some(_)))
    };
    for callback in like.callbacks() {
        let returns = match callback.result {
            CallbackResult::Nothing => "nothing",
            CallbackResult::Number(_) => "anything",
            CallbackResult::Null => "null",
        };
        let text = format!("`{}` is a function that returns {returns} and changes nothing", callback.name);
        if !assumed.contains(&text) {
            assumed.push(text);
        }
    }
    if like.params.iter().any(is_placed) {
        assumed.push("what pointers lead to is where it is in these runs".to_owned());
    }
    assumed
}

fn at_most(what: &str, longest: u64) -> Option<String> {
    (longest < u64::MAX).then(|| format!("{what} has at most {longest} bytes (`--max-len`)"))
}

/// What is assumed of a parameter. `says_length`: lengths are always true.
fn of_parameter(number: usize, argument: &Argument, longest: u64, says_length: bool) -> Option<String> {
    let is_named = argument.name.is_some();
    let name = argument.name.clone().unwrap_or_else(|| format!("param{number}"));
    match &argument.content {
        Content::Bytes(..) | Content::Text(..) => at_most(&format!("`{name}`"), longest),
        Content::Pointer(Some(object)) if object.is_length() => {
            let of = argument.counts().join("` and `");
            Some(format!("`{name}` leads to how much `{of}` has room for"))
        }
        Content::Pointer(Some(object)) => {
            let more = shape_below(object);
            Some(format!("`{name}` is not null and shares nothing with other pointers{more}"))
        }
        Content::Pointer(None) => Some(format!("`{name}` is null")),
        // A length without a name is part of a slice.
        Content::LengthOf { also, .. } if is_named && !also.is_empty() => {
            let of = argument.counts().join("` and `");
            Some(format!("`{name}` is how many elements `{of}` have{}", most_elements(argument, longest)))
        }
        Content::LengthOf { name: of, element: 0 | 1, .. } => {
            (is_named && !says_length).then(|| format!("`{name}` is how many bytes `{of}` has"))
        }
        Content::LengthOf { name: of, element, .. } => {
            let most = (longest < u64::MAX).then(|| longest / element);
            match (is_named, most) {
                (true, Some(most)) => {
                    Some(format!("`{name}` is how many elements `{of}` has, at most {most} (`--max-len`)"))
                }
                (true, None) => Some(format!("`{name}` is how many elements `{of}` has")),
                (false, Some(most)) => Some(format!("`{of}` has at most {most} elements (`--max-len`)")),
                (false, None) => None,
            }
        }
        Content::Number(_) | Content::Inline(_) | Content::Callback(_) => None,
    }
}

/// How many elements something can have that several things have, for people.
fn most_elements(length: &Argument, longest: u64) -> String {
    let Content::LengthOf { element, also, .. } = &length.content else { return String::new() };
    let element = also.iter().map(|also| also.element).chain([*element, 1]).max().unwrap_or(1);
    match longest < u64::MAX {
        true => format!(", at most {} (`--max-len`)", longest / element),
        false => String::new(),
    }
}

/// What is assumed of an object beside that it is there.
fn shape_below(object: &Object) -> &'static str {
    let has = |is: &dyn Fn(&Content) -> bool| object.fields.iter().any(|field| is(&field.argument.content));
    let is_deep = has(&|it| matches!(it, Content::Pointer(_) | Content::Bytes(..) | Content::Text(..)));
    match has(&|it| matches!(it, Content::LengthOf { .. })) {
        true => ", and what it leads to has the shape of the first input, with lengths that are true",
        false if is_deep => ", and what it leads to has the shape of the first input",
        false => "",
    }
}
