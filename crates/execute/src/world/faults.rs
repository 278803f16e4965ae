//! Reads and writes that go wrong, because the input says so.

use super::Errno;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a read or write goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Hash)]
#[serde(rename_all = "kebab-case")]
pub enum IoFault {
    /// Only about half of what was asked for is done.
    Short = 1,
    /// It fails: the device is broken.
    Io = 2,
    /// A write fails for lack of space; a read as if the device were broken.
    NoSpace = 3,
}

/// The reads and writes of a run.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    given: BTreeMap<u64, IoFault>,
    /// How many there were.
    calls: u64,
}

impl Faults {
    pub(crate) fn new(given: &BTreeMap<u64, IoFault>) -> Self {
        Faults { given: given.clone(), calls: 0 }
    }

    /// How many there were.
    pub(crate) fn calls(&self) -> u64 {
        self.calls
    }

    /// A read or write begins: its number, from 1, and how it is to go wrong.
    pub(crate) fn next(&mut self) -> (u64, Option<IoFault>) {
        self.calls += 1;
        (self.calls, self.given.get(&self.calls).copied())
    }
}

impl IoFault {
    /// The fault that a symbol with this value stands for; none: all goes well.
    pub(crate) fn from_number(number: u64) -> Option<IoFault> {
        [IoFault::Short, IoFault::Io, IoFault::NoSpace].into_iter().find(|&fault| fault as u64 == number)
    }

    /// How many bytes are done of so many.
    pub(crate) fn apply(self, length: u32, is_write: bool) -> Result<u32, Errno> {
        match self {
            IoFault::Short => Ok(length.div_ceil(2)),
            IoFault::NoSpace if is_write => Err(Errno::NoSpace),
            IoFault::Io | IoFault::NoSpace => Err(Errno::Io),
        }
    }
}
