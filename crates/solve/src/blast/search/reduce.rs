//! Forgetting: half of the learnt clauses now and then, those whose literals are of most levels (Audemard and Simon, 2009).

use super::{HEADER, NOWHERE, Place, Search};

/// Conflicts until the first time, and how many more each time.
const FIRST: u64 = 2000;
const MORE: u64 = 500;

/// Clauses whose literals are of so few levels are kept.
const FEW_LEVELS: u32 = 2;

impl Search {
    pub(super) fn reduce_if_due(&mut self) {
        if self.until_reduction > 0 {
            return;
        }
        self.until_reduction = FIRST + MORE * self.reductions;
        self.reductions += 1;
        if self.reductions > 1 {
            self.reduce();
        }
    }

    fn reduce(&mut self) {
        let levels = |clauses: &[u32], place: Place| clauses[place as usize + 1];
        let mut by_use: Vec<(u32, std::cmp::Reverse<Place>)> = self
            .learnt
            .iter()
            .map(|&place| (levels(&self.clauses, place), std::cmp::Reverse(place)))
            .collect();
        by_use.sort_unstable();
        let mut dropped: Vec<Place> = by_use[by_use.len() / 2..]
            .iter()
            .filter(|(levels, place)| *levels > FEW_LEVELS && !self.is_reason(place.0))
            .map(|(_, place)| place.0)
            .collect();
        dropped.sort_unstable();
        self.compact(&dropped);
    }

    fn is_reason(&self, place: Place) -> bool {
        self.clauses[self.range(place)]
            .iter()
            .any(|&lit| self.reasons[lit as usize >> 1] == place && self.values[lit as usize] > 0)
    }

    /// Moves the clauses together, without those that are dropped; all are watched anew, and reasons follow.
    fn compact(&mut self, dropped: &[Place]) {
        let mut moved: Vec<(Place, Place)> = Vec::new();
        let mut to = 0;
        let mut from = 0;
        let mut next_dropped = dropped.iter().copied().peekable();
        self.watches.iter_mut().for_each(Vec::clear);
        while from < self.clauses.len() {
            let size = HEADER + self.clauses[from] as usize;
            if next_dropped.next_if_eq(&(from as Place)).is_some() {
                self.count -= 1;
            } else {
                self.clauses.copy_within(from..from + size, to);
                moved.push((from as Place, to as Place));
                self.watch(to as Place);
                to += size;
            }
            from += size;
        }
        self.clauses.truncate(to);
        let place_of =
            |old: Place| moved.binary_search_by_key(&old, |pair| pair.0).ok().map(|at| moved[at].1);
        self.learnt = self.learnt.iter().filter_map(|&old| place_of(old)).collect();
        for lit in &self.trail {
            let reason = &mut self.reasons[lit.variable()];
            if *reason != NOWHERE {
                *reason = place_of(*reason).unwrap_or(NOWHERE);
            }
        }
    }
}
