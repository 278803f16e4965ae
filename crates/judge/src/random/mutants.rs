//! What the path of a run says of runs on other inputs: modules that call WASI, with anything changed that is a symbol.
//!
//! Nothing here depends on the reference interpreter. The instrumented module must do what the plain one does, on each input; the
//! first condition of a path that fails on a changed input must be the first decision that differs; and if none fails, the
//! run must end in the same way.

use super::Tally;
use super::events::{symbolic_engine, variant};
use super::generate::Random;
use super::observe::Compiled;
use super::services::{inputs, limits};
use crate::prediction::{changed_byte, check_own_input, predict};
use coax_execute::{
    Content, Data, Detail, Error, Input, Outcome, PlainModule, SymbolicModule, SymbolicRun, Symbols, Trap,
    Value, joinable,
};
use coax_program::Program;
use std::collections::BTreeSet;
use std::mem::discriminant;
use wasmtime::Engine;

/// How many changed inputs there are for each.
const MUTANTS: u64 = 4;

/// Compares all runs of one module; the error says what differs.
pub(super) fn compare(engine: &Engine, seed: u64, wasm: &[u8], tally: &mut Tally) -> Result<(), String> {
    let compiled =
        Compiled::plain(engine, wasm).map_err(|error| format!("wasmtime refuses it: {error:#}"))?;
    let program = Program::parse(wasm.to_vec()).map_err(|error| error.to_string())?;
    let joined = if seed.is_multiple_of(2) { joinable(&program, |_| false) } else { BTreeSet::new() };
    let detail = Detail::from(variant(seed)).joining(joined);
    let module = symbolic_engine().module(&program, detail).map_err(|error| error.to_string())?;
    let plain = PlainModule::new(&program, &limits()).map_err(|error| error.to_string())?;
    let judge = Judge { plain, module };
    let mut random = Random::new(seed);
    for input in inputs(&compiled, seed) {
        judge.run(&input, &mut random, tally).map_err(|what| format!("{input:?}: {what}"))?;
    }
    Ok(())
}

struct Judge<'p> {
    plain: PlainModule<'p>,
    module: SymbolicModule<'p>,
}

impl Judge<'_> {
    fn run(&self, input: &Input, random: &mut Random, tally: &mut Tally) -> Result<(), String> {
        let Some((known, expected)) = self.both(input)? else {
            tally.out_of_fuel += 1;
            return Ok(());
        };
        check_own_input(&known, input).map_err(|error| error.to_string())?;
        for _ in 0..MUTANTS {
            let mutant = changed(input, random);
            let differs = |what: String| format!("then {mutant:?}: {what}");
            let Some((other, outcome)) = self.both(&mutant)? else { continue };
            let diverged = predict(&known, &other, &mutant).map_err(|error| differs(error.to_string()))?;
            self.check_outcome(other, &outcome).map_err(differs)?;
            if !diverged && !is_alike(&expected, &outcome) {
                return Err(differs(format!("{expected:?} was predicted, not {outcome:?}")));
            }
        }
        tally.runs += 1;
        tally.events += known.path().events.len() as u64;
        tally.count_end(&expected);
        self.check_outcome(known, &expected)
    }

    /// A symbolic run that printed what the plain one did, and how that ended; none if a limit ended one of them.
    fn both(&self, input: &Input) -> Result<Option<(SymbolicRun, Outcome)>, String> {
        let plain = match self.plain.run(input, &limits()) {
            Ok(run) => run,
            // The module does not even start.
            Err(Error::TooSmall { .. }) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        };
        let run = self.module.run(input, Symbols::default(), &limits()).map_err(|error| error.to_string())?;
        if !plain.bounds.is_empty() || !run.bounds.is_empty() {
            return Ok(None);
        }
        if (&plain.stdout, &plain.stderr) != (&run.stdout, &run.stderr) {
            return Err("the instrumented module prints something else than the plain one".into());
        }
        Ok(Some((run, plain.outcome)))
    }

    /// A symbolic run must have ended as the plain one did.
    fn check_outcome(&self, run: SymbolicRun, plain: &Outcome) -> Result<(), String> {
        let outcome = self.module.outcome(run);
        match is_same(plain, &outcome) {
            true => Ok(()),
            false => Err(format!("plain: {plain:?}, instrumented: {outcome:?}")),
        }
    }
}

/// Whether two runs of one input ended in the same way.
fn is_same(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        // Where in a function a load traps, wasmtime's optimised code does not always know.
        (Outcome::Trapped(one), Outcome::Trapped(other)) => {
            let functions = |trap: &Trap| trap.backtrace.iter().map(|frame| frame.func).collect::<Vec<_>>();
            one.kind == other.kind && functions(one) == functions(other)
        }
        _ => one == other,
    }
}

/// Whether two runs on one path ended in the same way: with other numbers perhaps.
fn is_alike(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (Outcome::Returned(_), _) | (Outcome::UncaughtException(_), _) => {
            discriminant(one) == discriminant(other)
        }
        _ => is_same(one, other),
    }
}

/// Another input: other bytes of standard input, or a file or argument that is another, or a parameter, or several of these.
fn changed(input: &Input, random: &mut Random) -> Input {
    let mut mutant = input.clone();
    for _ in 0..=random.below(2) {
        match random.below(4) {
            0 if !mutant.params.is_empty() => {
                let place = random.below(mutant.params.len());
                if let Content::Number(number) = mutant.params[place].content {
                    mutant.params[place] = changed_value(number.passed(), random).into();
                }
            }
            1 => {
                let place = random.below(mutant.args.len());
                change_argument(&mut mutant.args[place].0, random);
            }
            2 => {
                let place = random.below(mutant.files.len());
                mutant.files.values_mut().nth(place).into_iter().for_each(|data| change_data(data, random));
            }
            _ => change_data(&mut mutant.stdin, random),
        }
    }
    mutant
}

fn changed_value(value: Value, random: &mut Random) -> Value {
    match value {
        Value::I32(number) => Value::I32(number ^ 1 << random.below(32)),
        Value::I64(number) => Value::I64(number ^ 1 << random.below(64)),
        Value::F32(bits) => Value::F32(bits ^ 1 << random.below(32)),
        Value::F64(bits) => Value::F64(bits ^ 1 << random.below(64)),
        other => other,
    }
}

/// Changes a byte or, now and then, how many there are.
fn change_data(data: &mut Data, random: &mut Random) {
    match random.below(6) {
        0 => data.0.truncate(random.below(data.0.len() + 1)),
        1 => data.0.extend((0..=random.below(8)).map(|_| random.next() as u8)),
        _ => change_byte(data, random),
    }
}

/// Changes a letter, or how many there are before the zeros at the end. (How much room there is, is no symbol.)
fn change_argument(bytes: &mut [u8], random: &mut Random) {
    let letters = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    match random.below(4) {
        0 if letters > 0 => bytes[letters - 1] = 0,
        1 if letters < bytes.len() => bytes[letters] = b'x',
        _ if letters > 0 => {
            let place = random.below(letters);
            bytes[place] = changed_byte(bytes[place], random).max(1);
        }
        _ => {}
    }
}

fn change_byte(data: &mut Data, random: &mut Random) {
    if !data.0.is_empty() {
        let place = random.below(data.0.len());
        data.0[place] = changed_byte(data.0[place], random);
    }
}
