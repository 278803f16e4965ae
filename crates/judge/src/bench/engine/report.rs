//! What the sections have measured: tables for people at once, one JSON object for programs in the end.

use crate::bench::clock::{Pair, cpu_time_of};
use anyhow::Result;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// The numbers of a benchmark.
pub(super) struct Report {
    numbers: Map<String, Value>,
}

impl Report {
    /// An empty report.
    pub(super) fn new(bench: &str) -> Report {
        Report { numbers: Map::from_iter([("bench".into(), json!(bench))]) }
    }

    /// Keeps a number under a name.
    pub(super) fn put(&mut self, name: &str, value: impl Into<Value>) {
        self.numbers.insert(name.into(), value.into());
    }

    /// Prints everything in one line.
    pub(super) fn print_json(self) {
        println!("{}", Value::Object(self.numbers));
    }
}

/// Prints the head of a table that compares two times.
pub(super) fn print_head(what: &str) {
    println!("\n| {what} | plain, ms | instrumented, ms | ratio |\n|-|-:|-:|-:|");
}

/// Prints a row of such a table; gives the ratio.
pub(super) fn print_row(name: &str, pair: Pair) -> f64 {
    let [plain, ours] = [pair.plain, pair.ours].map(milliseconds);
    println!("| {name} | {plain:.1} | {ours:.1} | {:.2} |", pair.ratio());
    pair.ratio()
}

/// A time in ms.
pub(super) fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A time in µs.
pub(super) fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// The least CPU time of one execution: so many make one measurement, of which there are a few.
pub(super) fn least(executions: u32, mut execute: impl FnMut() -> Result<()>) -> Result<Duration> {
    const MEASUREMENTS: usize = 5;
    let mut least = Duration::MAX;
    for _ in 0..MEASUREMENTS {
        let (time, result) = cpu_time_of(|| (0..executions).try_for_each(|_| execute()));
        result?;
        least = least.min(time / executions);
    }
    Ok(least)
}
