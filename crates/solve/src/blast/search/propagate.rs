//! What follows at once: each clause watches two of its literals, and is looked at only when one of them becomes false.

use super::{HEADER, Lit, NOWHERE, Place, Search};

/// A clause that watches a literal.
#[derive(Clone, Copy)]
pub(super) struct Watch {
    /// The highest bit tells clauses of two literals: they need not be read.
    clause: Place,
    /// Another literal of the clause: if it is true there is nothing to do.
    other: Lit,
}

const OF_TWO: Place = 1 << 31;

impl Search {
    /// Stores a clause of at least two literals and watches the first two.
    pub(super) fn attach(&mut self, literals: &[Lit], levels: u32) -> Place {
        let place = self.clauses.len() as Place;
        debug_assert!(place < NOWHERE, "clauses have less than 2^31 numbers");
        self.clauses.extend([literals.len() as u32, levels]);
        self.clauses.extend(literals.iter().map(|lit| lit.0));
        self.count += 1;
        self.watch(place);
        place
    }

    pub(super) fn watch(&mut self, place: Place) {
        let [a, b] = [0, 1].map(|at| Lit(self.clauses[place as usize + HEADER + at]));
        let clause = if self.clauses[place as usize] == 2 { place | OF_TWO } else { place };
        self.watches[a.index()].push(Watch { clause, other: b });
        self.watches[b.index()].push(Watch { clause, other: a });
    }

    /// Assigns what follows from what is assigned; the clause that is false, if there is one.
    pub(super) fn propagate(&mut self) -> Option<Place> {
        while let Some(&lit) = self.trail.get(self.propagated) {
            self.propagated += 1;
            self.literals += 1;
            let mut watches = std::mem::take(&mut self.watches[(!lit).index()]);
            let conflict = self.visit(!lit, &mut watches);
            self.watches[(!lit).index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Visits the clauses that watch a literal that is false now. Those that watch another one afterwards are taken off the list.
    fn visit(&mut self, falsified: Lit, watches: &mut Vec<Watch>) -> Option<Place> {
        let mut kept = 0;
        let mut conflict = None;
        let mut at = 0;
        while at < watches.len() {
            let watch = watches[at];
            at += 1;
            let other = self.values[watch.other.index()];
            if other > 0 {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            if watch.clause & OF_TWO != 0 {
                watches[kept] = watch;
                kept += 1;
                if other < 0 {
                    conflict = Some(watch.clause & !OF_TWO);
                    break;
                }
                self.imply(watch.other, watch.clause & !OF_TWO);
                continue;
            }
            let start = watch.clause as usize + HEADER;
            if self.clauses[start] == falsified.0 {
                self.clauses.swap(start, start + 1);
            }
            let first = Lit(self.clauses[start]);
            if first != watch.other && self.values[first.index()] > 0 {
                watches[kept] = Watch { other: first, ..watch };
                kept += 1;
                continue;
            }
            let end = start + self.clauses[start - HEADER] as usize;
            let next = (start + 2..end).find(|&at| self.values[self.clauses[at] as usize] >= 0);
            if let Some(next) = next {
                self.clauses.swap(start + 1, next);
                let watched = Lit(self.clauses[start + 1]);
                self.watches[watched.index()].push(Watch { other: first, ..watch });
                continue;
            }
            watches[kept] = Watch { other: first, ..watch };
            kept += 1;
            if self.values[first.index()] < 0 {
                conflict = Some(watch.clause);
                break;
            }
            self.imply(first, watch.clause);
        }
        watches.copy_within(at.., kept);
        let rest = watches.len() - at;
        watches.truncate(kept + rest);
        conflict
    }

    /// What is not in question is left alone, unless it holds always.
    fn imply(&mut self, lit: Lit, reason: Place) {
        if self.in_question[lit.variable()] || self.levels_from.is_empty() {
            self.assign(lit, reason);
        }
    }
}
