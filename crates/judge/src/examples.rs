//! The example programs in both engines: each as a whole, on inputs like those that it names, and each of its functions called
//! directly with symbols for its parameters.

use crate::engines::Engines;
use crate::random::Random;
use crate::transform;
use anyhow::{Context, Result, anyhow};
use coax_execute::{Data, Input, Value};
use coax_load::Request;
use coax_program::{Func, Program};
use std::path::Path;
use std::sync::Arc;
use wasmparser::ValType;

/// One example.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The name of its file.
    pub file: &'static str,
    /// The functions that are called directly.
    functions: &'static [&'static str],
    /// Arguments for the whole; none if there is no whole.
    args: Option<&'static [&'static str]>,
    /// Standard inputs for it.
    stdin: &'static [&'static str],
}

/// All examples.
pub const EXAMPLES: [Example; 5] = [
    Example {
        file: "average.c",
        functions: &["average"],
        args: Some(&[]),
        stdin: &["3 4 8", "", "-7\n12", "2147483647 1", "1 x"],
    },
    Example {
        file: "brackets.cpp",
        functions: &["closing", "balanced"],
        args: Some(&["([]{})", "([)]"]),
        stdin: &[""],
    },
    Example {
        file: "card.rs",
        functions: &["is_valid"],
        args: Some(&["4539578763621486", "1234"]),
        stdin: &[""],
    },
    Example { file: "gcd.wat", functions: &["gcd"], args: None, stdin: &[] },
    Example { file: "triangle.c", functions: &["classify"], args: Some(&["3", "4", "5"]), stdin: &[""] },
];

/// Steps that a run may take.
const STEPS: u64 = 200_000;
/// Where string literals begin in programs made by clang or rustc: what pointers may point to.
const LITERALS: u64 = 1024;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Runs.
    pub runs: u64,
    /// The events of all.
    pub events: u64,
}

impl Example {
    /// Compiles the example; its functions are exported, by their short names.
    pub fn load(&self, repository: &Path) -> Result<Arc<Program>> {
        let inputs = vec![repository.join("examples").join(self.file)];
        let loaded = coax_load::load(&Request { inputs, ..Request::default() })
            .map_err(|error| anyhow!("{error}\n{}", error.messages()))?;
        let program = Program::parse(loaded.wasm)?;
        let mut exports = Vec::new();
        for &name in self.functions {
            exports.push((export(name), self.find(&program, name)?.0));
        }
        Ok(Arc::new(Program::parse(transform::with_exports(&program.wasm, &exports)?)?))
    }

    /// The function with this name, whatever C++ and Rust put around it.
    fn find(&self, program: &Program, name: &str) -> Result<Func> {
        let is_it = |full: &str| full.split('(').next().unwrap_or_default().rsplit("::").next() == Some(name);
        let found = program.functions.iter().find(|(_, function)| is_it(&function.name));
        found.map(|(func, _)| func).with_context(|| format!("{} has no function `{name}`", self.file))
    }

    /// Compares the engines on so many runs of each function, and of the whole with each standard input.
    pub fn compare(&self, program: &Arc<Program>, runs: u64, seed: u64) -> Result<Compared> {
        let engines = Engines::new(program, STEPS)?;
        let mut random = Random::new(seed);
        let mut compared = Compared::default();
        let mut compare = |input: &Input| -> Result<()> {
            compared.events +=
                engines.compare(input).with_context(|| format!("{} on {input:?}", self.file))? as u64;
            compared.runs += 1;
            Ok(())
        };
        for &name in self.functions {
            let types = &program.signature(self.find(program, name)?).params;
            for _ in 0..runs {
                let params =
                    types.iter().map(|&ty| number(&mut random, ty).map(Into::into)).collect::<Option<_>>();
                let params = params.with_context(|| format!("`{name}` takes something else than numbers"))?;
                compare(&Input { entry: Some(export(name)), params, ..Input::default() })?;
            }
        }
        for (args, stdin) in
            self.args.iter().flat_map(|args| self.stdin.iter().map(move |stdin| (args, stdin)))
        {
            let input = Input {
                args: args.iter().map(|&arg| arg.into()).collect(),
                stdin: Data(stdin.as_bytes().to_vec()),
                ..Input::default()
            };
            compare(&input)?;
            // An input without symbols says the same each time.
            for _ in 1..if stdin.is_empty() { 1 } else { runs } {
                let mut mutant = input.clone();
                let place = random.below(stdin.len());
                mutant.stdin.0[place] = random.pick(b"0123456789- \n+x\xff");
                compare(&mutant)?;
            }
        }
        Ok(compared)
    }
}

/// What `coax cover` is told about the examples that a search is done with soon, by their names: two of them, and all small ones, which say it
/// themselves in their first lines.
pub fn searches(repository: &Path) -> Result<Vec<(String, Vec<String>)>> {
    let folder = repository.join("examples");
    let own = |file: &str| folder.join(file).display().to_string();
    let mut searches = vec![
        ("average.c".to_owned(), vec![own("average.c")]),
        ("triangle.c".to_owned(), vec![own("triangle.c"), "--entry=classify".to_owned()]),
    ];
    let mut files: Vec<_> = std::fs::read_dir(folder.join("small"))?.collect::<Result<_, _>>()?;
    files.sort_by_key(|file| file.file_name());
    for file in files {
        let name = format!("small/{}", file.file_name().to_string_lossy());
        let text = std::fs::read_to_string(file.path())?;
        let said = text.lines().find_map(|line| line.split_once("coax cover ")).map(|(_, said)| said);
        let said = said.with_context(|| format!("{name} does not say how it is searched"))?;
        let options = said.split_whitespace().skip(1).map(str::to_owned);
        searches.push((name.clone(), [own(&name)].into_iter().chain(options).collect()));
    }
    Ok(searches)
}

/// The name by which a function of an example is exported.
fn export(name: &str) -> String {
    format!("example: {name}")
}

/// A number: small, near literals, or any.
fn number(random: &mut Random, ty: ValType) -> Option<Value> {
    let bits = match random.below(4) {
        0 | 1 => random.below(130) as u64,
        2 => LITERALS + random.below(500) as u64,
        _ => random.next(),
    };
    match ty {
        ValType::I32 => Some(Value::I32(bits as i32)),
        ValType::I64 => Some(Value::I64(bits as i64)),
        _ => None,
    }
}
