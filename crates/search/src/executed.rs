//! Which operators a test executes.
//!
//! Coverage knows functions, branches, and which calls returned of those that may leave no trace; the rest follows from control flow: a block was executed
//! if the branch before it went there. Where a run ended in the middle of a block, only what came before counts, unless something shows that the
//! block was passed another time. So nothing is said to be executed that was not.

use coax_execute::{BACKTRACE_FRAMES, Coverage, Outcome, TrapKind};
use coax_program::entity::Id;
use coax_program::ir::{Block, BlockData, Body, Terminator};
use coax_program::{Func, Program, SiteKind};
use std::collections::BTreeSet;

/// The operators of a function, which was called, that a run executed for sure.
pub fn executed(program: &Program, func: Func, outcome: &Outcome, coverage: &Coverage) -> BTreeSet<u32> {
    let Some(defined) = program.functions[func].defined() else { return BTreeSet::new() };
    let ran = Ran { program, body: &defined.body, coverage, stops: Stops::of(&defined.body, func, outcome) };
    let mut offsets = BTreeSet::new();
    walk(&defined.body, |block, data, is_sure| {
        let passage = ran.block((block, data), is_sure);
        if passage.is_sure {
            offsets.extend(&passage.all[..passage.executed]);
        }
        passage.next
    });
    offsets
}

/// A place in the middle of straight-line code, for what runs do that end there, and what others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The function.
    pub func: Func,
    /// The operator that trapped, or called what did not return.
    pub at: u32,
    /// The one that comes next.
    pub(crate) next: u32,
}

/// Where a run ended in a function, which was called, in front of more code that has nothing else before it.
pub(crate) fn ends(program: &Program, func: Func, outcome: &Outcome, coverage: &Coverage) -> BTreeSet<Place> {
    let Some(defined) = program.functions[func].defined() else { return BTreeSet::new() };
    let body = &defined.body;
    let ran = Ran { program, body, coverage, stops: Stops::of(body, func, outcome) };
    let mut ends = BTreeSet::new();
    walk(body, |block, data, is_sure| {
        let Passage { all, executed, is_sure, is_barred, next } = ran.block((block, data), is_sure);
        let last = executed.checked_sub(1).filter(|_| is_sure && is_barred).map(|last| all[last]);
        let end = last.and_then(|at| Some(Place { func, at, next: behind(program, body, (data, at))? }));
        ends.extend(end);
        next
    });
    ends
}

/// The operator that comes next in straight-line code; none if it is the `unreachable` behind a call that never returns.
fn behind(program: &Program, body: &Body, (mut data, at): (&BlockData, u32)) -> Option<u32> {
    loop {
        let mut all = data.insts().map(|inst| body.insts[inst].offset).chain(program.end_operator(data));
        match (all.find(|&offset| offset > at), &data.end) {
            (Some(next), Terminator::Unreachable) if next == data.end_offset => return None,
            (Some(next), _) => return Some(next),
            (None, Terminator::Jump(edge) | Terminator::Invoke { normal: edge, .. }) => {
                data = &body.blocks[edge.to];
            }
            (None, _) => return None,
        }
    }
}

/// The operators of a function, which was called, that runs may have executed: also those behind one that ended a run, and handlers of exceptions.
pub(crate) fn begun(program: &Program, func: Func, coverage: &Coverage) -> Vec<u32> {
    let Some(defined) = program.functions[func].defined() else { return Vec::new() };
    let body = &defined.body;
    let mut offsets = Vec::new();
    walk(body, |_, data, _| {
        offsets.extend(data.insts().map(|inst| body.insts[inst].offset).chain(program.end_operator(data)));
        let handlers = data.end.handlers().iter().map(|handler| handler.to);
        let next = left_to(program, data, coverage).into_iter().chain(handlers);
        next.map(|block| (block, true)).collect()
    });
    offsets
}

/// What is known of a run in one function.
struct Ran<'a> {
    program: &'a Program,
    body: &'a Body,
    coverage: &'a Coverage,
    /// Where calls of the function were when the run ended.
    stops: Stops,
}

/// What is known of a run in one block, which was begun.
struct Passage {
    /// Its operators.
    all: Vec<u32>,
    /// How many of them were executed.
    executed: usize,
    /// Whether that is sure.
    is_sure: bool,
    /// Whether the run may have ended behind them.
    is_barred: bool,
    /// Where the run went on, and whether that is sure.
    next: Vec<(Block, bool)>,
}

/// Where calls of a function were when a run ended.
struct Stops {
    /// For each: the block, and the operator.
    at: Vec<(Block, u32)>,
    /// Whether there may be more, further out.
    is_cut_off: bool,
}

impl Ran<'_> {
    /// What was executed of a block, which was begun.
    fn block(&self, (block, data): (Block, &BlockData), is_sure: bool) -> Passage {
        let mut all: Vec<u32> = data.insts().map(|inst| self.body.insts[inst].offset).collect();
        let is_decided = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
        let left_to = left_to(self.program, data, self.coverage);
        let insts = all.len();
        all.extend(self.program.end_operator(data));
        let stop = self.stops.in_block(block).map(|stop| all.partition_point(|&offset| offset <= stop));
        // So many of the operators were executed for sure: something shows it.
        let shown = match is_decided && !left_to.is_empty() {
            true => all.len(),
            false => {
                let returned = all[..insts].iter().rposition(|&offset| self.returned(offset) == Some(true));
                returned.map_or(0, |call| call + 1).max(stop.unwrap_or(0))
            }
        };
        let is_sure = is_sure || shown > 0 || stop.is_some() || (is_decided && !left_to.is_empty());
        let barrier = self.barrier(&all[..insts], shown, stop);
        let executed = barrier.map_or(all.len(), |(executed, _)| executed).max(shown);
        let handlers = data.end.handlers().iter().map(|handler| (handler.to, false));
        let is_passed = barrier.is_none() && (!is_decided || !left_to.is_empty());
        let may_be_passed = barrier.is_none_or(|(_, is_certain)| !is_certain);
        let next = left_to.into_iter().filter(|_| may_be_passed).map(|block| (block, is_sure && is_passed));
        Passage { executed, is_sure, is_barred: barrier.is_some(), next: next.chain(handlers).collect(), all }
    }

    /// What a run may not have come past, behind so many operators that it has: how many it executed up to there, and whether it certainly was the end.
    fn barrier(&self, insts: &[u32], shown: usize, stop: Option<usize>) -> Option<(usize, bool)> {
        if shown > insts.len() {
            return None;
        }
        let call = (shown..insts.len()).find_map(|index| match self.returned(insts[index]) {
            Some(false) => Some((index + 1, true)),
            None if self.stops.is_cut_off && is_call(self.program, insts[index]) => Some((index + 1, false)),
            _ => None,
        });
        // It may have passed another time.
        let stop = stop.filter(|&stop| stop >= shown).map(|stop| (stop, false));
        call.into_iter().chain(stop).min()
    }

    /// Whether a call returned, if that was noted.
    fn returned(&self, offset: u32) -> Option<bool> {
        let site = self.program.site_at(offset).filter(|&site| self.program.ends().contains(site))?;
        Some(self.coverage.returned(site))
    }
}

impl Stops {
    fn of(body: &Body, func: Func, outcome: &Outcome) -> Stops {
        let backtrace = outcome.backtrace();
        let is_leak = matches!(outcome, Outcome::Trapped(trap) if trap.kind == TrapKind::Leak);
        let frames = backtrace.iter().filter(|frame| frame.func == func && !is_leak);
        let at = frames.filter_map(|frame| {
            let offset = frame.offset?;
            // Blocks are in the order of the code; those that lead to handlers have no code, and stand where a call stands.
            let is_its = |data: &BlockData| {
                data.end_offset > offset
                    || (data.end_offset == offset && !is_landing(data))
                    || has(body, data, offset)
            };
            let (block, _) = body.blocks.iter().find(|(_, data)| is_its(data))?;
            Some((block, offset))
        });
        // Calls that the checking module makes beside are left out of what is kept.
        Stops { at: at.collect(), is_cut_off: backtrace.len() >= BACKTRACE_FRAMES.get() / 2 }
    }

    /// The last operator of a block that a call was at.
    fn in_block(&self, block: Block) -> Option<u32> {
        let in_block = self.at.iter().filter(|(at, _)| *at == block);
        in_block.map(|(_, offset)| *offset).max()
    }
}

/// Whether a block has nothing but a way on.
fn is_landing(data: &BlockData) -> bool {
    data.insts().len() == 0 && matches!(data.end, Terminator::Jump(_))
}

fn has(body: &Body, data: &BlockData, offset: u32) -> bool {
    data.insts().any(|inst| body.insts[inst].offset == offset)
}

/// Visits the blocks of a function, from the first to those that the visitor says come next, and whether that is sure; one that was not sure is visited again if
/// it is.
fn walk(body: &Body, mut visit: impl FnMut(Block, &BlockData, bool) -> Vec<(Block, bool)>) {
    let mut reached = vec![None; body.blocks.len()];
    let mut waiting = vec![(Body::ENTRY, true)];
    while let Some((block, is_sure)) = waiting.pop() {
        if reached[block.index()] < Some(is_sure) {
            reached[block.index()] = Some(is_sure);
            waiting.extend(visit(block, &body.blocks[block], is_sure));
        }
    }
}

/// Where control went from a block, if it was left.
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

fn is_call(program: &Program, offset: u32) -> bool {
    program.site_at(offset).is_some_and(|site| program.sites[site].kind == SiteKind::Call)
}
