//! Which operators a test executes.
//!
//! Coverage knows functions and branches; the rest follows from control flow: a block was executed if the branch before it went there. Where a
//! run ended in the middle of a block, only what came before counts. So nothing is said to be executed that was not, with one
//! exception: what stands, without a branch between, after a call that ended the run by `exit`.

use coax_execute::{Coverage, Outcome};
use coax_program::entity::Id;
use coax_program::ir::{Block, BlockData, Body, Terminator};
use coax_program::{Func, Program, SiteKind};

/// The operator `br`, in wasm's binary format.
const BR: u8 = 0x0c;

/// The operators of a function, which was called, that a run executed for sure.
pub fn executed(program: &Program, func: Func, outcome: &Outcome, coverage: &Coverage) -> Vec<u32> {
    let backtrace = outcome.backtrace();
    let frames = backtrace.iter().filter(|frame| frame.func == func);
    let ended_at: Vec<u32> = frames.filter_map(|frame| frame.offset).collect();
    let mut offsets = Vec::new();
    walk(program, func, |body, data| {
        let insts = || data.insts().map(|inst| body.insts[inst].offset);
        let left_to = left_to(program, data, coverage);
        let stop = insts().filter(|offset| ended_at.contains(offset)).max();
        let is_decided = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
        let is_left = if is_decided { !left_to.is_empty() } else { stop.is_none() };
        if !is_left {
            // It was begun, but never left: something in it ended the run.
            let first_call = || insts().find(|&offset| is_call(program, offset));
            let last = stop.or_else(first_call).unwrap_or(u32::MAX);
            offsets.extend(insts().filter(|&offset| offset <= last));
            return Vec::new();
        }
        offsets.extend(insts().chain(end_operator(program, data)));
        left_to
    });
    offsets
}

/// The operators of a function, which was called, that runs may have executed: also those behind one that ended a run, and handlers of exceptions.
pub(crate) fn begun(program: &Program, func: Func, coverage: &Coverage) -> Vec<u32> {
    let mut offsets = Vec::new();
    walk(program, func, |body, data| {
        offsets.extend(data.insts().map(|inst| body.insts[inst].offset).chain(end_operator(program, data)));
        let handlers = data.end.handlers().iter().map(|handler| handler.to);
        left_to(program, data, coverage).into_iter().chain(handlers).collect()
    });
    offsets
}

/// Visits the blocks of a function, each once, from the first to those that the visitor says come next.
fn walk(program: &Program, func: Func, mut visit: impl FnMut(&Body, &BlockData) -> Vec<Block>) {
    let Some(defined) = program.functions[func].defined() else { return };
    let mut reached = vec![false; defined.body.blocks.len()];
    let mut waiting = vec![Body::ENTRY];
    while let Some(block) = waiting.pop() {
        if !std::mem::replace(&mut reached[block.index()], true) {
            waiting.extend(visit(&defined.body, &defined.body.blocks[block]));
        }
    }
}

/// Where control went from a block.
fn left_to(program: &Program, block: &BlockData, coverage: &Coverage) -> Vec<Block> {
    let edges = block.end.edges().iter().map(|edge| edge.to);
    match (program.end_site(block), &block.end) {
        (Some(site), Terminator::Branch { .. } | Terminator::Switch { .. }) => {
            let taken = coverage.directions(site);
            edges.zip(taken).filter(|(_, taken)| **taken).map(|(block, _)| block).collect()
        }
        _ => edges.collect(),
    }
}

/// The operator that ends a block, if it is one. Where control just goes on there is no operator but an `end`, which stands on the line of whatever
/// comes before it in the code.
pub fn end_operator(program: &Program, block: &BlockData) -> Option<u32> {
    let is_operator = match block.end {
        Terminator::Jump(_) => program.wasm.get(block.end_offset as usize) == Some(&BR),
        _ => true,
    };
    is_operator.then_some(block.end_offset)
}

fn is_call(program: &Program, offset: u32) -> bool {
    program.site_at(offset).is_some_and(|site| program.sites[site].kind == SiteKind::Call)
}
