//! Modules that call WASI, in both engines: the same path, the same output, the same end.
//!
//! Everything that can be a symbol is one: parameters, standard input, arguments, files, and how long these are.

use super::events::{self, compare_events, read_again, symbolic_engine, variant};
use super::generate::Random;
use super::observe::{Callee, Compiled, FUEL};
use super::{Sabotage, Tally, VECTORS};
use crate::engines::agree;
use coax_execute::reference::Stop;
use coax_execute::{Data, Error, Input, Limits, Outcome, SymbolicModule, Symbols, reference_run};
use coax_program::Program;
use std::sync::Arc;
use wasmtime::Engine;

/// A run may take so many steps in the reference interpreter.
const STEPS: u64 = 200_000;
/// Standard input is shorter than this.
const MAX_STDIN: usize = 30;

/// Compares all runs of one module; the error says what differs.
pub(super) fn compare(
    engine: &Engine,
    seed: u64,
    wasm: &[u8],
    sabotage: Sabotage,
    tally: &mut Tally,
) -> Result<(), String> {
    let plain = Compiled::plain(engine, wasm).map_err(|error| format!("wasmtime refuses it: {error:#}"))?;
    let program = Arc::new(Program::parse(wasm.to_vec()).map_err(|error| error.to_string())?);
    let instrumented = (sabotage.module)(wasm).map_err(|error| error.to_string())?;
    let instrumented = Program::parse(instrumented).map_err(|error| error.to_string())?;
    let variant = variant(seed);
    let module = symbolic_engine().module(&instrumented, variant).map_err(|error| error.to_string())?;
    for input in inputs(&plain, seed) {
        compare_run(&program, &module, &input, sabotage, tally)
            .map_err(|what| format!("{input:?}, variant {variant:?}: {what}"))?;
    }
    Ok(())
}

/// The inputs that the functions of a module are run on.
pub(super) fn inputs(plain: &Compiled, seed: u64) -> Vec<Input> {
    let mut random = Random::new(seed);
    let functions = plain.functions();
    let input = |function: &Callee, random: &mut Random| {
        let params = function.arguments(random).into_iter().map(|arg| events::param(arg).map(Into::into));
        let params = params.collect::<Option<_>>()?;
        Some(Input { entry: Some(function.name.clone()), params, ..world(random) })
    };
    functions.iter().flat_map(|function| [function; VECTORS]).filter_map(|f| input(f, &mut random)).collect()
}

/// Everything but the function and its parameters.
pub(super) fn world(random: &mut Random) -> Input {
    let mut data = |limit: usize| Data((0..random.below(limit)).map(|_| random.next() as u8).collect());
    let (stdin, file, other) = (data(MAX_STDIN), data(20), data(20));
    let files = [("a", file), ("b", other.clone()), ("d/a", other)];
    Input {
        stdin,
        files: files.into_iter().map(|(path, data)| (path.to_string(), data)).collect(),
        args: [&b"one"[..], b"two\0\0"].map(|argument| Data(argument.to_vec())).into(),
        env: [("KEY".to_string(), "value".to_string())].into(),
        seed: random.next(),
        ..Input::default()
    }
}

pub(super) fn limits() -> Limits {
    // Runs pay for each call of WASI. Terms must not grow without end.
    Limits { fuel: 20 * FUEL, terms: 400_000, ..events::limits() }
}

/// Whether a program imports nothing but functions of WASI.
pub(super) fn are_all_known(program: &Program) -> bool {
    program.imports.iter().all(|import| import.module == "wasi_snapshot_preview1")
}

fn compare_run(
    program: &Arc<Program>,
    module: &SymbolicModule<'_>,
    input: &Input,
    sabotage: Sabotage,
    tally: &mut Tally,
) -> Result<(), String> {
    let symbols = Symbols::default();
    let run = match module.run(input, symbols, &limits()) {
        Ok(run) => run,
        // The module does not even start.
        Err(Error::TooSmall { .. }) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    if !run.bounds.is_empty() {
        tally.out_of_fuel += 1;
        return Ok(());
    }
    let known =
        reference_run(program, input, symbols, &limits(), STEPS).map_err(|error| error.to_string())?;
    if matches!(known.ending, Err(Stop::OutOfSteps | Stop::StackExhausted)) {
        tally.out_of_fuel += 1;
        return Ok(());
    }
    let (mut path, mut terms) = (run.path().clone(), run.terms().clone());
    (sabotage.path)(&mut path, &mut terms);
    compare_events(&known.path().events, known.terms(), &path.events, &terms)?;
    if known.path().write(known.terms()) != read_again(&path, &terms)? {
        return Err("the terms have the same hashes, but are not the same".into());
    }
    if (&run.stdout, &run.stderr) != (&known.stdout, &known.stderr) {
        return Err("the engines print different things".into());
    }
    let outcome = module.outcome(run);
    if !agree(&known.ending, &outcome) {
        return Err(format!("reference: {:?}, instrumented: {outcome:?}", known.ending));
    }
    tally.runs += 1;
    tally.events += path.events.len() as u64;
    tally.count_end(&outcome);
    Ok(())
}

impl Tally {
    /// Counts how a run ended.
    pub(super) fn count_end(&mut self, outcome: &Outcome) {
        let fault = match outcome {
            Outcome::Returned(_) => {
                self.returned += 1;
                return;
            }
            Outcome::Exited(_) => "exited".into(),
            Outcome::Trapped(trap) => format!("trap: {:?}", trap.kind),
            Outcome::UncaughtException(_) => "uncaught exception".into(),
            _ => "a limit".into(),
        };
        *self.faulted.entry(fault).or_default() += 1;
    }
}
