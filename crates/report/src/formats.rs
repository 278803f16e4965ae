//! The formats of other tools: each is a function from what there is to tell to files.
//!
//! ```text
//! Emission { report, files, native compilers } ── Format::write ──▶ Emitted { files, what is left out and why }
//! ```
//!
//! A test that a format cannot express is left out with a sentence that says why; nothing is bent to fit.

mod c;
mod corpus;
mod html;
mod junit;
mod ktest;
mod lcov;
mod native;
mod numbers;
mod rust;
mod sarif;
mod testcomp;
mod xml;

pub use native::{Native, NativeRun};

use crate::Report;
use coax_search::Kept;

/// A format that coax can write.
pub struct Format {
    /// What it is called in `--emit`, and the folder that its files are in.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Says everything in it.
    pub write: fn(&Emission<'_>) -> Emitted,
}

/// All formats.
pub static FORMATS: [Format; 9] = [
    Format { name: "ktest", about: "KLEE's test files", write: ktest::write },
    Format { name: "testcomp", about: "a test suite as Test-Comp has it", write: testcomp::write },
    Format { name: "corpus", about: "raw inputs for libFuzzer and AFL", write: corpus::write },
    Format { name: "c", about: "a C file that runs the tests natively", write: c::write },
    Format { name: "rust", about: "a Rust file with a #[test] for each", write: rust::write },
    Format { name: "lcov", about: "coverage as a tracefile of lcov's", write: lcov::write },
    Format { name: "sarif", about: "failures as SARIF 2.1.0", write: sarif::write },
    Format { name: "junit", about: "tests and failures as JUnit's XML", write: junit::write },
    Format {
        name: "html",
        about: "a page with the source, what covers it and why the rest is not",
        write: html::write,
    },
];

impl Format {
    /// The format of this name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }
}

/// What a format is made from.
pub struct Emission<'a> {
    /// What was found.
    pub report: &'a Report<'a>,
    /// The files that the user named, as they were named.
    pub files: &'a [String],
    /// Who compiles and runs tests natively.
    pub native: &'a dyn Native,
    /// The date and time: `2026-11-16T12:00:00Z`.
    pub now: String,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emitted {
    /// The files.
    pub files: Vec<File>,
    /// The tests that it does not have.
    pub left_out: Vec<LeftOut>,
    /// What else the user should know, one sentence each.
    pub notes: Vec<String>,
}

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path within the format's folder, with `/` between its parts.
    pub name: String,
    /// What is in it.
    pub content: Vec<u8>,
}

/// A test that a format does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The test's name.
    pub test: String,
    /// Why, as a clause: `it has parameters`.
    pub why: String,
}

impl File {
    fn new(name: impl Into<String>, content: impl Into<Vec<u8>>) -> File {
        File { name: name.into(), content: content.into() }
    }
}

impl Emission<'_> {
    fn tests(&self) -> impl Iterator<Item = (usize, &Kept)> {
        self.report.findings.tests.iter().map(|test| &**test).enumerate()
    }
}

impl Emitted {
    /// Leaves a test out.
    fn leave_out(&mut self, emission: &Emission<'_>, test: &Kept, why: impl Into<String>) {
        self.left_out.push(LeftOut { test: emission.report.test_name(test), why: why.into() });
    }
}
