//! Which limits a run met, and the counting of what it uses.
//!
//! A growth that is refused here looks to the program like one that failed for lack of memory, which
//! wasm allows at any time; the run says so in its [`Bounds`].

use crate::Limits;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use wasmtime::ResourceLimiter;

/// A limit that a run may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// [`Limits::fuel`]: the run ended there.
    Fuel,
    /// [`Limits::time`]: the run ended there.
    Time,
    /// [`Limits::stack_bytes`]: the run ended there.
    Stack,
    /// [`Limits::memory_bytes`]: a `memory.grow` was refused.
    Memory,
    /// [`Limits::table_elements`]: a `table.grow` was refused.
    Table,
    /// [`Limits::written_bytes`] or [`Limits::file_bytes`]: a write was refused.
    Written,
    /// [`Limits::captured_bytes`]: output was dropped, the program did not notice.
    Captured,
    /// [`Limits::terms`]: the symbolic run ended there.
    Terms,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Fuel => "fuel",
            Bound::Time => "time",
            Bound::Stack => "stack",
            Bound::Memory => "memory",
            Bound::Table => "table",
            Bound::Written => "written",
            Bound::Captured => "captured",
            Bound::Terms => "terms",
        })
    }
}

/// The error with which the host ends a run at a limit that wasmtime knows nothing of.
#[derive(Debug, thiserror::Error)]
#[error("the run met a limit: {0}")]
pub(crate) struct EndedAt(pub(crate) Bound);

/// How often each limit was met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds(BTreeMap<Bound, u64>);

impl Bounds {
    /// Notes that a limit was met once more.
    pub fn hit(&mut self, bound: Bound) {
        *self.0.entry(bound).or_default() += 1;
    }

    /// A limit was not met after all.
    pub(crate) fn forget(&mut self, bound: Bound) {
        self.0.remove(&bound);
    }

    /// How often this limit was met.
    pub fn hits(&self, bound: Bound) -> u64 {
        self.0.get(&bound).copied().unwrap_or(0)
    }

    /// The limits that were met, with how often.
    pub fn iter(&self) -> impl Iterator<Item = (Bound, u64)> + '_ {
        self.0.iter().map(|(&bound, &hits)| (bound, hits))
    }

    /// Whether no limit was met.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What a running program has used, against what it may use.
pub(crate) struct Usage {
    pub(crate) bounds: Bounds,
    /// The last growth that was refused: what it would have led to, and the limit.
    pub(crate) refused: Option<(Bound, u64, u64)>,
    /// Whether what grows now is coax's own, and does not count.
    pub(crate) is_ours: bool,
    memory: Account,
    table: Account,
}

/// How much of one thing is used and how much is allowed.
struct Account {
    used: u64,
    limit: u64,
}

impl Account {
    /// Takes `more` if that is within the limit.
    fn take(&mut self, more: u64) -> bool {
        let used = self.used.saturating_add(more);
        let fits = used <= self.limit;
        if fits {
            self.used = used;
        }
        fits
    }
}

impl Usage {
    /// Nothing used yet. `own_memory` bytes of memory are coax's own and come on top of the limit.
    pub(crate) fn new(limits: &Limits, own_memory: u64) -> Self {
        let account = |limit| Account { used: 0, limit };
        Usage {
            bounds: Bounds::default(),
            refused: None,
            is_ours: false,
            memory: account(limits.memory_bytes.saturating_add(own_memory)),
            table: account(limits.table_elements),
        }
    }

    /// How much memory is used.
    pub(crate) fn memory_used(&self) -> u64 {
        self.memory.used
    }

    /// So much memory is used from the beginning.
    pub(crate) fn has_used(&mut self, bytes: u64) {
        self.memory.used = bytes;
    }

    fn may_grow(&mut self, bound: Bound, current: usize, desired: usize, maximum: Option<usize>) -> bool {
        // A growth past the declared maximum fails by wasm's own rules: not a limit of ours.
        if maximum.is_some_and(|maximum| desired > maximum) {
            return false;
        }
        if self.is_ours {
            return true;
        }
        let more = desired.saturating_sub(current) as u64;
        let account = if bound == Bound::Memory { &mut self.memory } else { &mut self.table };
        let may = account.take(more);
        if !may {
            self.refused = Some((bound, account.used.saturating_add(more), account.limit));
            self.bounds.hit(bound);
        }
        may
    }
}

impl ResourceLimiter for Usage {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(self.may_grow(Bound::Memory, current, desired, maximum))
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        Ok(self.may_grow(Bound::Table, current, desired, maximum))
    }
}
