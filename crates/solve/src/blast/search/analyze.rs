//! Why something is false: the clause that is learnt from a conflict, and the assumptions that contradict each other.

use super::{HEADER, Lit, NOWHERE, Place, Search};

impl Search {
    /// Learns the clause of the first literal that all of the conflict's last level goes through, goes back to where it says something,
    /// and assigns that.
    pub(super) fn learn_from(&mut self, conflict: Place) {
        let mut learnt = self.resolve(conflict);
        self.shorten(&mut learnt);
        // The literal with the highest level comes second: it is watched, and its level is gone back to.
        let level = |search: &Search, lit: Lit| search.levels[lit.variable()];
        if let Some(highest) = (1..learnt.len()).max_by_key(|&at| level(self, learnt[at])) {
            learnt.swap(1, highest);
        }
        let mut levels: Vec<u32> = learnt.iter().map(|&lit| level(self, lit)).collect();
        levels.sort_unstable();
        levels.dedup();
        let back_to = learnt.get(1).map_or(0, |&lit| level(self, lit));
        self.backtrack(back_to as usize);
        if learnt.len() == 1 {
            self.assign(learnt[0], NOWHERE);
        } else {
            let place = self.attach(&learnt, levels.len() as u32);
            self.learnt.push(place);
            self.assign(learnt[0], place);
        }
        self.order.decay();
        self.until_reduction = self.until_reduction.saturating_sub(1);
    }

    /// Replaces literals of the last level by their reasons until there is one; it comes first.
    fn resolve(&mut self, conflict: Place) -> Vec<Lit> {
        let last = self.levels_from.len() as u32;
        let mut learnt = vec![Lit(0)];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut reason = conflict;
        let mut resolved = None;
        loop {
            for place in self.range(reason) {
                let lit = Lit(self.clauses[place]);
                let variable = lit.variable();
                if Some(variable) == resolved || self.seen[variable] || self.levels[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.order.bump(variable as u32);
                if self.levels[variable] == last {
                    open += 1;
                } else {
                    learnt.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].variable()] {
                    break self.trail[at];
                }
            };
            self.seen[lit.variable()] = false;
            open -= 1;
            if open == 0 {
                learnt[0] = !lit;
                return learnt;
            }
            reason = self.reasons[lit.variable()];
            resolved = Some(lit.variable());
        }
    }

    /// Drops literals that follow from the others: all of their reason is in the clause.
    fn shorten(&mut self, learnt: &mut Vec<Lit>) {
        let all = learnt.clone();
        let follows = |lit: Lit| {
            let reason = self.reasons[lit.variable()];
            reason != NOWHERE
                && self.clauses[self.range(reason)].iter().all(|&other| {
                    let other = Lit(other).variable();
                    other == lit.variable() || self.seen[other] || self.levels[other] == 0
                })
        };
        let mut first = true;
        learnt.retain(|&lit| std::mem::take(&mut first) || !follows(lit));
        all.iter().for_each(|lit| self.seen[lit.variable()] = false);
    }

    /// Which assumptions make an assumption false: they and it are what failed.
    pub(super) fn explain_failure(&mut self, assumed: Lit) {
        self.failed.push(assumed);
        if self.levels[assumed.variable()] == 0 {
            return;
        }
        self.seen[assumed.variable()] = true;
        let from = self.levels_from.first().copied().unwrap_or(0);
        for at in (from..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !std::mem::take(&mut self.seen[lit.variable()]) {
                continue;
            }
            let reason = self.reasons[lit.variable()];
            if reason == NOWHERE {
                self.failed.push(lit);
                continue;
            }
            for place in self.range(reason) {
                let variable = Lit(self.clauses[place]).variable();
                if variable != lit.variable() && self.levels[variable] > 0 {
                    self.seen[variable] = true;
                }
            }
        }
        self.failed.sort_unstable();
    }

    /// Where the literals of a clause are.
    pub(super) fn range(&self, clause: Place) -> std::ops::Range<usize> {
        let start = clause as usize + HEADER;
        start..start + self.clauses[clause as usize] as usize
    }
}
