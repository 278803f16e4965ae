//! The ways of the user's own functions are joined, too, once all of them are covered: what turns a hexadecimal digit into a number decides for each digit what it is, and a path fits only
//! checksums with letters and digits in the same places. (Functions that nobody wants to cover are joined from the beginning, `docs/decisions/0012-joined-ways.md`.)

use super::Engine;
use super::demote::length;
use super::promote::{BATCHES, MOST_CODE};
use crate::Target;
use coax_execute::joinable;
use coax_program::Func;
use std::collections::{BTreeMap, BTreeSet};

/// So many decisions of a function are enough to be rid of them.
const MANY: usize = 16;

/// The functions whose ways are joined, how often that became more, and in which batch it was looked for more.
pub(super) struct Joining {
    pub(super) functions: BTreeSet<Func>,
    times: u32,
    looked: u64,
}

impl Joining {
    pub(super) fn new(functions: BTreeSet<Func>) -> Joining {
        Joining { functions, times: 0, looked: 0 }
    }
}

impl Engine<'_, '_> {
    /// Where nothing was covered for long, functions are joined of which everything is. The tree begins anew with that, so the next time comes much later.
    pub(super) fn join_covered(&mut self) {
        let Joining { times, looked, .. } = self.joining;
        let due = self.troubles.stuck_since().saturating_add(length(times)).max(looked + BATCHES);
        if self.batches < due
            || self.subject.program.wasm.len() > MOST_CODE
            || self.progress.covered == self.progress.total
        {
            return;
        }
        self.joining.looked = self.batches;
        let (roots, subject) = (self.roots(), self.subject);
        let targets: BTreeSet<Func> = subject.targets.iter().flat_map(Target::functions).collect();
        let matters = |func: Func| {
            roots.contains(&func)
                || targets.contains(&func)
                || subject.is_in_scope(func) && !self.is_covered(&[func].into())
        };
        let all = joinable(subject.program, matters);
        let more: Vec<Func> = all.difference(&self.joining.functions).copied().collect();
        if self.decides_much(&more) {
            self.joining.functions.extend(all);
            self.joining.times += 1;
        }
    }

    /// Whether one of these functions has many of the decisions that were seen.
    fn decides_much(&self, functions: &[Func]) -> bool {
        let mut by_place: BTreeMap<u32, usize> = BTreeMap::new();
        self.tree.nodes().for_each(|node| *by_place.entry(node.at).or_default() += 1);
        functions.iter().any(|&func| {
            let code = self.subject.program.functions[func].defined();
            let within = code.map(|code| by_place.range(code.range.clone()).map(|(_, count)| count).sum());
            within.unwrap_or(0) >= MANY
        })
    }
}
