//! Random modules, run plain and transformed: everything that can be observed must be equal.
//!
//! A *run* is one invocation of an exported function on fresh instances of both modules. Compared are
//! results, trap kinds, calls of imports, and the final globals, memories and tables. Modules,
//! arguments and imports come from the seed alone.

mod calls;
mod control;
mod data;
mod directions;
mod events;
mod generate;
mod mutants;
mod observe;
mod paths;
mod reduce;
mod reference;
mod services;
pub mod tasks;

pub use events::compare_events;
pub(crate) use generate::Random;
pub use generate::Source;

use crate::hooks::Hooks;
use crate::machine::{self, Value};
use crate::transform::{self, Transform};
use coax_execute::Path;
use coax_term::Terms;
use observe::{Compiled, Instantiated, Outcome};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};
use wasmtime::Engine;

/// How many argument vectors each exported function is called with.
const VECTORS: usize = 4;

/// Modules that are judged between two looks at the count; fixed, so that the number of threads does
/// not change what is judged.
const BATCH: u64 = 32;

/// How often a module that differs is compared to make it smaller.
const QUESTIONS: usize = 400;

/// A campaign that has found so many differences needs no more.
const MAX_DIFFERENCES: usize = 20;

/// What a campaign has seen so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Runs whose outcomes were compared.
    pub runs: u64,
    /// Modules that were judged.
    pub modules: u64,
    /// Modules whose instantiation trapped on both sides, or does not end: nothing of them could be run.
    pub dead_modules: u64,
    /// Runs that returned.
    pub returned: u64,
    /// Runs that did not, by what happened.
    pub faulted: BTreeMap<String, u64>,
    /// Runs that were not compared, since the plain module ran out of fuel.
    pub out_of_fuel: u64,
    /// Runs that were not compared, since one side ran out of stack.
    pub out_of_stack: u64,
    /// Events that were compared.
    pub events: u64,
    /// What was done to calls.
    pub hooks: Hooks,
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

/// What is judged, on what.
#[derive(Clone, Copy)]
pub struct Judgement {
    /// Where the modules come from.
    pub source: Source,
    /// What is compared with the plain module.
    pub subject: Subject,
}

/// What is compared with the plain module.
#[derive(Clone, Copy)]
pub enum Subject {
    /// The transformed module: it must do the same.
    Transformed(Transform),
    /// The SSA's own way: coverage must show the directions that it took. For modules without imports.
    Directions,
    /// The instrumented module, with symbols: it must record what the reference interpreter does. For modules that import
    /// nothing, or only functions of WASI.
    Events,
    /// The same with the instrumented side spoilt on purpose: it must be noticed.
    Sabotaged(Sabotage),
    /// The instrumented module under directors: what they do to calls must leave the rest as it is. For modules that import
    /// nothing, or only functions of WASI.
    Hooks,
    /// The instrumented module, with symbols: its paths must be right about runs on other inputs. For modules that import
    /// nothing but functions of WASI.
    Mutants,
    /// The reference interpreter with symbols for arguments: it must do the same, and its paths be right.
    Paths,
}

/// What is done to the instrumented side of a comparison of events.
#[derive(Clone, Copy)]
pub struct Sabotage {
    /// To the module: as if the engine did not know what an operator means.
    pub module: Transform,
    /// To the path that was recorded.
    pub path: fn(&mut Path, &mut Terms),
}

impl Sabotage {
    /// Nothing.
    pub const NONE: Sabotage = Sabotage { module: transform::plain, path: |_, _| {} };
}

/// Judges random modules until so many runs were compared.
pub fn campaign(
    judgement: Judgement,
    runs: u64,
    seed: u64,
    progress: &mut (dyn FnMut(&Tally) + Send),
) -> wasmtime::Result<Tally> {
    let engine = machine::engine()?;
    // Campaigns with neighbouring seeds must not share modules.
    let first = Random::new(seed).next();
    crate::on_large_stacks(|| {
        let mut tally = Tally::default();
        let mut next = first;
        while tally.runs < runs && tally.differences.len() < MAX_DIFFERENCES {
            let seeds: Vec<u64> = (0..BATCH).map(|index| next.wrapping_add(index)).collect();
            let judged: Vec<Tally> = seeds.par_iter().map(|&seed| judge(&engine, judgement, seed)).collect();
            judged.into_iter().for_each(|one| tally.add(one));
            progress(&tally);
            next = next.wrapping_add(BATCH);
        }
        Ok(tally)
    })
}

/// Judges one module; one that differs is made smaller.
fn judge(engine: &Engine, judgement: Judgement, seed: u64) -> Tally {
    let mut size = judgement.source.size(seed);
    let mut tally = judge_sized(engine, judgement, seed, size);
    // What was spoilt on purpose nobody looks at.
    let is_wanted = !matches!(judgement.subject, Subject::Sabotaged(_));
    while is_wanted && !tally.differences.is_empty() {
        let smaller = [size / 2, size * 7 / 8, size.saturating_sub(1)];
        let found = smaller.into_iter().filter(|&smaller| smaller < size).find_map(|smaller| {
            let judged = judge_sized(engine, judgement, seed, smaller);
            (!judged.differences.is_empty()).then_some((smaller, judged))
        });
        let Some((smaller, judged)) = found else { break };
        (size, tally) = (smaller, judged);
    }
    if is_wanted && let Some(found) = tally.differences.pop() {
        tally.differences.push(reduced(engine, judgement, found));
    }
    tally
}

/// A smaller module, as far as that takes a reasonable time, which differs somewhere.
fn reduced(engine: &Engine, judgement: Judgement, found: Difference) -> Difference {
    let what = |wasm: &[u8]| compare_as(engine, judgement, found.seed, wasm, &mut Tally::default()).err();
    let wasm = reduce::reduce(&found.wasm, QUESTIONS, &|wasm| what(wasm).is_some());
    match what(&wasm) {
        Some(what) => Difference { wasm, what, ..found },
        None => found,
    }
}

fn judge_sized(engine: &Engine, judgement: Judgement, seed: u64, size: usize) -> Tally {
    let mut tally = Tally::default();
    let Some(wasm) = judgement.source.module(seed, size) else { return tally };
    tally.modules = 1;
    if let Err(what) = compare_as(engine, judgement, seed, &wasm, &mut tally) {
        tally.differences.push(Difference { seed, wasm, what });
    }
    tally
}

/// Compares what is to be compared of one module; the error says what differs. An engine that panics does.
fn compare_as(
    engine: &Engine,
    judgement: Judgement,
    seed: u64,
    wasm: &[u8],
    tally: &mut Tally,
) -> Result<(), String> {
    let compare = AssertUnwindSafe(|| compare_whole(engine, judgement, seed, wasm, tally));
    panic::catch_unwind(compare).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<&str>().map(ToString::to_string);
        let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(format!("an engine panics: {}", message.unwrap_or_default()))
    })
}

fn compare_whole(
    engine: &Engine,
    Judgement { source, subject }: Judgement,
    seed: u64,
    wasm: &[u8],
    tally: &mut Tally,
) -> Result<(), String> {
    match subject {
        Subject::Transformed(transform) => compare(engine, seed, wasm, transform, tally),
        Subject::Directions => directions::compare(engine, seed, wasm, tally),
        Subject::Events => events(engine, source, seed, wasm, Sabotage::NONE, tally),
        Subject::Sabotaged(sabotage) => events(engine, source, seed, wasm, sabotage, tally),
        Subject::Hooks => calls::compare(engine, seed, wasm, tally),
        Subject::Mutants => mutants::compare(engine, seed, wasm, tally),
        Subject::Paths => paths::compare(engine, seed, wasm, tally),
    }
}

/// Compares the events of all runs of one module; the error says what differs.
fn events(
    engine: &Engine,
    source: Source,
    seed: u64,
    wasm: &[u8],
    sabotage: Sabotage,
    tally: &mut Tally,
) -> Result<(), String> {
    match source {
        Source::Services => services::compare(engine, seed, wasm, sabotage, tally),
        _ => events::compare(engine, seed, wasm, sabotage, tally),
    }
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
    let plain = Compiled::plain(engine, wasm).map_err(|error| format!("wasmtime refuses it: {error:#}"))?;
    let transformed = Compiled::transformed(engine, &transformed)
        .map_err(|error| format!("wasmtime refuses it transformed: {error:#}"))?;
    let mut random = Random::new(seed);
    for function in plain.functions() {
        for _ in 0..VECTORS {
            let args = function.arguments(&mut random);
            match compare_runs(&plain, &transformed, &function.name, &args, tally) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(what) => return Err(format!("`{}` with {args:?}: {what}", function.name)),
            }
        }
    }
    Ok(())
}

/// Compares one run; false if the module cannot even be instantiated.
fn compare_runs(
    plain: &Compiled,
    transformed: &Compiled,
    name: &str,
    args: &[Value],
    tally: &mut Tally,
) -> Result<bool, String> {
    let mut left = match plain.instantiate() {
        Instantiated::Live(left) => left,
        Instantiated::Dead(expected) => {
            let other = transformed.instantiate();
            let equal = matches!(&other, Instantiated::Dead(actual) if *actual == expected);
            if !equal && !expected.is_out_of_fuel() {
                return Err(format!("instantiation: {expected}, transformed: {other}"));
            }
            tally.dead_modules = 1;
            return Ok(false);
        }
    };
    let expected = left.call(name, args);
    if expected.is_out_of_fuel() {
        tally.out_of_fuel += 1;
        return Ok(true);
    }
    let mut right = match transformed.instantiate() {
        Instantiated::Live(right) => right,
        Instantiated::Dead(actual) => return Err(format!("instantiated, transformed: {actual}")),
    };
    let actual = right.call(name, args);
    if expected.is_stack_exhausted() || actual.is_stack_exhausted() {
        tally.out_of_stack += 1;
        return Ok(true);
    }
    if expected != actual {
        return Err(format!("{expected}, transformed: {actual}"));
    }
    if let Some(what) = observe::difference(&mut left, &mut right) {
        return Err(what);
    }
    tally.count(&expected);
    Ok(true)
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
        self.events += other.events;
        self.hooks.add(other.hooks);
        self.out_of_fuel += other.out_of_fuel;
        self.out_of_stack += other.out_of_stack;
        for (fault, count) in other.faulted {
            *self.faulted.entry(fault).or_default() += count;
        }
        self.differences.extend(other.differences);
    }
}
