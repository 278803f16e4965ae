//! KLEE's `.ktest`, version 3: objects with names and bytes, all integers big-endian.
//!
//! What the program asked for becomes objects in that order; standard input, arguments and files are called as KLEE's POSIX runtime
//! calls them. (Its objects of `stat` are not written: nothing is known about them.)

use super::numbers::bytes;
use super::{Emission, Emitted, File};
use coax_execute::{Answer, Argument, Content, Data, Input};

const MAGIC: &[u8] = b"KTEST";
const VERSION: u32 = 3;

/// A named byte string.
type Object = (String, Vec<u8>);

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let mut emitted = Emitted::default();
    let program = emission.files.first().map_or("program", String::as_str);
    for (_, test) in emission.tests() {
        match objects(&test.input) {
            Ok(objects) => {
                let number = emitted.files.len() + 1;
                let name = format!("test{number:06}.ktest");
                emitted.files.push(File::new(name, encode(program, &test.input.args, &objects)));
            }
            Err(why) => emitted.leave_out(emission, test, why),
        }
    }
    emitted
}

fn objects(input: &Input) -> Result<Vec<Object>, String> {
    let mut objects = Vec::new();
    for (index, param) in input.params.iter().enumerate() {
        objects.push(parameter(input, index, param)?);
    }
    for (index, arg) in input.args.iter().enumerate() {
        let mut content = arg.0.clone();
        content.push(0);
        objects.push((format!("arg{index:02}"), content));
    }
    for (number, content) in input.files.values().enumerate() {
        let letter = u8::try_from(number).ok().and_then(|number| b'A'.checked_add(number));
        let letter =
            letter.filter(u8::is_ascii_uppercase).ok_or("it has more files than KLEE has letters")?;
        objects.push((format!("{}-data", char::from(letter)), content.0.clone()));
    }
    if !input.stdin.is_empty() {
        objects.push(("stdin".into(), input.stdin.0.clone()));
    }
    for request in &input.values {
        let content = match &request.value {
            Answer::Number(number) => bytes(*number),
            Answer::Bytes(data) => data.0.clone(),
            Answer::Written(text) => return Err(format!("`{text}` was never asked for")),
        };
        objects.push((request.name.clone(), content));
    }
    Ok(objects)
}

fn parameter(input: &Input, index: usize, param: &Argument) -> Result<Object, String> {
    let name = param.name.clone().unwrap_or_else(|| format!("param{index}"));
    let content = match &param.content {
        Content::Number(number) => bytes(*number),
        Content::Bytes(_, data) | Content::Inline(data) => data.0.clone(),
        Content::Text(_, data) => [&data.0[..], &[0]].concat(),
        Content::LengthOf { name, element, .. } => {
            let length = length_of(input, name) / (*element).max(1);
            (length as u32).to_le_bytes().to_vec()
        }
        Content::Pointer(None) => vec![0; 4],
        Content::Callback(_) => {
            return Err(format!("`{name}` is a function, and KLEE's objects are plain bytes"));
        }
        Content::Pointer(Some(_)) => {
            return Err(format!(
                "`{name}` leads to an object with parts, and KLEE's objects are plain bytes"
            ));
        }
    };
    Ok((name, content))
}

/// How many bytes a parameter leads to.
fn length_of(input: &Input, name: &str) -> u64 {
    let found = input.params.iter().find(|param| param.name.as_deref() == Some(name));
    match found.map(|param| &param.content) {
        Some(Content::Bytes(_, data) | Content::Text(_, data)) => data.0.len() as u64,
        _ => 0,
    }
}

fn encode(program: &str, args: &[Data], objects: &[Object]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    let number = |file: &mut Vec<u8>, number: usize| file.extend((number as u32).to_be_bytes());
    let string = |file: &mut Vec<u8>, bytes: &[u8]| {
        file.extend((bytes.len() as u32).to_be_bytes());
        file.extend(bytes);
    };
    file.extend(VERSION.to_be_bytes());
    number(&mut file, 1 + args.len());
    string(&mut file, program.as_bytes());
    for arg in args {
        string(&mut file, &arg.0);
    }
    // No arguments of KLEE's own are symbolic beside those that are objects.
    number(&mut file, 0);
    number(&mut file, 0);
    number(&mut file, objects.len());
    for (name, content) in objects {
        string(&mut file, name.as_bytes());
        string(&mut file, content);
    }
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_execute::{Number, Request};

    #[test]
    fn integers_are_big_endian_and_objects_the_targets_bytes() {
        let value = Answer::Number(Number::U16(0x0102));
        let input = Input { values: vec![Request { name: "x".into(), value }], ..Input::default() };
        let file = encode("a.c", &input.args, &objects(&input).expect("a number"));
        let expected: &[u8] = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x03a.c\0\0\0\0\0\0\0\0\0\0\0\x01\
                                \0\0\0\x01x\0\0\0\x02\x02\x01";
        assert_eq!(file, expected);
    }

    #[test]
    fn a_length_counts_what_the_buffer_has() {
        let buffer = Argument::new(Content::Bytes(Default::default(), "abcd".into())).named("data");
        let length = Content::length_of("data", 2);
        let input = Input { params: vec![buffer, Argument::new(length).named("size")], ..Input::default() };
        let objects = objects(&input).expect("bytes and a length");
        assert_eq!(objects[1], ("size".into(), vec![2, 0, 0, 0]));
    }
}
