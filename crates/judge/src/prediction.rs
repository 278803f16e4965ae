//! What a path is for: it says where other inputs go.
//!
//! A program runs with part of its standard input symbolic. It must do what it does plain; the path must hold on its own
//! input; and on mutated inputs the first condition that fails must be the first decision that differs.

use crate::random::Random;
use anyhow::{Result, anyhow, bail, ensure};
use coax_execute::{
    Detail, Event, EventKind, Input, Limits, PlainModule, Run, SymbolicModule, SymbolicRun, Symbols, Variant,
    joinable,
};
use coax_program::Program;
use coax_term::Evaluator;
use rayon::prelude::*;

/// How many bytes of standard input are symbols unless a program says otherwise: enough to decide much, little enough that terms
/// stay small.
pub const SYMBOLIC_BYTES: u64 = 48;

/// What was predicted of one program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Predictions {
    /// How many bytes of the input were symbols.
    pub symbols: usize,
    /// The length of the path.
    pub decisions: usize,
    /// How many mutated inputs were run.
    pub mutants: usize,
    /// How many of them took another path.
    pub diverged: usize,
}

/// Judges the path of a program on an input, of which the first so many bytes are symbols, by so many mutants of these.
pub fn judge(program: &Program, input: &Input, symbolic: u64, mutants: usize) -> Result<Predictions> {
    let limits = Limits::default();
    let plain = PlainModule::new(program, &limits)?.run(input, &limits)?;
    // Once with the ways of all functions joined where that is possible, once without.
    let joined = Detail::from(Variant::Light).joining(joinable(program, |_| false));
    judge_module(SymbolicModule::new(program, joined, &limits)?, input, symbolic, mutants, &plain)?;
    judge_module(SymbolicModule::new(program, Variant::Light, &limits)?, input, symbolic, mutants, &plain)
}

fn judge_module(
    module: SymbolicModule<'_>,
    input: &Input,
    symbolic: u64,
    mutants: usize,
    plain: &Run,
) -> Result<Predictions> {
    let limits = Limits::default();
    let symbols = Symbols { stdin: symbolic, ..Symbols::NONE };
    crate::on_large_stacks(|| {
        let run = module.run(input, symbols, &limits)?;
        ensure!(run.stdout == plain.stdout, "the output differs from that of the plain run");
        check_own_input(&run, input)?;
        let symbols_in_use = input.stdin.0.len().min(symbolic as usize);
        let decisions = run.path().events.len();
        ensure!(decisions > 0 && symbols_in_use > 0, "nothing depends on the input");
        let mutants = (0..mutants).into_par_iter().map(|number| {
            let mutant = mutate(input, symbols_in_use, number as u64);
            let other = module.run(&mutant, symbols, &limits)?;
            let diverged =
                predict(&run, &other, &mutant).map_err(|error| anyhow!("mutant {number}: {error}"));
            module.recycle(other);
            diverged
        });
        let diverged = mutants.collect::<Result<Vec<bool>>>()?;
        Ok(Predictions {
            symbols: symbols_in_use,
            decisions,
            mutants: diverged.len(),
            diverged: diverged.into_iter().filter(|&diverged| diverged).count(),
        })
    })
}

/// The conditions of a path hold on the input that it was recorded on.
pub(crate) fn check_own_input(run: &SymbolicRun, input: &Input) -> Result<()> {
    let model = run.model(input);
    let mut evaluator = Evaluator::new();
    for event in &run.path().events {
        let holds = evaluator.eval(run.terms(), &model, event.condition) == 1;
        ensure!(holds, "{event:?} does not hold on its own input");
    }
    Ok(())
}

/// The input with one to three of the symbolic bytes changed.
fn mutate(input: &Input, symbolic: usize, number: u64) -> Input {
    let mut random = Random::new(number);
    let mut mutant = input.clone();
    for _ in 0..=random.below(3) {
        let place = random.below(symbolic);
        let byte = &mut mutant.stdin.0[place];
        *byte = changed_byte(*byte, &mut random);
    }
    mutant
}

/// Another byte, often one that is near.
pub(crate) fn changed_byte(byte: u8, random: &mut Random) -> u8 {
    match random.below(3) {
        0 => byte.wrapping_add(1),
        1 => byte ^ (1 << random.below(8)),
        _ => random.next() as u8,
    }
}

/// Compares a run on another input with what the path says of it; whether it took another path.
pub(crate) fn predict(known: &SymbolicRun, other: &SymbolicRun, input: &Input) -> Result<bool> {
    let model = known.model(input);
    let mut evaluator = Evaluator::new();
    let (events, others) = (&known.path().events, &other.path().events);
    for (place, event) in events.iter().enumerate() {
        let holds = evaluator.eval(known.terms(), &model, event.condition) == 1;
        let Some(theirs) = others.get(place) else { bail!("event {place} {event:?} should have happened") };
        ensure!(event.at == theirs.at, "event {place} {event:?}, but {theirs:?}");
        let same = decision(event) == decision(theirs);
        ensure!(same == holds, "event {place} {event:?}, holds: {holds}, but {theirs:?}");
        let same_term = known.terms().hash(event.condition) == other.terms().hash(theirs.condition);
        ensure!(!holds || same_term, "event {place} {event:?} has another condition");
        if !holds && event.constrains() {
            return Ok(true);
        }
    }
    ensure!(events.len() == others.len(), "decisions go on after all {} that were predicted", events.len());
    let (said, says) = (said(known), said(other));
    ensure!(said == says, "no decision is another, but the program said {says:?} instead of {said:?}");
    Ok(false)
}

/// What a program asked for and which labels it reached: if that depends on the input, a decision must say so.
fn said(run: &SymbolicRun) -> Vec<&str> {
    let names = run.asked.requests.iter().map(|request| request.name.as_str());
    names.chain(run.asked.labels.iter().map(String::as_str)).collect()
}

/// The decision without the numbers of terms.
fn decision(event: &Event) -> Result<EventKind, u64> {
    match event.kind {
        EventKind::Concretised { value, .. } => Err(value),
        kind => Ok(kind),
    }
}
