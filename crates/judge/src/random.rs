//! Random modules, run plain and transformed: everything that can be observed must be equal.
//!
//! A *run* is one invocation of an exported function on fresh instances of both modules. Compared are
//! results, trap kinds, calls of imports, and the final globals, memories and tables. Modules,
//! arguments and imports come from the seed alone.

mod generate;
mod observe;

use crate::machine;
use crate::transform::Transform;
use generate::Random;
use observe::{Instantiated, Outcome, Subject};
use rayon::prelude::*;
use std::collections::BTreeMap;
use wasmtime::Engine;

/// How many argument vectors each exported function is called with.
const VECTORS: usize = 4;

/// Modules that are judged between two looks at the count; fixed, so that the number of threads does
/// not change what is judged.
const BATCH: u64 = 32;

/// What a campaign has seen so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Runs whose outcomes were compared.
    pub runs: u64,
    /// Modules that were judged.
    pub modules: u64,
    /// Modules whose instantiation trapped, on both sides: nothing of them could be run.
    pub dead_modules: u64,
    /// Runs that returned.
    pub returned: u64,
    /// Runs that did not, by what happened.
    pub faulted: BTreeMap<String, u64>,
    /// Runs that were not compared, since one side ran out of stack.
    pub uncounted: u64,
    /// Where the two sides differ.
    pub differences: Vec<Difference>,
}

/// A module on which the two sides differ.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The seed of the module.
    pub seed: u64,
    /// The module, as small as it could easily be made.
    pub wasm: Vec<u8>,
    /// What differs.
    pub what: String,
}

/// Compares modules with their transformation until so many runs were compared.
pub fn campaign(
    runs: u64,
    seed: u64,
    transform: Transform,
    progress: &mut (dyn FnMut(&Tally) + Send),
) -> wasmtime::Result<Tally> {
    let engine = machine::engine()?;
    // Campaigns with neighbouring seeds must not share modules.
    let first = Random::new(seed).next();
    crate::on_large_stacks(|| {
        let mut tally = Tally::default();
        for batch in 0.. {
            let seeds = (0..BATCH).map(|index| first.wrapping_add(batch * BATCH + index));
            let judged: Vec<Tally> =
                seeds.collect::<Vec<u64>>().par_iter().map(|&seed| judge(&engine, seed, transform)).collect();
            judged.into_iter().for_each(|one| tally.add(one));
            progress(&tally);
            if tally.runs >= runs {
                break;
            }
        }
        Ok(tally)
    })
}

/// Judges one module; one that differs is made smaller.
fn judge(engine: &Engine, seed: u64, transform: Transform) -> Tally {
    let mut bytes = generate::bytes(seed);
    let mut tally = judge_bytes(engine, seed, &bytes, transform);
    // The less there is to choose from, the smaller the module.
    while !tally.differences.is_empty() {
        let lengths = [bytes.len() / 2, bytes.len() * 7 / 8, bytes.len().saturating_sub(1)];
        let smaller = lengths.into_iter().filter(|&length| length < bytes.len()).find_map(|length| {
            let judged = judge_bytes(engine, seed, &bytes[..length], transform);
            (!judged.differences.is_empty()).then_some((length, judged))
        });
        let Some((length, judged)) = smaller else { break };
        bytes.truncate(length);
        tally = judged;
    }
    tally
}

fn judge_bytes(engine: &Engine, seed: u64, bytes: &[u8], transform: Transform) -> Tally {
    let mut tally = Tally::default();
    // Too little to choose from makes no module; that happens only while one is made smaller.
    let Some(wasm) = generate::module(seed, bytes) else { return tally };
    tally.modules = 1;
    if let Err(what) = compare(engine, seed, &wasm, transform, &mut tally) {
        tally.differences.push(Difference { seed, wasm, what });
    }
    tally
}

/// Compares all runs of one module; the error says what differs.
fn compare(
    engine: &Engine,
    seed: u64,
    wasm: &[u8],
    transform: Transform,
    tally: &mut Tally,
) -> Result<(), String> {
    let transformed = transform(wasm).map_err(|error| format!("not transformed: {error:#}"))?;
    let plain = Subject::new(engine, wasm).map_err(|error| format!("wasmtime refuses it: {error:#}"))?;
    let transformed = Subject::new(engine, &transformed)
        .map_err(|error| format!("wasmtime refuses it transformed: {error:#}"))?;
    let mut random = Random::new(seed);
    for function in plain.functions() {
        for _ in 0..VECTORS {
            let args = function.arguments(&mut random);
            let place = || format!("`{}` with {args:?}", function.name);
            let (mut left, mut right) = match (plain.instantiate(), transformed.instantiate()) {
                (Instantiated::Live(left), Instantiated::Live(right)) => (left, right),
                (Instantiated::Dead(left), Instantiated::Dead(right)) if left == right => {
                    tally.dead_modules = 1;
                    return Ok(());
                }
                (left, right) => return Err(format!("instantiation: {left}, transformed: {right}")),
            };
            let (expected, actual) = (left.call(&function.name, &args), right.call(&function.name, &args));
            if expected.is_stack_exhausted() || actual.is_stack_exhausted() {
                tally.uncounted += 1;
                continue;
            }
            if expected != actual {
                return Err(format!("{}: {expected}, transformed: {actual}", place()));
            }
            if let Some(what) = observe::difference(&mut left, &mut right) {
                return Err(format!("{}: {what}", place()));
            }
            tally.count(&expected);
        }
    }
    Ok(())
}

impl Tally {
    fn count(&mut self, outcome: &Outcome) {
        self.runs += 1;
        match outcome {
            Outcome::Returned(_) => self.returned += 1,
            Outcome::Faulted(_) => *self.faulted.entry(outcome.to_string()).or_default() += 1,
        }
    }

    fn add(&mut self, other: Tally) {
        self.runs += other.runs;
        self.modules += other.modules;
        self.dead_modules += other.dead_modules;
        self.returned += other.returned;
        self.uncounted += other.uncounted;
        for (fault, count) in other.faulted {
            *self.faulted.entry(fault).or_default() += count;
        }
        self.differences.extend(other.differences);
    }
}
