//! The cache of compiled modules: what is in it is used, and what cannot be used is written again.

mod common;

use coax_execute::{Limits, Outcome, PlainModule, SymbolicEngine, Symbols, Value, Variant};
use coax_program::Program;
use common::{call, program};
use std::fs;
use std::path::{Path, PathBuf};

/// Starts the program once more and calls `f` with 7.
fn start(program: &Program, cache: &Path) -> Outcome {
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine").with_cache(cache);
    let module = engine.module(program, Variant::Light).expect("instrumentable");
    let run = module.run(&call("f", &[7]), Symbols::NONE, &Limits::default()).expect("runs");
    module.outcome(run)
}

/// A program that adds a number to what it is given.
fn adding(number: i32) -> Program {
    program(&format!(
        r#"(module (func (export "f") (param i32) (result i32) (i32.add (local.get 0) (i32.const {number}))))"#
    ))
}

fn returned(number: i32) -> Outcome {
    Outcome::Returned(vec![Value::I32(number)])
}

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// The only file, and what is in it.
fn only_file(directory: &Path) -> (PathBuf, Vec<u8>) {
    let [file] = &files(directory)[..] else { panic!("one module, one file") };
    (file.clone(), fs::read(file).expect("a file"))
}

#[test]
fn a_program_that_was_started_before_is_not_compiled_again() {
    let (mine, others) = (directory(), directory());
    assert_eq!(start(&adding(1), mine.path()), returned(8));
    assert_eq!(start(&adding(2), others.path()), returned(9));
    // If another program's module has this one's name, it is the other that runs.
    fs::write(only_file(mine.path()).0, only_file(others.path()).1).expect("writable");
    assert_eq!(start(&adding(1), mine.path()), returned(9));
}

/// The same on the plain module.
fn start_plain(program: &Program, cache: &Path) -> Outcome {
    let module = PlainModule::cached(program, &Limits::default(), Some(cache)).expect("compilable");
    module.run(&call("f", &[7]), &Limits::default()).expect("runs").outcome
}

#[test]
fn neither_is_the_plain_module() {
    let (mine, others) = (directory(), directory());
    assert_eq!(start_plain(&adding(1), mine.path()), returned(8));
    assert_eq!(start_plain(&adding(2), others.path()), returned(9));
    fs::write(only_file(mine.path()).0, only_file(others.path()).1).expect("writable");
    assert_eq!(start_plain(&adding(1), mine.path()), returned(9));
    // Nor is it taken for the instrumented one.
    assert_eq!(start(&adding(1), mine.path()), returned(8));
    assert_eq!(files(mine.path()).len(), 2);
}

#[test]
fn programs_and_variants_have_files_of_their_own() {
    let cache = directory();
    for number in [1, 2] {
        start(&adding(number), cache.path());
    }
    let engine = SymbolicEngine::new(&Limits::default()).expect("an engine").with_cache(cache.path());
    engine.module(&adding(1), Variant::Calls).expect("instrumentable");
    assert_eq!(files(cache.path()).len(), 3);
}

#[test]
fn a_damaged_file_is_written_again() {
    let cache = directory();
    start(&adding(1), cache.path());
    let (file, whole) = only_file(cache.path());
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [&flipped[..], &whole[..whole.len() - 1], &whole[..10], &[]] {
        fs::write(&file, damaged).expect("writable");
        assert_eq!(start(&adding(1), cache.path()), returned(8));
        // One file: nothing half-written stays.
        assert!(only_file(cache.path()) == (file.clone(), whole.clone()), "it was not written again");
    }
}

#[test]
fn what_another_version_of_the_compiler_has_written_is_not_trusted() {
    let cache = directory();
    start(&adding(1), cache.path());
    let (file, whole) = only_file(cache.path());
    // What wasmtime writes begins, behind our hash, with its target; its version is a string before that.
    let target =
        whole.windows(6).position(|bytes| bytes == b"x86_64" || bytes == b"aarch6").expect("a target");
    let mut other = whole.clone();
    other[target - 2] ^= 1;
    let hash = blake3::hash(&other[blake3::OUT_LEN..]);
    other[..blake3::OUT_LEN].copy_from_slice(hash.as_bytes());
    fs::write(&file, &other).expect("writable");
    assert_eq!(start(&adding(1), cache.path()), returned(8));
    assert!(only_file(cache.path()) == (file, whole), "it was not written again");
}

#[test]
fn a_cache_that_cannot_be_written_is_done_without() {
    let directory = directory();
    let taken = directory.path().join("taken");
    fs::write(&taken, "a file, not a directory").expect("writable");
    assert_eq!(start(&adding(1), &taken), returned(8));
    assert_eq!(files(directory.path()), [taken]);
}
