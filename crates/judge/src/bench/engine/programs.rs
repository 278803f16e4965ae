//! Whole programs of others, compiled as coax compiles them by default: how long they run, and how long wasmtime
//! needs to compile them.

use super::module::engine;
use super::report::{Report, least, milliseconds, print_head, print_row};
use super::symbolic::NOTHING;
use crate::bench::clock::{Pair, in_turns};
use anyhow::{Context, Result, bail};
use coax_execute::{Data, Input, Limits, PlainModule, SymbolicEngine, Variant, Verdict};
use coax_judge::thirdparty::Table;
use coax_program::Program;
use serde_json::Map;
use std::time::Duration;
use wasmtime::Module;

/// The programs of `scripts/thirdparty.toml`, and what they read.
const PROGRAMS: [(&str, &str); 2] = [("lua", "work.lua"), ("sqlite", "work.sql")];
/// How often each program runs.
const RUNS: usize = 7;
/// How often each program is compiled.
const COMPILATIONS: usize = 3;
/// How often each program is started from the cache: milliseconds, which anything disturbs.
const STARTS: u32 = 20;

/// Runs and compiles the programs, plain and instrumented.
pub(super) fn run(table: &Table, report: &mut Report) -> Result<()> {
    print_head("program");
    let (mut run_ratios, mut compile_ratios, mut warm) = (Map::new(), Map::new(), Map::new());
    for (name, work) in PROGRAMS {
        if !table.is_there(name) {
            eprintln!("note: {name} is not here and so not measured; `scripts/thirdparty {name}` fetches it");
            continue;
        }
        let program = Program::parse(table.load(name, None)?.wasm)?;
        let stdin = std::fs::read(table.repository().join("bench/kernels").join(work)).context(work)?;
        let pair = run_time(&program, &Input { stdin: Data(stdin), ..Input::default() })?;
        run_ratios.insert(name.into(), print_row(&format!("{name}, run"), pair).into());
        let pair = compile_time(&program)?;
        compile_ratios.insert(name.into(), print_row(&format!("{name}, compile"), pair).into());
        let time = (milliseconds(warm_start(&program)?) * 100.0).round() / 100.0;
        warm.insert(name.into(), time.into());
    }
    println!("\n| from the cache of modules | CPU, ms |\n|-|-:|");
    for (name, milliseconds) in &warm {
        println!("| {name} | {milliseconds} |");
    }
    report.put("warm_start_ms", warm);
    report.put("programs", run_ratios);
    report.put("compile", compile_ratios);
    Ok(())
}

fn run_time(program: &Program, input: &Input) -> Result<Pair> {
    let limits = Limits { fuel: u64::MAX >> 8, ..Limits::default() };
    let module = PlainModule::new(program, &limits)?;
    let plain = || -> Result<(Verdict, Vec<u8>)> {
        let run = module.run(input, &limits)?;
        Ok((run.outcome.verdict(), run.stdout))
    };
    let instrumented = SymbolicEngine::new(&limits)?.module(program, Variant::Light)?;
    let ours = || {
        let mut run = instrumented.run(input, NOTHING, &limits)?;
        let stdout = std::mem::take(&mut run.stdout);
        Ok((instrumented.outcome(run).verdict(), stdout))
    };
    in_turns(RUNS, plain, ours)
}

/// What Cranelift needs for the module, plain and instrumented; the instrumenter's own time is part of the latter.
fn compile_time(program: &Program) -> Result<Pair> {
    let engine = engine()?;
    let compile = |wasm: &[u8]| match Module::new(&engine, wasm) {
        Ok(_) => Ok(()),
        Err(error) => bail!("{error:#}"),
    };
    let plain = || compile(&program.wasm);
    let ours = || compile(&coax_execute::instrument(program, Variant::Light)?);
    in_turns(COMPILATIONS, plain, ours)
}

/// What a module needs that was compiled before, from a new engine to a program that can run.
fn warm_start(program: &Program) -> Result<Duration> {
    let directory = tempfile::tempdir()?;
    let limits = Limits::default();
    let start = || -> Result<()> {
        SymbolicEngine::new(&limits)?.with_cache(directory.path()).module(program, Variant::Light)?;
        Ok(())
    };
    start()?;
    least(STARTS, start)
}
