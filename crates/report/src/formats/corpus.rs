//! Raw inputs, as libFuzzer and AFL keep them: `inputs/HASH` for runs that end well, `crashes/crash-HASH`, `crashes/timeout-HASH`
//! for others, where the hash is SHA-1 as libFuzzer's is. Only for inputs that are one string of bytes.

use super::{Emission, Emitted, File};
use coax_execute::{Content, Input, Verdict};
use sha1::{Digest, Sha1};

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let mut emitted = Emitted::default();
    for (_, test) in emission.tests() {
        match raw(&test.input) {
            Ok(bytes) => {
                let hash: String = Sha1::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
                let name = match test.outcome.verdict() {
                    Verdict::OutOfFuel | Verdict::OutOfTime => format!("crashes/timeout-{hash}"),
                    verdict if verdict.is_failure() => format!("crashes/crash-{hash}"),
                    _ => format!("inputs/{hash}"),
                };
                if !emitted.files.iter().any(|file| file.name == name) {
                    emitted.files.push(File::new(name, bytes));
                }
            }
            Err(why) => emitted.leave_out(emission, test, why),
        }
    }
    emitted
}

/// The bytes, if the input is nothing else.
fn raw(input: &Input) -> Result<&[u8], &'static str> {
    if !input.args.is_empty() || !input.files.is_empty() || !input.env.is_empty() || !input.faults.is_empty()
    {
        return Err("it has arguments, files or the like, and a raw input is one string of bytes");
    }
    if !input.values.is_empty() {
        return Err("the program asks for values one by one, and a raw input is one string of bytes");
    }
    let mut buffer: Option<&[u8]> = None;
    for param in &input.params {
        match &param.content {
            Content::Bytes(_, data) if buffer.is_none() => buffer = Some(&data.0),
            Content::LengthOf { .. } => {}
            _ => return Err("the entry's parameters are not one buffer and its length"),
        }
    }
    match (buffer, input.stdin.is_empty()) {
        (Some(bytes), true) => Ok(bytes),
        (None, _) if input.params.is_empty() => Ok(&input.stdin.0),
        (Some(_), false) => Err("it has a buffer and standard input, and a raw input is one string of bytes"),
        (None, _) => Err("the entry's parameters are not one buffer and its length"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_execute::{Argument, Value};

    #[test]
    fn one_string_of_bytes_or_a_reason() {
        let buffer = Argument::new(Content::Bytes(Default::default(), "abc".into())).named("data");
        let length = Argument::new(Content::length_of("data", 1));
        let fuzz = Input { params: vec![buffer.clone(), length], ..Input::default() };
        assert_eq!(raw(&fuzz), Ok(&b"abc"[..]));
        let program = Input { stdin: "in".into(), ..Input::default() };
        assert_eq!(raw(&program), Ok(&b"in"[..]));
        assert_eq!(raw(&Input::default()), Ok(&b""[..]));
        let both = Input { params: vec![buffer], stdin: "in".into(), ..Input::default() };
        assert!(raw(&both).is_err());
        let number = Input { params: vec![Argument::from(Value::I32(3))], ..Input::default() };
        assert!(raw(&number).is_err());
        let args = Input { args: vec!["-v".into()], ..Input::default() };
        assert!(raw(&args).is_err());
    }
}
