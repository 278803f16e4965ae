//! What each place gets of the effort and the time that there are for all: a part of its own, and what those before it have left over.
//!
//! So a hard one takes nothing away from easy ones behind it. Where the parts would be too small to be of use, the last ones get nothing this time; they
//! come first the next time.

use super::prove::Effort;
use crate::commands::cover::watch::Alarm;
use coax_search::Stop;
use std::time::{Duration, Instant};

/// Less is of no use.
const LEAST: Effort = Effort { segments: 100, effort: 20_000 };
const LEAST_TIME: Duration = Duration::from_millis(20);

/// What there is for all places that wait.
pub struct Shares<'a> {
    left: Effort,
    /// When the time for all is over, if the clock decides how much is done.
    end: Option<Instant>,
    waiting: u64,
    stop: &'a Stop,
}

/// The part of one place.
pub struct Share {
    pub effort: Effort,
    /// Rings when its time is over, or when the search ends.
    pub alarm: Alarm,
}

impl<'a> Shares<'a> {
    /// So much for so many.
    #[expect(clippy::disallowed_methods, reason = "the forward search wants its part of the time")]
    pub fn new(all: Effort, time: Option<Duration>, waiting: usize, stop: &'a Stop) -> Shares<'a> {
        Shares { left: all, end: time.map(|time| Instant::now() + time), waiting: waiting as u64, stop }
    }

    /// The part of the next one, if there is any left.
    #[expect(clippy::disallowed_methods, reason = "the forward search wants its part of the time")]
    pub fn next(&mut self) -> Option<Share> {
        let waiting = self.waiting.max(1);
        self.waiting = waiting - 1;
        let part = |left: u64, least: u64| (left / waiting).max(least).min(left);
        let effort = Effort {
            segments: part(self.left.segments, LEAST.segments),
            effort: part(self.left.effort, LEAST.effort),
        };
        let time = self.end.map(|end| {
            let left = end.saturating_duration_since(Instant::now());
            let part = left / u32::try_from(waiting).unwrap_or(u32::MAX);
            part.max(LEAST_TIME).min(left)
        });
        let is_some = !effort.is_used_up() && time != Some(Duration::ZERO) && self.stop.reason().is_none();
        is_some.then(|| Share { effort, alarm: Alarm::after(self.stop, time) })
    }

    /// One has used so much.
    pub fn take(&mut self, used: Effort) {
        self.left.take(used.segments, used.effort);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each of so many gets if they use so much.
    fn efforts(all: u64, uses: &[u64]) -> Vec<Option<u64>> {
        let stop = Stop::default();
        let all = Effort { segments: 1_000_000, effort: all };
        let mut shares = Shares::new(all, None, uses.len(), &stop);
        let mut one = |&used: &u64| {
            let share = shares.next()?;
            shares.take(Effort { segments: 1, effort: used });
            Some(share.effort.effort)
        };
        uses.iter().map(&mut one).collect()
    }

    #[test]
    fn each_has_its_part_and_what_is_left_over() {
        assert_eq!(efforts(300_000, &[100_000, 100_000, 100_000]), [Some(100_000); 3]);
        assert_eq!(efforts(300_000, &[100_000, 0, 0]), [Some(100_000), Some(100_000), Some(200_000)]);
        assert_eq!(efforts(300_000, &[300_000]), [Some(300_000)]);
    }

    #[test]
    fn parts_that_are_too_small_are_not_made() {
        assert_eq!(efforts(50_000, &[20_000; 4]), [Some(20_000), Some(20_000), Some(10_000), None]);
    }

    #[test]
    fn nobody_begins_when_the_search_is_over() {
        let stop = Stop::default();
        let mut shares = Shares::new(Effort::FIRST, None, 2, &stop);
        assert!(shares.next().is_some());
        stop.now(coax_search::StopReason::Interrupted);
        assert!(shares.next().is_none());
    }
}
