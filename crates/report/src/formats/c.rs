//! A C file that runs the tests natively: one function for each, and a `main` that runs all.
//!
//! The program's own source is included, so that its types and static functions are there; `c/support.c` and `c/runner.c` are what each such
//! file has around its tests. The file is compiled and run before it is written: a test whose native outcome is another one is kept, but skipped, with
//! what happened instead.

mod arguments;
mod literals;
mod services;

use super::{Emission, Emitted, File};
use arguments::Builder;
use coax_execute::{Answer, Entry, Input, Outcome, Value, Verdict};
use coax_program::debug_info::{FunctionType, Type};
use coax_program::{Func, Program};
use coax_search::Kept;
use literals::{identifier, number, string};
use std::collections::BTreeSet;
use std::fmt::Write;

const SUPPORT: &str = include_str!("c/support.c");
const RUNNER: &str = include_str!("c/runner.c");
/// What `main` becomes when the source is included.
const PROGRAM_MAIN: &str = "program_main";
/// What compilers call `main`.
const MAINS: [&str; 4] = ["main", "__main_argc_argv", "__original_main", "__main_void"];

/// A test as C.
struct Case {
    name: String,
    /// What is expected, for the reader.
    comment: String,
    body: String,
    /// The functions that it needs.
    functions: BTreeSet<String>,
    /// How it ends, as in `enum coax_end`, and the exit code.
    end: (&'static str, u32),
    /// Whether it shows a memory error, at which a native program may go on as if nothing had happened.
    may_go_unnoticed: bool,
    /// What it does instead on this machine.
    differs: Option<String>,
}

pub(super) fn write(emission: &Emission<'_>) -> Emitted {
    let mut emitted = Emitted::default();
    let subject = match Subject::find(emission) {
        Ok(subject) => subject,
        Err(why) => return Emitted { notes: vec![format!("nothing is written: {why}")], ..emitted },
    };
    let mut cases = Vec::new();
    for (_, test) in emission.tests() {
        match subject.case(emission, test, cases.len()) {
            Ok(case) => cases.push(case),
            Err(why) => emitted.leave_out(emission, test, why),
        }
    }
    if cases.is_empty() {
        return emitted;
    }
    let run = match emission.native.run_c(&subject.render(&cases), &subject.others) {
        Ok(run) => run,
        Err(why) => {
            emitted.notes.push(format!("nothing is written, for the tests could not be run natively: {why}"));
            return emitted;
        }
    };
    for case in &mut cases {
        let said = |word: &str| {
            let start = format!("{word} {}", case.name);
            run.stdout.lines().find_map(|line| line.strip_prefix(&start))
        };
        if said("ok") == Some("") {
            continue;
        }
        let what = said("FAILED").map_or("it was not run to its end", |rest| rest.trim_start_matches(": "));
        let hint = if case.may_go_unnoticed { "; a sanitizer would show the memory error" } else { "" };
        let what = format!("{what}{hint}");
        emitted.notes.push(format!("{} is skipped: on this machine {what}", case.name));
        case.differs = Some(what);
    }
    emitted.files.push(File::new("tests.c", subject.render(&cases)));
    emitted
}

/// What is tested, as C sees it.
struct Subject {
    /// The source that is included.
    source: String,
    /// The other sources.
    others: Vec<String>,
    /// Definitions of what the program asks for.
    services: String,
    /// What the entry is called.
    callee: String,
    is_main: bool,
    described: FunctionType,
}

impl Subject {
    fn find(emission: &Emission<'_>) -> Result<Subject, String> {
        let program = emission.report.program;
        if let Some(other) = emission.files.iter().find(|file| !file.ends_with(".c")) {
            return Err(format!("{other} is no C source, which is what the tests include"));
        }
        let test = emission.report.findings.tests.first().ok_or("there are no tests")?;
        let entry = Entry::find(program, test.input.entry.as_deref()).map_err(|error| error.to_string())?;
        let is_main = entry.export == "_start";
        let func =
            if is_main { main_of(emission).ok_or("its `main` is not in its sources")? } else { entry.func };
        let file = program.declared_at(func).and_then(|frame| frame.file);
        let source =
            emission.files.iter().find(|given| file.as_ref() == Some(*given)).or(match emission.files {
                [only] => Some(only),
                _ => None,
            });
        let source = source.ok_or("the file of the entry is not known")?.clone();
        let others = emission.files.iter().filter(|file| **file != source).cloned().collect();
        let types = program.debug.types();
        let described = types
            .function(&program.functions[func])
            .ok_or("nothing is known about the parameters of the entry")?;
        let callee = if is_main { PROGRAM_MAIN.into() } else { program.functions[func].name.clone() };
        let text = (emission.report.source)(&source).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        let services = services::definitions(program, &text)?;
        Ok(Subject { source, others, services, callee, is_main, described })
    }

    fn case(&self, emission: &Emission<'_>, test: &Kept, index: usize) -> Result<Case, String> {
        let report = emission.report;
        let verdict = test.outcome.verdict();
        let Input { files, env, faults, stubs, .. } = &test.input;
        if !files.is_empty() || !env.is_empty() || !faults.is_empty() || !stubs.is_empty() {
            return Err("it has files, variables or the like, which the C file does not make".into());
        }
        let mut body = String::new();
        for request in &test.input.values {
            let name = string(request.name.as_bytes());
            let _ = match &request.value {
                Answer::Number(value) => writeln!(body, "    COAX_GIVE({name}, {});", number(*value)),
                Answer::Bytes(data) => writeln!(body, "    COAX_GIVE_BYTES({name}, {});", string(&data.0)),
                Answer::Written(text) => return Err(format!("`{text}` was never asked for")),
            };
        }
        if !test.input.stdin.is_empty() || self.is_main {
            let bytes = &test.input.stdin.0;
            let _ = writeln!(body, "    coax_stdin({}, {});", string(bytes), bytes.len());
        }
        let (call, functions) = match self.is_main {
            true => (self.main_call(&mut body, &test.input), BTreeSet::new()),
            false => self.call(report.program, &mut body, &test.input)?,
        };
        let end = self.ending(report.program, &mut body, &call, &test.outcome)?;
        let name = format!("{:03}_{}", index + 1, identifier(&report.test_name(test)));
        let comment = match verdict.is_failure() {
            true => report.failure_text(test),
            false => self.returned_pointer(report.program, &verdict).unwrap_or_else(|| verdict.to_string()),
        };
        let may_go_unnoticed = matches!(verdict, Verdict::Trapped(kind) if kind.is_memory_error());
        let comment = comment.replace("*/", "* /");
        Ok(Case { name, comment, body, functions, end, may_go_unnoticed, differs: None })
    }

    fn main_call(&self, body: &mut String, input: &Input) -> String {
        if self.described.params.is_empty() {
            return format!("{PROGRAM_MAIN}()");
        }
        // Zeros at the end of one are room for a longer one.
        let args = input.args.iter().map(|arg| without_zeros(&arg.0));
        let args: Vec<String> = args.map(|arg| format!("(char[]){{{}}}", string(arg))).collect();
        let list: Vec<String> = [string(b"program")].into_iter().chain(args).chain(["NULL".into()]).collect();
        let _ = writeln!(body, "    char *argv[] = {{{}}};", list.join(", "));
        let rest = if self.described.params.len() > 2 { ", environ" } else { "" };
        format!("{PROGRAM_MAIN}({}, argv{rest})", input.args.len() + 1)
    }

    fn call(
        &self,
        program: &Program,
        body: &mut String,
        input: &Input,
    ) -> Result<(String, BTreeSet<String>), String> {
        if self.described.params.len() != input.params.len() {
            return Err("its parameters are not passed one by one as the source has them".into());
        }
        let types = program.debug.types();
        let mut builder = Builder::new(&types, &input.params);
        let mut arguments = Vec::new();
        for (param, argument) in self.described.params.iter().zip(&input.params) {
            arguments.push(builder.parameter(argument, param.ty)?);
        }
        body.push_str(&builder.statements);
        Ok((format!("{}({})", self.callee, arguments.join(", ")), builder.functions))
    }

    /// Writes the call with what is asserted of it; how the test ends.
    fn ending(
        &self,
        program: &Program,
        body: &mut String,
        call: &str,
        outcome: &Outcome,
    ) -> Result<(&'static str, u32), String> {
        let verdict = outcome.verdict();
        let line = match (&verdict, self.is_main) {
            (Verdict::Returned(_) | Verdict::Exited(_), true) => format!("exit({call});"),
            (Verdict::Returned(values), false) => self.assertion(program, call, values),
            _ => format!("{call};"),
        };
        let _ = writeln!(body, "    {line}");
        Ok(match verdict {
            Verdict::Returned(_) if self.is_main => ("COAX_EXITS", 0),
            Verdict::Returned(_) => ("COAX_RETURNS", 0),
            Verdict::Exited(code) => ("COAX_EXITS", code & 255),
            Verdict::OutOfFuel | Verdict::OutOfTime => {
                return Err("it does not end, and waiting for that is no test".into());
            }
            Verdict::UncaughtException | Verdict::Discarded => {
                return Err("C has nothing like its end".into());
            }
            Verdict::Trapped(_) | Verdict::StackExhausted => ("COAX_DIES", 0),
        })
    }

    /// What a pointer that was returned is: where it leads to differs from build to build.
    fn returned_pointer(&self, program: &Program, verdict: &Verdict) -> Option<String> {
        let Verdict::Returned(values) = verdict else { return None };
        let ty = program.debug.types().get(self.described.result?);
        match (&values[..], ty) {
            ([Value::I32(0)], Type::Pointer { .. }) => Some("returned null".into()),
            ([Value::I32(_)], Type::Pointer { .. }) => Some("returned a pointer".into()),
            _ => None,
        }
    }

    fn assertion(&self, program: &Program, call: &str, values: &[Value]) -> String {
        let ty = self.described.result.map(|ty| program.debug.types().get(ty));
        match (values, ty) {
            (
                [Value::I32(value)],
                Some(Type::Integer { signed: false, .. } | Type::Enumeration { signed: false, .. }),
            ) => {
                format!("COAX_EQUAL({call}, {}U);", *value as u32)
            }
            ([Value::I32(0)], Some(Type::Pointer { .. })) => format!("COAX_NULL({call});"),
            ([Value::I32(_)], Some(Type::Pointer { .. })) => format!("COAX_NOT_NULL({call});"),
            (
                [value @ (Value::I32(_) | Value::I64(_))],
                Some(Type::Integer { .. } | Type::Enumeration { .. } | Type::Boolean { .. }),
            ) => format!("COAX_EQUAL({call}, {});", literals::value(*value)),
            ([value @ (Value::F32(_) | Value::F64(_))], Some(Type::Float { .. })) => {
                format!("COAX_EQUAL_FLOAT({call}, {});", literals::value(*value))
            }
            // A structure, for instance: only that it returns is known.
            _ => format!("{call};"),
        }
    }

    fn render(&self, cases: &[Case]) -> String {
        let others: String = self.others.iter().map(|file| format!(" {file}")).collect();
        let mut text = format!(
            "/* Tests that coax made of {}. From the directory where coax was run:\n *     cc -fwrapv -I. -o tests THIS_FILE{others} -lm && ./tests\n */\n\
             #define main {PROGRAM_MAIN}\n#include {}\n#undef main\n\n{SUPPORT}\n",
            self.source.replace("*/", "* /"),
            string(self.source.as_bytes())
        );
        text.push_str(&self.services);
        let functions: BTreeSet<&String> = cases.iter().flat_map(|case| &case.functions).collect();
        for function in functions {
            let _ = writeln!(text, "{function}");
        }
        for case in cases {
            let _ = write!(
                text,
                "\n/* {} */\nstatic void test_{}(void) {{\n{}}}\n",
                case.comment, case.name, case.body
            );
        }
        text.push_str("\nstatic const struct coax_test coax_tests[] = {\n");
        for Case { name, end: (end, code), differs, .. } in cases {
            let skipped = differs.as_ref().map_or("NULL".into(), |what| {
                string(
                    format!("{what}, where it was tried; in wasm32, `long` and addresses have 4 bytes")
                        .as_bytes(),
                )
            });
            let _ = writeln!(text, "    {{\"{name}\", test_{name}, {end}, {code}, {skipped}}},");
        }
        text.push_str("};\n\n");
        text.push_str(RUNNER);
        text
    }
}

/// Bytes up to the zeros at their end.
fn without_zeros(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    &bytes[..end]
}

/// The user's `main`.
fn main_of(emission: &Emission<'_>) -> Option<Func> {
    let report = emission.report;
    let mut functions = report.program.functions.iter();
    let is_main = |name: &str| MAINS.contains(&name);
    functions
        .find(|(func, function)| {
            (is_main(&function.name) || is_main(&function.symbol)) && (report.in_scope)(*func)
        })
        .map(|(func, _)| func)
}
