//! Names a build by its sources: a search goes on only with what made its journal, and two builds may have the same version while coax is worked on.

#[path = "../execute/build/source_hash.rs"]
mod source_hash;

use std::path::Path;

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
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    println!("cargo::rerun-if-changed=../execute/build");
    match source_hash::of(SOURCES.map(Path::new)) {
        Ok(hash) => println!("cargo::rustc-env=COAX_SOURCES={hash:016x}"),
        Err(error) => println!("cargo::error=the sources cannot be read: {error}"),
    }
}
