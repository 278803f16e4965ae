//! Derives the version of the instrumenter from its sources, so that nobody has to remember to raise it.
//!
//! A cached module must fit the plans that are made again from the plain one, and goes wrong silently if it does not. So its name
//! contains a hash of all code that decides how a module is instrumented.

#[path = "build/source_hash.rs"]
mod source_hash;

/// What decides how a module is instrumented: the instrumenter, what it knows of operators, and how a program is read.
const SOURCES: [&str; 5] =
    ["src/instrument.rs", "src/instrument", "src/semantics.rs", "src/semantics", "../program/src"];

fn main() {
    println!("cargo::rerun-if-changed=build");
    source_hash::set("COAX_INSTRUMENTER", &SOURCES);
}
