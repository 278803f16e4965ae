//! What is on this machine, what is missing, and the command that gets it.
//!
//! The checks use the same search as loading does, so that what the doctor finds is what a load uses.

use std::path::PathBuf;

use serde::Serialize;

use crate::asked::Asked;
use crate::cache::Cache;
use crate::clang::{self, Candidate};
use crate::install::{self, BEST_LLVM};
use crate::process;
use crate::rust;
use crate::tools::Tools;

/// One thing that coax may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name.
    pub name: String,
    /// What coax needs it for.
    pub purpose: &'static str,
    /// Whether coax does the same job without it, only less well.
    pub optional: bool,
    /// What was found, if anything was.
    pub found: Option<Found>,
    /// The command that gets it, or a better match.
    pub install: String,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Found {
    /// The version as it calls itself; empty for libraries, which do not say.
    pub version: String,
    /// Where it is.
    pub path: PathBuf,
}

/// Looks at everything; never fails.
pub fn doctor(tools: &Tools) -> Vec<Check> {
    let mut checks = c_checks(tools);
    checks.extend(rust_checks(tools));
    checks.extend([
        program(tools, "z3", "conditions that coax's own solvers leave", install::z3()),
        program_saying(tools, "dot", "-V", "graphs as SVG", install::graphviz()),
    ]);
    checks
}

fn c_checks(tools: &Tools) -> Vec<Check> {
    const PURPOSE: &str = "C and C++ sources";
    // The clang that a load would take; if none is complete, the newest, whose missing parts are then listed.
    // Everything is asked anew.
    let cache = Cache::open(None);
    let asked = &Asked::new(tools, &cache);
    let complete = clang::Clang::find(asked).ok().map(|clang| clang.program);
    let candidates = clang::candidates(asked);
    let chosen = candidates.iter().find(|it| Some(&it.program) == complete.as_ref()).or(candidates.first());
    let llvm = chosen.map_or(BEST_LLVM, |clang| clang.version);
    let check = |name: &str, found: Option<Found>, install: String| Check {
        name: name.to_owned(),
        purpose: PURPOSE,
        optional: false,
        found,
        install,
    };
    let at = |path: PathBuf| Found { version: String::new(), path };
    let versioned = |path: PathBuf| Found { version: version_line(&path, "--version"), path };
    let libc = tools.find_libc();
    let libcxx = libc.and_then(|libc| clang::libcxx(llvm, libc));
    let as_found = |clang: &Candidate| Found { version: clang.banner.clone(), path: clang.program.clone() };
    vec![
        check("clang", chosen.map(as_found), install::clang()),
        check("wasm-ld", clang::sibling(asked, "wasm-ld", llvm).map(versioned), install::linker(llvm)),
        Check {
            optional: true,
            purpose: "C and C++ sources: locals in registers at the default level",
            ..check("opt", clang::sibling(asked, "opt", llvm).map(versioned), install::opt(llvm))
        },
        check("wasi-libc", libc.map(|libc| at(libc.lib.clone())), install::libc()),
        check(
            "compiler-rt",
            chosen.and_then(|it| clang::builtins(asked, &it.program)).map(at),
            install::builtins(llvm),
        ),
        Check {
            purpose: "C++ sources",
            ..check("libc++", libcxx.map(|it| at(it.lib)), install::libcxx(llvm))
        },
    ]
}

fn rust_checks(tools: &Tools) -> Vec<Check> {
    let rustc = program(tools, "rustc", "Rust sources", install::rust());
    let cargo = program(tools, "cargo", "Cargo projects", install::rust());
    let targets = [(rust::TARGET, false), ("wasm32-unknown-unknown", true)].map(|(target, optional)| Check {
        name: target.to_owned(),
        purpose: "Rust sources: the standard library for wasm",
        optional,
        found: rust::target_library(tools, target, None).map(|path| Found { version: String::new(), path }),
        install: install::rust_target(target),
    });
    [rustc, cargo].map(|check| Check { optional: false, ..check }).into_iter().chain(targets).collect()
}

fn program(tools: &Tools, name: &str, purpose: &'static str, install: String) -> Check {
    program_saying(tools, name, "--version", purpose, install)
}

fn program_saying(tools: &Tools, name: &str, flag: &str, purpose: &'static str, install: String) -> Check {
    let found = tools.find(name).map(|path| Found { version: version_line(&path, flag), path });
    Check { name: name.to_owned(), purpose, optional: true, found, install }
}

/// The line of a program's answer that names its version: some tools open with a headline, some use standard error.
fn version_line(program: &std::path::Path, flag: &str) -> String {
    let Ok(finished) = process::run(process::command(program).arg(flag)) else { return String::new() };
    let text = String::from_utf8_lossy(&finished.stdout).into_owned() + &finished.messages;
    let has_digit = |line: &&str| line.contains(|character: char| character.is_ascii_digit());
    text.lines().find(has_digit).unwrap_or_default().trim().to_owned()
}
