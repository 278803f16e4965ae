//! WASI: the sandbox's functions against wasmtime's own, call by call.
//!
//! A scenario is a sequence of calls. Each call has a memory of its own, which both sides are given; then both must answer the
//! same and leave the same bytes. What belongs to a host is not compared ([`compare`]); where the sandbox answers otherwise on
//! purpose, it says why ([`compare::purpose`]).

mod call;
mod compare;
mod matrix;
mod oracle;
mod sequence;

use crate::random::Random;
use call::Call;
use coax_execute::{Left, Limits, Sandbox, Value};
use oracle::Wasmtime;
use std::collections::BTreeMap;

/// What was compared.
#[derive(Debug, Default)]
pub struct Tally {
    /// Sequences of calls.
    pub scenarios: u64,
    /// Calls.
    pub calls: u64,
    /// Answers, by error number; 0 is success.
    pub errnos: BTreeMap<i32, u64>,
    /// Calls that trapped, on both sides.
    pub traps: u64,
    /// Scenarios that ended early, where the sandbox differs on purpose.
    pub on_purpose: BTreeMap<&'static str, u64>,
    /// What must not be.
    pub differences: Vec<String>,
}

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Errno(i32),
    Exited(u32),
    Trapped,
}

/// Compares the table of scenarios (every path and descriptor of a small world with every function), or one of so many of them,
/// then random ones.
pub fn judge(one_of: usize, random_scenarios: u64, seed: u64) -> anyhow::Result<Tally> {
    let wasmtime = Wasmtime::new()?;
    let mut tally = Tally::default();
    for scenario in matrix::scenarios().into_iter().step_by(one_of) {
        compare_scenario(&wasmtime, &scenario, &mut tally)?;
    }
    for index in 0..random_scenarios {
        let mut random = Random::new(seed.wrapping_add(index));
        compare_scenario(&wasmtime, &sequence::random(&mut random), &mut tally)?;
    }
    Ok(tally)
}

fn compare_scenario(wasmtime: &Wasmtime, scenario: &[Call], tally: &mut Tally) -> anyhow::Result<()> {
    let input = matrix::input();
    let mut oracle = wasmtime.start(&input)?;
    let mut sandbox = Sandbox::new(&input, &Limits { written_bytes: 1 << 24, ..Limits::default() })?;
    tally.scenarios += 1;
    for (index, call) in scenario.iter().enumerate() {
        let (mut ours, mut theirs) = (call.memory(), call.memory());
        let answer = sandbox_call(&mut sandbox, call, &mut ours);
        let expected = oracle.call(call, &mut theirs)?;
        if let Some(purpose) = compare::purpose(call, answer, expected) {
            *tally.on_purpose.entry(purpose).or_default() += 1;
            return Ok(());
        }
        tally.calls += 1;
        match answer {
            Answer::Errno(errno) => *tally.errnos.entry(errno).or_default() += 1,
            Answer::Trapped => tally.traps += 1,
            Answer::Exited(_) => {}
        }
        let difference = compare::difference(call, (answer, &mut ours), (expected, &mut theirs));
        if let Some(difference) = difference {
            let calls: Vec<String> = scenario[..=index].iter().map(Call::to_string).collect();
            tally.differences.push(format!("{difference}\n  {}", calls.join("\n  ")));
            return Ok(());
        }
    }
    if sandbox.take_output() != oracle.output() {
        let calls: Vec<String> = scenario.iter().map(Call::to_string).collect();
        tally.differences.push(format!("other output\n  {}", calls.join("\n  ")));
    }
    Ok(())
}

fn sandbox_call(sandbox: &mut Sandbox, call: &Call, memory: &mut [u8]) -> Answer {
    match sandbox.call(call.name, &call.args, memory).as_deref() {
        Ok([Value::I32(errno)]) => Answer::Errno(*errno),
        Err(Left::Exited(code)) => Answer::Exited(*code),
        _ => Answer::Trapped,
    }
}
