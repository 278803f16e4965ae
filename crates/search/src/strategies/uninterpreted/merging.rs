//! The ways of the user's own functions are joined (state merging), too, once all of them are covered: what turns a hexadecimal digit into a number decides for each
//! digit what it is, and a path fits only checksums with letters and digits in the same places. (Functions that nobody wants to cover are joined from the beginning,
//! `docs/decisions/0012-joined-ways.md`.)

use super::turns::length;
use super::{BATCHES, MOST_CODE};
use crate::Target;
use crate::exploration::Exploration;
use crate::strategy::View;
use coax_execute::joinable;
use coax_program::{Func, Program};
use std::collections::{BTreeMap, BTreeSet};

/// So many decisions of a function are enough to be rid of them.
const MANY: usize = 16;

/// How often more functions were joined, and in which batch it was looked for more.
#[derive(Default)]
pub(super) struct Merging {
    times: u32,
    looked: u64,
}

impl Merging {
    /// Where nothing was covered for long, functions are joined of which everything is. Another exploration begins with that, so the next time comes much later.
    pub(super) fn join_covered(&mut self, view: &mut View<'_, '_, '_>, stuck_since: u64) {
        let due = stuck_since.saturating_add(length(self.times)).max(self.looked + BATCHES);
        let search = &mut *view.search;
        let subject = search.subject;
        if search.batches < due || subject.program.wasm.len() > MOST_CODE || search.is_all_covered() {
            return;
        }
        self.looked = search.batches;
        let roots = search.roots();
        let targets: BTreeSet<Func> = subject.targets.iter().flat_map(Target::functions).collect();
        let matters = |func: Func| {
            roots.contains(&func)
                || targets.contains(&func)
                || subject.is_in_scope(func) && !search.is_covered(&[func].into())
        };
        let all = joinable(subject.program, matters);
        let more: Vec<Func> = all.difference(&search.unknown.joined).copied().collect();
        if decides_much(&more, subject.program, view.exploration) {
            view.search.unknown.joined.extend(all);
            self.times += 1;
        }
    }
}

/// Whether one of these functions has many of the decisions that were seen.
fn decides_much(functions: &[Func], program: &Program, exploration: &Exploration) -> bool {
    let mut by_place: BTreeMap<u32, usize> = BTreeMap::new();
    exploration.tree.nodes().for_each(|node| *by_place.entry(node.at).or_default() += 1);
    functions.iter().any(|&func| {
        let code = program.functions[func].defined();
        let within = code.map(|code| by_place.range(code.range.clone()).map(|(_, count)| count).sum());
        within.unwrap_or(0) >= MANY
    })
}
