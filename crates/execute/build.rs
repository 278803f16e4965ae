//! Derives the version of the instrumenter from its sources, so that nobody has to remember to raise it.
//!
//! A cached module must fit the plans that are made again from the plain one, and goes wrong silently if it does not. So its name
//! contains a hash of all code that decides how a module is instrumented.

#[path = "build/source_hash.rs"]
mod source_hash;

use std::path::Path;

/// What decides how a module is instrumented: the instrumenter, what it knows of operators, and how a program is read.
const SOURCES: [&str; 5] =
    ["src/instrument.rs", "src/instrument", "src/semantics.rs", "src/semantics", "../program/src"];

fn main() {
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    println!("cargo::rerun-if-changed=build");
    match source_hash::of(SOURCES.map(Path::new)) {
        Ok(hash) => println!("cargo::rustc-env=COAX_INSTRUMENTER={hash:016x}"),
        Err(error) => println!("cargo::error=the instrumenter's sources cannot be read: {error}"),
    }
}
