//! A Rust file with a `#[test]` for each test, to be a module of the file that is tested, so that it sees what is private there.
//!
//! It is compiled and run, as that module, before it is written: a test whose native outcome is another one is kept, but ignored, with a reason.

mod results;

use super::{Emission, Emitted, File};
use coax_execute::{Argument, Content, Entry, Number, TrapKind, Value, Verdict};
use coax_program::debug_info::{FunctionType, Type, TypeId, Types};
use coax_search::Kept;
use std::fmt::Write;
use std::slice::Iter;

/// What is allowed to generated code.
const ALLOWED: &str = "#![allow(clippy::all, unused)]";

/// A test as Rust.
struct Case {
    name: String,
    comment: String,
    statement: String,
    panics: bool,
    /// Whether it ended otherwise on this machine.
    differs: bool,
}

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let mut emitted = Emitted::default();
    let nothing =
        |why: &str| Emitted { notes: vec![format!("nothing is written: {why}")], ..Emitted::default() };
    let [file] = emission.files else { return nothing("the tests are for one Rust file") };
    let source = match (emission.report.source)(file).map(String::from_utf8) {
        Some(Ok(source)) if file.ends_with(".rs") => source,
        _ => return nothing("the tests are for one Rust file; a project's are not written yet"),
    };
    let mut cases = Vec::new();
    for (number, test) in emission.tests() {
        match case(emission, number, test) {
            Ok(case) => cases.push(case),
            Err(why) => emitted.leave_out(emission, test, why),
        }
    }
    if cases.is_empty() {
        return emitted;
    }
    let whole = format!("{source}\n#[cfg(test)]\nmod coax_tests {{\n{}\n}}\n", render(file, &cases));
    let run = match emission.native.run_rust(&whole) {
        Ok(run) => run,
        Err(why) => {
            emitted.notes.push(format!("nothing is written, for the tests could not be run natively: {why}"));
            return emitted;
        }
    };
    for case in &mut cases {
        let line = format!("coax_tests::{} ", case.name);
        let is_ok = |said: &str| said.contains(&line) && said.ends_with("... ok");
        case.differs = !run.stdout.lines().any(is_ok);
        if case.differs {
            emitted.notes.push(format!("{} is ignored: on this machine it ends otherwise", case.name));
        }
    }
    emitted.files.push(File::new("coax_tests.rs", render(file, &cases)));
    emitted
}

fn render(file: &str, cases: &[Case]) -> String {
    let mut text = format!("{ALLOWED}\n");
    let _ = writeln!(
        text,
        "// Tests that coax made of {file}. This at the end of that file makes them part of it:"
    );
    let _ = writeln!(
        text,
        "//     #[cfg(test)]\n//     #[path = \"THIS_FILE\"]\n//     mod coax_tests;\n\nuse super::*;"
    );
    for Case { name, comment, statement, panics, differs } in cases {
        let _ = writeln!(text, "\n// {comment}\n#[test]");
        if *panics {
            text.push_str("#[should_panic]\n");
        }
        if *differs {
            text.push_str(
                "#[ignore = \"ends otherwise where it was tried; in wasm32, `usize` has 4 bytes\"]\n",
            );
        }
        let _ = writeln!(text, "fn {name}() {{\n    {statement}\n}}");
    }
    text
}

fn case(emission: &Emission<'_>, number: usize, test: &Kept) -> Result<Case, String> {
    let report = emission.report;
    let program = report.program;
    let input = &test.input;
    if !input.values.is_empty() {
        return Err("the program asks for values, which only coax answers".into());
    }
    let entry = Entry::find(program, input.entry.as_deref()).map_err(|error| error.to_string())?;
    if entry.export == "_start" {
        return Err(
            "it is one of a whole program, and a Rust test calls a function; name one with `--entry`".into(),
        );
    }
    let types = program.debug.types();
    let function = &program.functions[entry.func];
    let described = types.function(function).ok_or("nothing is known about the parameters of the entry")?;
    let mut given = input.params.iter();
    let result_bytes = described.result.and_then(|result| types.size(result)).unwrap_or(0);
    if result_bytes > 0 && program.signature(entry.func).results.is_empty() {
        // Where it writes what it returns, which is no number.
        given.next();
    }
    let mut arguments = Vec::new();
    for param in &described.params {
        arguments.push(argument(&types, param.ty, &mut given)?);
    }
    if given.next().is_some() {
        return Err("its parameters are not passed as the source has them".into());
    }
    // The crate's own name comes first.
    let path = function.name.split_once("::").map_or(&*function.name, |(_, within)| within);
    let call = format!("{path}({})", arguments.join(", "));
    let verdict = test.outcome.verdict();
    let (statement, panics) = match &verdict {
        Verdict::Returned(values) => (assertion(&types, &described, &call, values, &test.written), false),
        Verdict::Trapped(TrapKind::Unreachable | TrapKind::Abort | TrapKind::Assertion) => {
            (format!("let _ = {call};"), true)
        }
        _ => return Err("a Rust test can only return or panic".into()),
    };
    let comment = if verdict.is_failure() { report.failure_text(test) } else { verdict.to_string() };
    let name =
        report.test_name(test).replace(|letter: char| !letter.is_ascii_alphanumeric(), "_").to_lowercase();
    let name = format!("test_{:03}_{name}", number + 1);
    Ok(Case { name, comment: comment.replace('\n', " "), statement, panics, differs: false })
}

/// The expression for a parameter of this type; takes as many of the input's parameters as it is passed in.
fn argument(types: &Types<'_>, ty: TypeId, given: &mut Iter<'_, Argument>) -> Result<String, String> {
    let first = given.next().ok_or("its parameters are not passed as the source has them")?;
    let name = first.name.as_deref().unwrap_or("a parameter");
    let unknown = || format!("coax cannot write `{name}` in Rust yet");
    match (types.get(ty), &first.content) {
        (Type::Integer { character: true, bytes: 4, .. }, Content::Number(number)) => {
            let letter = u32::try_from(number.bits()).ok().and_then(char::from_u32);
            letter.map(|letter| format!("{letter:?}")).ok_or_else(|| format!("`{name}` is no character"))
        }
        (Type::Integer { .. } | Type::Boolean { .. } | Type::Float { .. }, Content::Number(number)) => {
            Ok(literal(*number))
        }
        (Type::Structure(composite), content) => {
            let type_name = composite.name.unwrap_or_default();
            let bytes = match content {
                Content::Bytes(_, data) | Content::Text(_, data) => {
                    // Its length follows.
                    given.next();
                    &data.0
                }
                Content::Pointer(Some(object)) => {
                    let bytes = object.fields.iter().find_map(|field| match &field.argument.content {
                        Content::Bytes(_, data) | Content::Text(_, data) => Some(&data.0),
                        _ => None,
                    });
                    bytes.ok_or_else(unknown)?
                }
                _ => return Err(unknown()),
            };
            let text = || {
                let text = std::str::from_utf8(bytes);
                text.map(|text| format!("{text:?}"))
                    .map_err(|_| format!("`{name}` is not UTF-8, as strings of Rust's are"))
            };
            let list = format!("b\"{}\"", bytes.escape_ascii());
            match &*type_name {
                "&str" => text(),
                "String" => Ok(format!("String::from({})", text()?)),
                "&[u8]" => Ok(list),
                "&mut [u8]" => Ok(format!("&mut {list}.to_vec()[..]")),
                vector if vector.starts_with("Vec<u8") => Ok(format!("{list}.to_vec()")),
                _ => Err(unknown()),
            }
        }
        _ => Err(unknown()),
    }
}

fn assertion(
    types: &Types<'_>,
    described: &FunctionType,
    call: &str,
    values: &[Value],
    written: &[u8],
) -> String {
    let ty = described.result.map(|ty| types.get(ty));
    match (values, ty) {
        ([Value::I32(value)], Some(Type::Boolean { .. })) => format!("assert_eq!({call}, {});", *value != 0),
        ([Value::I32(value)], Some(Type::Integer { character: true, bytes: 4, .. })) => {
            format!("assert_eq!({call} as u32, {});", *value as u32)
        }
        ([Value::I32(value)], Some(Type::Integer { signed: false, .. })) => {
            format!("assert_eq!({call}, {});", *value as u32)
        }
        ([Value::I64(value)], Some(Type::Integer { signed: false, .. })) => {
            format!("assert_eq!({call}, {});", *value as u64)
        }
        ([Value::I32(value)], Some(Type::Integer { .. })) => format!("assert_eq!({call}, {value});"),
        ([Value::I64(value)], Some(Type::Integer { .. })) => format!("assert_eq!({call}, {value});"),
        // NaN is equal to nothing; its bits are whatever the machine likes.
        ([Value::F32(bits)], Some(Type::Float { .. })) if f32::from_bits(*bits).is_nan() => {
            format!("assert!({call}.is_nan());")
        }
        ([Value::F64(bits)], Some(Type::Float { .. })) if f64::from_bits(*bits).is_nan() => {
            format!("assert!({call}.is_nan());")
        }
        ([value @ (Value::F32(_) | Value::F64(_))], Some(Type::Float { .. })) => {
            format!("assert_eq!({call}, {});", literal(Number::Value(*value)))
        }
        ([Value::I32(value)], Some(Type::Enumeration { .. })) => {
            format!("assert_eq!({call} as i32, {value});")
        }
        _ => match described.result.and_then(|ty| results::pattern(types, ty, written)) {
            Some(pattern) => format!("assert!(matches!({call}, {pattern}));"),
            // Only that it returns is known.
            None => format!("let _ = {call};"),
        },
    }
}

fn literal(number: Number) -> String {
    match number {
        Number::Bool(value) => value.to_string(),
        Number::Value(Value::F32(bits)) => {
            float(f32::from_bits(bits).into(), "f32", format!("{:?}", f32::from_bits(bits)))
        }
        Number::Value(Value::F64(bits)) => {
            float(f64::from_bits(bits), "f64", format!("{:?}", f64::from_bits(bits)))
        }
        number => super::numbers::decimal(number),
    }
}

fn float(value: f64, ty: &str, finite: String) -> String {
    match (value.is_nan(), value.is_infinite()) {
        (true, _) => format!("{ty}::NAN"),
        (_, true) if value < 0.0 => format!("{ty}::NEG_INFINITY"),
        (_, true) => format!("{ty}::INFINITY"),
        _ => finite,
    }
}
