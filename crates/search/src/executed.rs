//! Which operators a test executes.
//!
//! Coverage knows functions and branches; the rest follows from control flow: a block was executed if the branch before it went there. Where a
//! run ended in the middle of a block, only what came before counts. Nobody knows which call ended a run by `exit` or an exception: what comes after one that
//! may have, without a branch between, does not count either. So nothing is said to be executed that was not.

use coax_execute::{Coverage, Outcome};
use coax_program::entity::Id;
use coax_program::ir::{Block, BlockData, Body, Terminator};
use coax_program::{Code, Func, Function, Program, SiteKind};
use std::collections::BTreeSet;

/// What ends a program by force, in WASI.
const EXIT: &str = "proc_exit";
/// The operator `br`, in wasm's binary format.
const BR: u8 = 0x0c;

/// The calls of a program that may end a run: by `exit`, or by an exception.
#[derive(Clone, Debug, Default)]
pub struct Ends(BTreeSet<u32>);

impl Ends {
    /// Looks at a program.
    pub fn of(program: &Program) -> Ends {
        let graph = program.calls();
        let ends = |(_, function): &(Func, &Function)| match &function.code {
            Code::Import(number) => program.imports[*number].name == EXIT,
            Code::Defined(defined) => {
                defined.body.blocks.values().any(|data| matches!(data.end, Terminator::Throw { .. }))
            }
        };
        let mut waiting: Vec<Func> = program.functions.iter().filter(ends).map(|(func, _)| func).collect();
        let mut ending = BTreeSet::new();
        while let Some(func) = waiting.pop() {
            if ending.insert(func) {
                waiting.extend(&graph.callers[func]);
            }
        }
        let calls = graph.calls.values().flatten();
        let may_end =
            calls.filter(|call| call.open || call.callees.iter().any(|callee| ending.contains(callee)));
        Ends(may_end.map(|call| program.sites[call.site].offset).collect())
    }
}

/// The operators of a function, which was called, that a run executed for sure.
pub fn executed(
    program: &Program,
    func: Func,
    outcome: &Outcome,
    coverage: &Coverage,
    ends: &Ends,
) -> Vec<u32> {
    let is_cut = matches!(outcome, Outcome::Exited(_) | Outcome::UncaughtException(_));
    let backtrace = outcome.backtrace();
    let frames = backtrace.iter().filter(|frame| frame.func == func);
    let ended_at: Vec<u32> = frames.filter_map(|frame| frame.offset).collect();
    let mut offsets = Vec::new();
    walk(program, func, |body, data, is_sure| {
        let insts = || data.insts().map(|inst| body.insts[inst].offset);
        let left_to = left_to(program, data, coverage);
        let stop = insts().filter(|offset| ended_at.contains(offset)).max();
        let is_decided = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
        let is_left = if is_decided { !left_to.is_empty() } else { stop.is_none() };
        if !is_left {
            // It was begun, but never left: something in it ended the run.
            let first_call = || insts().find(|&offset| is_call(program, offset));
            let last = stop.or_else(first_call).unwrap_or(u32::MAX);
            offsets.extend(insts().filter(|&offset| is_sure && offset <= last));
            return (Vec::new(), false);
        }
        // Whether a branch was come to is known for sure.
        let may_end = insts().find(|offset| is_cut && !is_decided && ends.0.contains(offset));
        let last = may_end.unwrap_or(u32::MAX);
        let end = end_operator(program, data).filter(|_| may_end.is_none());
        if is_sure || is_decided {
            offsets.extend(insts().filter(|&offset| offset <= last).chain(end));
        }
        (left_to, (is_sure || is_decided) && may_end.is_none())
    });
    offsets
}

/// The operators of a function, which was called, that runs may have executed: also those behind one that ended a run, and handlers of exceptions.
pub(crate) fn begun(program: &Program, func: Func, coverage: &Coverage) -> Vec<u32> {
    let mut offsets = Vec::new();
    walk(program, func, |body, data, _| {
        offsets.extend(data.insts().map(|inst| body.insts[inst].offset).chain(end_operator(program, data)));
        let handlers = data.end.handlers().iter().map(|handler| handler.to);
        (left_to(program, data, coverage).into_iter().chain(handlers).collect(), true)
    });
    offsets
}

/// Visits the blocks of a function, from the first to those that the visitor says come next, and whether that is sure; one that was not sure is visited again if
/// it is.
fn walk(program: &Program, func: Func, mut visit: impl FnMut(&Body, &BlockData, bool) -> (Vec<Block>, bool)) {
    let Some(defined) = program.functions[func].defined() else { return };
    let mut reached = vec![None; defined.body.blocks.len()];
    let mut waiting = vec![(Body::ENTRY, true)];
    while let Some((block, is_sure)) = waiting.pop() {
        if reached[block.index()] < Some(is_sure) {
            reached[block.index()] = Some(is_sure);
            let (next, is_sure) = visit(&defined.body, &defined.body.blocks[block], is_sure);
            waiting.extend(next.into_iter().map(|block| (block, is_sure)));
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
