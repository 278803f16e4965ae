//! How much a run may use, as the command line says it.

use crate::units;
use anyhow::{Context, Result, bail};
use clap::Args;
use coax_execute::{Limits, Test};
use std::time::Duration;

/// How much a run may use.
#[derive(Args)]
pub struct LimitArgs {
    /// Instructions that a run may execute, about [default: 2G]
    #[arg(long, value_name = "COUNT", value_parser = units::count)]
    fuel: Option<u64>,
    /// Time that a run may take; fuel usually ends it first
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "60s")]
    time: Duration,
    /// Memory that the program may have [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    max_memory: Option<u64>,
    /// Stack that the program may have [default: 8M]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    max_stack: Option<u64>,
}

impl LimitArgs {
    /// The limits of each run of a stored test: one that is to use up its fuel gets as much as it was found with, if nobody says otherwise.
    pub fn of_test(&self, limits: &Limits, test: &Test) -> Limits {
        Limits { fuel: self.fuel.or(test.fuel).unwrap_or(limits.fuel), ..limits.clone() }
    }

    /// The limits of each run.
    pub fn limits(&self) -> Result<Limits> {
        let default = Limits::default();
        let stack_bytes = match self.max_stack {
            Some(0) => bail!("`--max-stack` must be more than nothing"),
            Some(bytes) => {
                usize::try_from(bytes).context("`--max-stack` is more than this machine can address")?
            }
            None => default.stack_bytes,
        };
        Ok(Limits {
            fuel: self.fuel.unwrap_or(default.fuel),
            time: Some(self.time),
            memory_bytes: self.max_memory.unwrap_or(default.memory_bytes),
            stack_bytes,
            ..default
        })
    }
}
