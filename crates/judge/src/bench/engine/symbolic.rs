//! What the symbolic side costs once there are symbols: time for each operation, and memory for each term.

use super::report::{Report, least};
use crate::bench::memory::resident_bytes;
use anyhow::{Result, ensure};
use coax_execute::{Limits, SymbolicModule, SymbolicRun, Symbols, Variant};
use coax_judge::kernels::{Kernel, SYMBOLIC, TINY};
use std::path::Path;
use std::time::Duration;

/// Rounds of the loop in `symbolic.c`, and its operators that depend on the parameter in each.
const OPERATIONS: u32 = 1000 * 5;
/// How many runs make one measurement.
const RUNS: u32 = 100;
/// What the program is given.
const NUMBER: i32 = 12345;
/// How many runs are kept at the same time to see what one takes.
const KEPT_RUNS: u32 = 50;
/// How many runs must not need more memory than a few.
const MANY_RUNS: u32 = 1_000_000;

/// Measures time.
pub(super) fn run(repository: &Path, report: &mut Report) -> Result<()> {
    println!("\n| with symbols | |\n|-|-:|");
    operations(repository, report)?;
    many_runs(repository, report)
}

/// The time that each symbolic operation adds to a run without symbols.
fn operations(repository: &Path, report: &mut Report) -> Result<()> {
    let program = SYMBOLIC.load(repository, None)?;
    let limits = Limits::default();
    let module = SymbolicModule::new(&program, Variant::Light, &limits)?;
    let input = Kernel::input(NUMBER);
    let time = |symbols: Symbols| {
        least(RUNS, || {
            module.recycle(module.run(&input, symbols, &limits)?);
            Ok(())
        })
    };
    let each = time(Symbols::default())?.saturating_sub(time(NOTHING)?) / OPERATIONS;
    println!("| each symbolic operation, {OPERATIONS} in a run, ns | {} |", each.as_nanos());
    report.put("symbolic_op_ns", each.as_nanos() as u64);
    Ok(())
}

/// How much memory a run takes for each of its terms. To be called first: memory that was used before would be used again.
pub(super) fn memory(repository: &Path, report: &mut Report) -> Result<()> {
    let program = SYMBOLIC.load(repository, None)?;
    let limits = Limits::default();
    let module = SymbolicModule::new(&program, Variant::Light, &limits)?;
    let run = || module.run(&Kernel::input(NUMBER), Symbols::default(), &limits);
    let first = run()?;
    let before = resident_bytes()?;
    let kept: Vec<SymbolicRun> = (0..KEPT_RUNS).map(|_| run()).collect::<Result<_, _>>()?;
    let each = resident_bytes()?.saturating_sub(before) / u64::from(KEPT_RUNS);
    let terms = first.terms().len() as u64;
    ensure!(terms > u64::from(OPERATIONS) / 2, "a run with a symbol made only {terms} terms");
    println!("\n{terms} terms of a run take {} kB, {} bytes each.", each / 1000, each / terms);
    report.put("bytes_per_term", each / terms);
    drop(kept);
    Ok(())
}

/// Nothing of the input is a symbol.
pub(super) const NOTHING: Symbols = Symbols::NONE;

/// How much the process grows over very many runs, after the first hundredth of them.
fn many_runs(repository: &Path, report: &mut Report) -> Result<()> {
    let program = TINY.load(repository, None)?;
    let limits = Limits::default();
    let module = SymbolicModule::new(&program, Variant::Light, &limits)?;
    let mut number = 1;
    let mut some = |count: u32| -> Result<()> {
        for _ in 0..count {
            number = i32::wrapping_add(i32::wrapping_mul(number, 1_664_525), 1_013_904_223);
            module.recycle(module.run(&Kernel::input(number), Symbols::default(), &limits)?);
        }
        Ok(())
    };
    some(MANY_RUNS / 100)?;
    let before = resident_bytes()?;
    let (time, result) = crate::bench::clock::cpu_time_of(|| some(MANY_RUNS));
    result?;
    let grown = resident_bytes()?.saturating_sub(before);
    let each: Duration = time / MANY_RUNS;
    println!("| growth of the process over {MANY_RUNS} runs, kB | {} |", grown / 1000);
    println!("| each of them, µs | {:.1} |", each.as_secs_f64() * 1e6);
    report.put("million_runs_growth_kb", grown / 1000);
    Ok(())
}
