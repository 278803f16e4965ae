//! Names a build by its sources: a search goes on only with what made its journal, and two builds may have the same version while coax is worked on.

#[path = "../execute/build/source_hash.rs"]
mod source_hash;

/// What decides how a search goes.
const SOURCES: [&str; 7] = [
    "src",
    "../execute/src",
    "../load/src",
    "../program/src",
    "../search/src",
    "../solve/src",
    "../term/src",
];

fn main() {
    println!("cargo::rerun-if-changed=../execute/build");
    source_hash::set("COAX_SOURCES", &SOURCES);
}
