//! What it costs to begin: a fresh execution of a tiny program, against a native process that does the same.
//!
//! Tools that test native programs start a process for each input (or fork one); that is what an execution here replaces.

use super::report::{Report, least, microseconds};
use super::symbolic::NOTHING;
use crate::bench::clock::cpu_time;
use anyhow::{Context, Result, ensure};
use coax_execute::{Limits, PlainModule, SymbolicModule, Symbols, Variant};
use coax_judge::kernels::{Kernel, TINY};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How many native processes are started.
const PROCESSES: u32 = 1000;
/// How many executions make one measurement.
const EXECUTIONS: u32 = 2000;
/// What the tiny program is given.
const NUMBER: i32 = 0x2041_3761;

/// Measures both.
pub(super) fn run(repository: &Path, report: &mut Report) -> Result<()> {
    println!("\n| one execution of a tiny program | CPU, µs |\n|-|-:|");
    let mut row = |name: &str, what: &str, time: Duration| {
        println!("| {what} | {:.1} |", microseconds(time));
        report.put(name, microseconds(time));
    };
    row("process_us", "a native process, static, started and waited for", native(repository)?);
    let program = TINY.load(repository, None)?;
    let limits = Limits::default();
    let plain = PlainModule::new(&program, &limits)?;
    let input = Kernel::input(NUMBER);
    let time = least(EXECUTIONS, || {
        plain.run(&input, &limits)?;
        Ok(())
    })?;
    row("plain_us", "a plain run, with a thread of its own", time);
    let module = SymbolicModule::new(&program, Variant::Light, &limits)?;
    for (name, what, symbols) in [
        ("concrete_us", "an instrumented run without symbols", NOTHING),
        ("symbolic_us", "an instrumented run whose parameter is a symbol", Symbols::default()),
    ] {
        let time = least(EXECUTIONS, || {
            module.recycle(module.run(&input, symbols, &limits)?);
            Ok(())
        })?;
        row(name, what, time);
    }
    Ok(())
}

/// The CPU time, ours and the child's, of one native process.
fn native(repository: &Path) -> Result<Duration> {
    let directory = tempfile::tempdir()?;
    let (main, binary) = (directory.path().join("main.c"), directory.path().join("tiny"));
    std::fs::write(&main, format!("int run(int);\nint main(void) {{ return run({NUMBER}) & 127; }}\n"))?;
    let source = TINY.source(repository);
    let compiler = Command::new("cc").args(["-O1", "-static", "-o"]).args([&binary, &main, &source]).status();
    let compiled = compiler.context("cannot start the C compiler `cc`; install one (apt-get install gcc)")?;
    ensure!(
        compiled.success(),
        "`cc -static` fails; install the static C library (apt-get install libc6-dev)"
    );
    let start = cpu_time() + children_cpu_time()?;
    for _ in 0..PROCESSES {
        Command::new(&binary).stdin(Stdio::null()).status().context("cannot start the tiny program")?;
    }
    Ok((cpu_time() + children_cpu_time()? - start) / PROCESSES)
}

/// The CPU time of the children that were waited for, in steps of 10 ms: Linux counts it in ticks.
fn children_cpu_time() -> Result<Duration> {
    const TICK: Duration = Duration::from_millis(10);
    let stat = std::fs::read_to_string("/proc/self/stat").context("this benchmark needs Linux")?;
    // The second field, the program's name in parentheses, may hold spaces; `cutime` and `cstime` are the 16th and 17th.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks =
        |index: usize| -> Result<u32> { Ok(fields.get(index).context("short /proc/self/stat")?.parse()?) };
    Ok(TICK * (ticks(13)? + ticks(14)?))
}
