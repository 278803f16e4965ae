//! The kernels of `bench engine`: small C programs under `bench/kernels`, each with a function `int run(int n)` that
//! does `n` rounds of one kind of work and returns a checksum.

use anyhow::{Result, anyhow};
use coax_execute::{Input, Value};
use coax_load::{Optimise, Request};
use coax_program::Program;
use std::path::{Path, PathBuf};

/// The function that every kernel exports.
pub const ENTRY: &str = "run";

/// One kernel.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The name of its file, without `.c`.
    pub name: &'static str,
    /// How many rounds take 20 to 60 ms on a machine of 2025, plainly.
    pub rounds: i32,
    /// What a native build returns for that many.
    pub result: i32,
}

const fn kernel(name: &'static str, rounds: i32, result: i32) -> Kernel {
    Kernel { name, rounds, result }
}

/// All kernels.
pub const KERNELS: [Kernel; 15] = [
    kernel("calls", 250, 1356254189),
    kernel("chains", 260, -1427722128),
    kernel("crc32", 190, -264275135),
    kernel("hash", 5500, -982172321),
    kernel("heapsort", 30, 1874178635),
    kernel("json", 190, 51065157),
    kernel("lz", 160, -1530646304),
    kernel("machine", 400, -1578928384),
    kernel("mandelbrot", 160, -1080559416),
    kernel("matrix_double", 31, 30124285),
    kernel("matrix_int", 100, -1624840984),
    kernel("queens", 110, 304754936),
    kernel("quicksort", 18, -1387149356),
    kernel("search", 108, 1326039671),
    kernel("sha256", 400, 1421003606),
];

/// A program so small that only its start counts.
pub const TINY: Kernel = kernel("tiny", 0, 0);

/// A program that computes with its parameter and decides nothing.
pub const SYMBOLIC: Kernel = kernel("symbolic", 0, 0);

/// What is no kernel of the table: these are given numbers, not rounds.
pub const OTHERS: [Kernel; 2] = [TINY, SYMBOLIC];

impl Kernel {
    /// The kernel's file.
    pub fn source(&self, repository: &Path) -> PathBuf {
        repository.join("bench/kernels").join(self.name).with_extension("c")
    }

    /// Compiles the kernel at `-O1`: as the user of a library would have it, loops and calls still there.
    pub fn load(&self, repository: &Path, cache: Option<PathBuf>) -> Result<Program> {
        let request = Request {
            inputs: vec![self.source(repository)],
            optimise: Optimise::O1,
            entry: Some(ENTRY.into()),
            cache,
            ..Request::default()
        };
        let loaded = coax_load::load(&request).map_err(|error| anyhow!("{error}\n{}", error.messages()))?;
        Ok(Program::parse(loaded.wasm)?)
    }

    /// The input for so many rounds.
    pub fn input(rounds: i32) -> Input {
        Input { entry: Some(ENTRY.into()), params: vec![Value::I32(rounds).into()], ..Input::default() }
    }
}
