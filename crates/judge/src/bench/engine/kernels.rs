//! How much slower concrete code is when it is instrumented: one kind of work a kernel.

use super::module::{Callable, engine};
use super::report::{Report, print_head, print_row};
use crate::bench::clock::in_turns;
use crate::bench::geomean;
use anyhow::{Context, Result, ensure};
use coax_execute::Variant;
use coax_judge::kernels::{KERNELS, Kernel};
use serde_json::Map;
use std::path::Path;
use wasmtime::Engine;

/// How often each kernel runs.
const REPETITIONS: usize = 15;

/// Runs all kernels, plain and instrumented; `geomean` is the mean of their ratios.
pub(super) fn run(repository: &Path, report: &mut Report) -> Result<()> {
    let engine = engine()?;
    print_head("kernel");
    let mut ratios = Vec::new();
    let mut rows = Map::new();
    for kernel in KERNELS {
        let ratio = compare(&engine, repository, kernel).with_context(|| kernel.name)?;
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

fn compare(engine: &Engine, repository: &Path, kernel: Kernel) -> Result<f64> {
    let program = kernel.load(repository, None)?;
    let mut plain = Callable::new(engine, &program.wasm)?;
    let mut ours = Callable::new(engine, &coax_execute::instrument(&program, Variant::Light)?)?;
    ensure!(plain.call(kernel.rounds)? == kernel.result, "a native build returns {}", kernel.result);
    let pair = in_turns(REPETITIONS, || plain.call(kernel.rounds), || ours.call(kernel.rounds))?;
    Ok(print_row(kernel.name, pair))
}
