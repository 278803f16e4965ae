//! How much slower concrete code is when it is instrumented: one kind of work a kernel.

use super::report::{Report, print_head, print_row};
use crate::bench::clock::in_turns;
use crate::bench::geomean;
use anyhow::{Context, Result, bail, ensure};
use coax_execute::{Limits, Outcome, PlainModule, Value};
use coax_judge::kernels::{KERNELS, Kernel};
use serde_json::Map;
use std::path::Path;

/// How often each kernel runs.
const REPETITIONS: usize = 15;

/// Runs all kernels, plain and instrumented; `geomean` is the mean of their ratios.
pub(super) fn run(repository: &Path, report: &mut Report) -> Result<()> {
    print_head("kernel");
    let mut ratios = Vec::new();
    let mut rows = Map::new();
    for kernel in KERNELS {
        let ratio = compare(repository, kernel).with_context(|| kernel.name)?;
        ratios.push(ratio);
        rows.insert(kernel.name.into(), ratio.into());
    }
    let mean = geomean(&ratios);
    println!("| **geometric mean** | | | **{mean:.2}** |");
    report.put("geomean", mean);
    report.put("worst", ratios.iter().copied().fold(0.0, f64::max));
    report.put("kernels", rows);
    Ok(())
}

fn compare(repository: &Path, kernel: Kernel) -> Result<f64> {
    let program = kernel.load(repository, None)?;
    let limits = Limits { fuel: u64::MAX >> 1, ..Limits::default() };
    let input = Kernel::input(kernel.rounds);
    let module = PlainModule::new(&program, &limits)?;
    let plain = || {
        let result = returned(&module.run(&input, &limits)?.outcome)?;
        ensure!(result == kernel.result, "it returns {result}, a native build {}", kernel.result);
        Ok(result)
    };
    let pair = in_turns(REPETITIONS, plain, plain)?;
    Ok(print_row(kernel.name, pair))
}

fn returned(outcome: &Outcome) -> Result<i32> {
    match outcome {
        Outcome::Returned(values) if let [Value::I32(result)] = values[..] => Ok(result),
        other => bail!("it {} instead of returning a checksum", other.verdict()),
    }
}
