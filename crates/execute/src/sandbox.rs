//! The world of one run: arguments, streams, files, clock and random numbers, all made from the input.

use crate::bounds::{Bound, Usage};
use crate::captured::Captured;
use crate::clock::VirtualClock;
use crate::files::Directory;
use crate::symbolic::Symbolic;
use crate::{Error, Input, Limits, wasi};
use coax_program::Program;
use std::collections::BTreeMap;
use wasmtime_wasi::p1::WasiP1Ctx;
use wasmtime_wasi::p2::pipe::MemoryInputPipe;
use wasmtime_wasi::{Deterministic, FsPerms, WasiCtxBuilder};

/// What the program is called by itself, `argv[0]`.
const PROGRAM_NAME: &str = "program";
/// Length of the cycle of random bytes: long enough that no program notices.
const RANDOM_BYTES: usize = 1 << 16;

/// Everything that belongs to one running instance.
pub(crate) struct State {
    pub(crate) wasi: WasiP1Ctx,
    pub(crate) usage: Usage,
    pub(crate) clock: VirtualClock,
    /// What was read from standard input.
    pub(crate) stdin: StdinReads,
    /// The symbolic side, of an instrumented instance.
    pub(crate) symbolic: Option<Symbolic>,
    /// Numbers for the host's inodes in the order the program met them.
    inodes: BTreeMap<u64, u64>,
    stdout: Captured,
    stderr: Captured,
    /// Keeps the files until the run is over.
    _directory: Option<Directory>,
}

impl State {
    /// A new world. `own_memory` is how much memory coax itself adds to the module.
    pub(crate) fn new(
        program: &Program,
        input: &Input,
        limits: &Limits,
        own_memory: u64,
    ) -> Result<State, Error> {
        check_strings(input)?;
        let directory = Directory::new(program, input)?;
        let clock = VirtualClock::default();
        let (stdout, stderr) = (Captured::new(limits.captured_bytes), Captured::new(limits.captured_bytes));

        let mut builder = WasiCtxBuilder::new();
        // Each run has a thread of its own, which may as well do the reading and writing.
        builder.allow_blocking_current_thread(true);
        builder.arg(PROGRAM_NAME).args(&input.args);
        for (name, value) in &input.env {
            builder.env(name, value);
        }
        builder.stdin(MemoryInputPipe::new(input.stdin.0.clone()));
        builder.stdout(stdout.clone()).stderr(stderr.clone());
        builder.wall_clock(clock.clone()).monotonic_clock(clock.clone());
        if wasi::is_imported(program, "random_get") {
            builder.secure_random(Deterministic::new(random_bytes(input.seed)));
        }
        if let Some(directory) = &directory {
            builder
                .preopened_dir(directory.path(), "/", FsPerms::ReadWrite)
                .map_err(|error| Error::Host(error.to_string()))?;
        }
        Ok(State {
            wasi: builder.build_p1(),
            usage: Usage::new(limits, own_memory),
            clock,
            stdin: StdinReads::default(),
            symbolic: None,
            inodes: BTreeMap::new(),
            stdout,
            stderr,
            _directory: directory,
        })
    }

    /// The number by which the program knows an inode of the host.
    pub(crate) fn inode(&mut self, of_host: u64) -> u64 {
        let next = self.inodes.len() as u64 + 1;
        *self.inodes.entry(of_host).or_insert(next)
    }

    /// Takes standard output and standard error; notes in the bounds if they were longer than what is kept.
    pub(crate) fn take_output(&mut self) -> (Vec<u8>, Vec<u8>) {
        let (stdout, stdout_dropped) = self.stdout.take();
        let (stderr, stderr_dropped) = self.stderr.take();
        for _ in [stdout_dropped, stderr_dropped].into_iter().filter(|&dropped| dropped) {
            self.usage.bounds.hit(Bound::Captured);
        }
        (stdout, stderr)
    }
}

/// Where bytes of standard input went.
#[derive(Default)]
pub(crate) struct StdinReads {
    /// How many bytes anybody wants to know of.
    pub(crate) noted: u64,
    /// How many bytes were read.
    position: u64,
    /// Reads that nobody has taken note of yet.
    pub(crate) reads: Vec<StdinRead>,
}

/// Bytes of standard input in memory.
pub(crate) struct StdinRead {
    pub(crate) address: u64,
    pub(crate) count: u64,
    /// Which byte of standard input the first is.
    pub(crate) offset: u64,
}

impl StdinReads {
    /// The next bytes of standard input are in memory.
    pub(crate) fn note(&mut self, address: u64, count: u64) {
        let noted = self.noted.saturating_sub(self.position).min(count);
        if noted > 0 {
            self.reads.push(StdinRead { address, count: noted, offset: self.position });
        }
        self.position += count;
    }
}

/// Arguments and environment are handed over as strings that a zero byte ends.
fn check_strings(input: &Input) -> Result<(), Error> {
    let arguments = input.args.iter().map(|argument| (format!("argument {argument:?}"), argument.clone()));
    let variables = input
        .env
        .iter()
        .map(|(name, value)| (format!("environment variable {name:?}"), format!("{name}={value}")));
    match arguments.chain(variables).find(|(_, text)| text.contains('\0')) {
        Some((what, _)) => Err(Error::ZeroByte(what)),
        None => Ok(()),
    }
}

/// Bytes of the SplitMix64 generator (Steele, Lea, Flood 2014): spelled out here because tests that are
/// stored today must see the same bytes for ever.
fn random_bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    (0..RANDOM_BYTES / 8).flat_map(|_| next().to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_bytes_never_change() {
        // The first two outputs of SplitMix64 for seed 0, as published with the generator.
        let first: Vec<u8> = [0xe220_a839_7b1d_cdaf_u64, 0x6e78_9e6a_a1b9_65f4]
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        assert_eq!(random_bytes(0)[..16], first);
        assert_ne!(random_bytes(1)[..16], first);
    }
}
