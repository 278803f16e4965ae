//! Why facts keep everything from a place: the branches that never go there, and the calls that never come back.

use super::Goal;
use super::graph::Graph;
use crate::facts::Facts;
use coax_program::Func;
use coax_program::ir::{Block, Body};
use std::collections::BTreeSet;

/// So many are named.
const MOST: usize = 8;

/// The last operators before a place that are executed, by their bytes in the module.
pub(super) fn barriers(graph: &Graph<'_>, facts: &Facts<'_>, goal: Goal) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut seen: BTreeSet<(Func, Block)> = BTreeSet::new();
    let mut waiting = vec![goal];
    while let Some(goal) = waiting.pop().filter(|_| found.len() < MOST) {
        let (func, block) = (goal.func(), goal.block());
        let body = graph.body(func);
        let data = &body.blocks[block];
        // What was come to, and not gone on from.
        if let Some(passed) = facts.passed(func, block) {
            let inst = data.insts().nth(passed);
            found.insert(inst.map_or(data.end_offset, |inst| body.insts[inst].offset));
        } else if seen.insert((func, block)) {
            let before = graph.shape(func).cfg.predecessors(block).iter();
            waiting.extend(before.map(|&from| Goal::Point(func, from, body.blocks[from].insts().len())));
            if block == Body::ENTRY {
                let callers = graph.callers(func).iter();
                waiting.extend(callers.map(|place| Goal::Point(place.caller, place.block, place.before)));
            }
        }
    }
    found
}
