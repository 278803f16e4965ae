//! What answering may cost. Effort is counted, so that runs repeat; the clock only ends what would take too long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a question, or several, may cost.
#[derive(Clone, Debug)]
pub struct Budget {
    effort: u64,
    ends: Option<Instant>,
    cancelled: Option<Arc<AtomicBool>>,
}

/// After how many small steps, each of which takes at most about a microsecond, to look at the clock.
const STEPS_PER_LOOK: u32 = 1024;

/// Counts small steps of one piece of work, for which there is no effort to pay, and looks at the clock now and then.
#[derive(Debug, Default)]
pub(crate) struct Looks(u32);

impl Looks {
    /// Counts a step; whether the clock has run out.
    #[inline]
    pub(crate) fn is_late(&mut self, budget: &Budget) -> bool {
        self.0 += 1;
        self.0.is_multiple_of(STEPS_PER_LOOK) && budget.is_late()
    }

    /// Counts a step; it is an error if the clock has run out.
    #[inline]
    pub(crate) fn look(&mut self, budget: &Budget) -> Result<(), Spent> {
        if self.is_late(budget) { Err(Spent) } else { Ok(()) }
    }
}

/// The budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent;

impl Budget {
    /// So much effort, in units of about a microsecond of a current machine: the same work always costs the same.
    pub fn effort(units: u64) -> Budget {
        Budget { effort: units, ends: None, cancelled: None }
    }

    /// Effort without bounds.
    pub fn unlimited() -> Budget {
        Budget::effort(u64::MAX)
    }

    /// At most so long by the clock, too.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the one place that turns a duration into a point in time")]
    pub fn within(mut self, duration: Duration) -> Budget {
        let end = Instant::now().checked_add(duration);
        self.ends = self.ends.into_iter().chain(end).min();
        self
    }

    /// Until someone sets the flag.
    #[must_use]
    pub fn until(mut self, cancelled: Arc<AtomicBool>) -> Budget {
        self.cancelled = Some(cancelled);
        self
    }

    /// What is left of the effort.
    pub fn left(&self) -> u64 {
        self.effort
    }

    /// How long there is left by the clock; none: as long as it takes.
    #[expect(clippy::disallowed_methods, reason = "the one place that compares with the clock")]
    pub fn time_left(&self) -> Option<Duration> {
        if self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(Duration::ZERO);
        }
        self.ends.map(|end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether the clock has run out or someone cancelled. Costs a look at the clock.
    pub fn is_over(&self) -> bool {
        self.effort == 0 || self.time_left() == Some(Duration::ZERO)
    }

    /// Whether only the clock, or someone, says that it is over. Costs a look at the clock.
    pub(crate) fn is_late(&self) -> bool {
        self.time_left() == Some(Duration::ZERO)
    }

    /// Takes effort away.
    pub fn spend(&mut self, units: u64) -> Result<(), Spent> {
        self.effort = self.effort.saturating_sub(units);
        if self.effort == 0 { Err(Spent) } else { Ok(()) }
    }

    /// A part of it, at most so much effort: what is spent of it must be spent here too, with [`Budget::settle`].
    #[must_use]
    pub fn part(&self, units: u64) -> Budget {
        Budget { effort: units.min(self.effort), ..self.clone() }
    }

    /// Takes away what was spent of a part.
    pub fn settle(&mut self, given: u64, part: &Budget) {
        let spent = given.min(self.effort).saturating_sub(part.effort);
        self.effort = self.effort.saturating_sub(spent);
    }
}
