//! The small examples against brute force: each has parameters, or standard input, of which a few thousand values show all that can happen.
//! What a search covers must be what these cover together, and what it calls proved must be covered by none of them.
//!
//! What coax prints of each, with runs and questions, is in `tests/cases/cover/small`.

#[path = "small_programs/inputs.rs"]
mod inputs;
#[path = "small_programs/signatures.rs"]
mod signatures;
#[path = "../../../tests/skipped.rs"]
mod skipped;

use coax_execute::{Coverage, Input, Limits, PlainModule, with_stack};
use coax_load::{Request, Tools, UserUnits};
use coax_program::{Program, Scope, Site};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a run may do: all of them are short.
const FUEL: u64 = 1_000_000;
const STACK_BYTES: usize = 1 << 20;
/// The stack of a thread that makes all runs of a program: one thread for each would take longer than the run.
const THREAD_STACK_BYTES: usize = 64 << 20;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/small").canonicalize().expect("there are some")
}

/// A program, and what its first lines tell `coax cover`.
struct Small {
    file: PathBuf,
    options: Vec<String>,
}

impl Small {
    fn read(name: &str) -> Small {
        let file = folder().join(name);
        let text = std::fs::read_to_string(&file).expect(name);
        let said =
            text.lines().find_map(|line| line.split_once("coax cover ")).expect("it names a command").1;
        Small { file, options: said.split_whitespace().skip(1).map(str::to_owned).collect() }
    }

    fn entry(&self) -> Option<String> {
        let place = self.options.iter().position(|option| option == "--entry")?;
        self.options.get(place + 1).cloned()
    }

    /// The report of a search.
    fn searched(&self) -> Value {
        let place = tempfile::tempdir().expect("a temporary directory");
        let mut command = Command::new(env!("CARGO_BIN_EXE_coax"));
        command.arg("cover").arg(&self.file).args(&self.options).args(["--no-mutate", "--json", "--out"]);
        let output = command.arg(place.path().join("out")).output().expect("coax runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", self.file.display());
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    }

    /// What these inputs cover together.
    fn coverage(&self, program: &Program, inputs: Vec<Input>) -> Coverage {
        let limits = Limits { fuel: FUEL, stack_bytes: STACK_BYTES, ..Limits::default() };
        let module = PlainModule::new(program, &limits).expect("it can be compiled");
        let all = || {
            let mut coverage = Coverage::new(program);
            for input in inputs {
                let input = Input { entry: self.entry(), ..input };
                let run = module.run_with_coverage(&input, &limits).expect("it runs");
                coverage.merge(run.coverage.as_ref().expect("coverage was asked for"));
            }
            coverage
        };
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(THREAD_STACK_BYTES);
            let thread = thread.spawn_scoped(scope, || with_stack(THREAD_STACK_BYTES, all));
            thread.expect("there are threads").join().expect("no run panics")
        })
    }

    /// What these inputs cover together: branches in scope, and those in scope that none of them takes.
    fn tried(&self, inputs: Vec<Input>) -> (u64, BTreeSet<(u64, u64)>) {
        let request = Request { inputs: vec![self.file.clone()], entry: self.entry(), ..Request::default() };
        let loaded = coax_load::load(&request).expect("it compiles");
        let program = Program::parse(loaded.wasm).expect("it is a module");
        let scope = match &loaded.user_code.units {
            UserUnits::All => Scope::all(),
            UserUnits::Under(roots) => Scope::paths(roots, &loaded.user_code.foreign),
            UserUnits::Listed(units) => {
                let files = units.iter().map(|unit| Path::new(&unit.directory).join(&unit.name));
                Scope::paths(files, &loaded.user_code.foreign)
            }
        };
        let coverage = self.coverage(&program, inputs);
        let is_counted = |site: &Site| {
            let data = &program.sites[*site];
            data.kind.is_branch() && program.in_scope(data.func, &scope)
        };
        let mut covered = 0;
        let mut missing = BTreeSet::new();
        for site in program.sites.ids().filter(is_counted) {
            for (direction, is_taken) in (0..).zip(coverage.directions(site)) {
                match is_taken {
                    true => covered += 1,
                    false => drop(missing.insert((u64::from(site.0), direction))),
                }
            }
        }
        (covered, missing)
    }
}

/// Whether this machine has what compiling the file needs.
fn can_compile(file: &str) -> bool {
    let needed: &[&str] = match file.ends_with(".rs") {
        true => &["rustc", "wasm32-wasip1"],
        false => &["clang", "wasm-ld", "wasi-libc"],
    };
    let checks = coax_load::doctor(&Tools::default());
    needed.iter().all(|name| checks.iter().any(|check| check.name == *name && check.found.is_some()))
}

#[test]
fn what_is_covered_is_all_that_can_be_and_the_rest_is_proved() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((name, inputs)) = inputs::ALL.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match can_compile(name) {
                        true => check(name, inputs()),
                        false => skipped::skip(&format!("this machine cannot compile {name}")),
                    }
                }
            });
        }
    });
}

/// Compares a search of a program with these inputs.
fn check(name: &str, inputs: Vec<Input>) {
    let small = Small::read(name);
    let report = small.searched();
    let (covered, missing) = small.tried(inputs);
    let uncovered = report["uncovered"].as_array().expect("there is a list");
    let number = |it: &Value, what: &str| it[what].as_u64().expect("a number");
    let given: BTreeSet<_> =
        uncovered.iter().map(|it| (number(it, "site"), number(it, "direction"))).collect();
    assert_eq!(given, missing, "{name}: what the search and what brute force does not cover");
    assert_eq!(report["coverage"]["branches"]["covered"], covered, "{name}");
    assert_eq!(report["explored"], true, "{name}");
    for it in uncovered {
        let why = it["why"].as_str().unwrap_or_default();
        assert!(why.starts_with("proved"), "{name}: {it}");
    }
    assert!(!uncovered.is_empty(), "{name}: each of these has a branch that no input takes");
}

#[test]
fn every_small_program_is_tried() {
    let files = std::fs::read_dir(folder()).expect("there are some");
    let mut files: Vec<String> =
        files.map(|file| file.expect("a file").file_name().into_string().expect("a name")).collect();
    files.sort_unstable();
    let known: Vec<&str> = inputs::ALL.iter().map(|(name, _)| *name).collect();
    assert_eq!(files, known);
}
