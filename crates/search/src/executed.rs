//! Which operators a test executes.
//!
//! Coverage knows functions, branches, and which calls returned of those that may leave no trace; the rest follows from control flow: a block was executed
//! if the branch before it went there. Where a run ended in the middle of a block, only what came before counts, unless something shows that the
//! block was passed another time. So nothing is said to be executed that was not.

use coax_execute::{BACKTRACE_FRAMES, Coverage, Outcome, TrapKind};
use coax_program::entity::Id;
use coax_program::ir::{Block, BlockData, Body, Terminator};
use coax_program::{Func, Program, Site, SiteKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// The operators of a function, which was called, that a run executed for sure.
pub fn executed(program: &Program, func: Func, outcome: &Outcome, coverage: &Coverage) -> BTreeSet<u32> {
    let Some(code) = Operators::of(program, func) else { return BTreeSet::new() };
    let is_executed = code.executed(outcome, coverage);
    code.offsets
        .iter()
        .zip(is_executed)
        .filter(|(_, is_executed)| *is_executed)
        .map(|(&offset, _)| offset)
        .collect()
}

/// A place in the middle of straight-line code, for what runs do that end there, and what others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The function.
    pub func: Func,
    /// The operator that trapped, or called what did not return.
    pub at: u32,
    /// The one that comes next.
    pub(crate) next: u32,
}

/// The operators of a function, for who asks of many runs which they executed.
pub struct Operators<'p> {
    func: Func,
    body: &'p Body,
    /// Where they are, ascending.
    offsets: Vec<u32>,
    /// Of all blocks after each other, which of these each operator is.
    numbers: Vec<u32>,
    blocks: Vec<BlockCode>,
}

/// The operators of a block.
struct BlockCode {
    /// Where they are among those of all blocks.
    all: Range<usize>,
    /// How many of them are not the end of the block.
    insts: usize,
    /// Those that have a site: which in the block, its site if it is known of which runs it returned, and whether it is a call.
    calls: Vec<(usize, Option<Site>, bool)>,
    end_site: Option<Site>,
}

impl<'p> Operators<'p> {
    /// Those of a function that the module defines.
    pub fn of(program: &'p Program, func: Func) -> Option<Operators<'p>> {
        let body = &program.functions[func].defined()?.body;
        let (mut all, mut blocks) = (Vec::new(), Vec::with_capacity(body.blocks.len()));
        for data in body.blocks.values() {
            let first = all.len();
            all.extend(data.insts().map(|inst| body.insts[inst].offset));
            let insts = all.len() - first;
            let calls = all[first..].iter().enumerate().filter_map(|(index, &offset)| {
                let site = program.site_at(offset)?;
                let noted = Some(site).filter(|&site| program.ends().contains(site));
                Some((index, noted, program.sites[site].kind == SiteKind::Call))
            });
            let calls = calls.collect();
            all.extend(program.end_operator(data));
            blocks.push(BlockCode { all: first..all.len(), insts, calls, end_site: program.end_site(data) });
        }
        let mut offsets = all.clone();
        offsets.sort_unstable();
        offsets.dedup();
        let numbers = all.iter().map(|offset| offsets.partition_point(|it| it < offset) as u32).collect();
        Some(Operators { func, body, offsets, numbers, blocks })
    }

    /// Which of them is at an offset.
    pub fn at(&self, offset: u32) -> Option<usize> {
        self.offsets.binary_search(&offset).ok()
    }

    /// For each, whether a run that called the function executed it for sure.
    pub fn executed(&self, outcome: &Outcome, coverage: &Coverage) -> Vec<bool> {
        let mut is_executed = vec![false; self.offsets.len()];
        let ran = Ran { code: self, coverage, stops: Stops::of(self.body, self.func, outcome) };
        walk(self.body, |waiting, block, data, is_sure| {
            ran.block((block, data), is_sure, &mut is_executed, waiting);
        });
        is_executed
    }

    /// Where a run that called the function ended in front of more code that has nothing else before it, and that it did not execute another time.
    pub(crate) fn ends(&self, program: &Program, outcome: &Outcome, coverage: &Coverage) -> BTreeSet<Place> {
        let mut is_executed = vec![false; self.offsets.len()];
        let ran = Ran { code: self, coverage, stops: Stops::of(self.body, self.func, outcome) };
        let mut ends = BTreeSet::new();
        walk(self.body, |waiting, block, data, is_sure| {
            let last = ran.block((block, data), is_sure, &mut is_executed, waiting);
            let behind = last.and_then(|at| Some((at, behind(program, self.body, (data, at))?)));
            ends.extend(behind.map(|(at, next)| Place { func: self.func, at, next }));
        });
        ends.retain(|place| self.at(place.next).is_none_or(|next| !is_executed[next]));
        ends
    }

    fn offset(&self, place: usize) -> u32 {
        self.offsets[self.numbers[place] as usize]
    }
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
    walk(body, |waiting, _, data, _| {
        offsets.extend(data.insts().map(|inst| body.insts[inst].offset).chain(program.end_operator(data)));
        let handlers = data.end.handlers().iter().map(|handler| handler.to);
        let next = left_to(program.end_site(data), data, coverage).chain(handlers);
        waiting.extend(next.map(|block| (block, true)));
    });
    offsets
}

/// What is known of a run in one function.
struct Ran<'a> {
    code: &'a Operators<'a>,
    coverage: &'a Coverage,
    /// Where calls of the function were when the run ended.
    stops: Stops,
}

/// Where calls of a function were when a run ended.
struct Stops {
    /// For each: the block, and the operator.
    at: Vec<(Block, u32)>,
    /// Whether there may be more, further out.
    is_cut_off: bool,
}

impl Ran<'_> {
    /// Notes what was executed of a block, which was begun, as far as that is sure; where the run went on, and whether that is sure. Returns the last operator that was
    /// executed, if the run may have ended there.
    fn block(
        &self,
        (block, data): (Block, &BlockData),
        is_sure: bool,
        is_executed: &mut [bool],
        waiting: &mut Vec<(Block, bool)>,
    ) -> Option<u32> {
        let code = &self.code.blocks[block.index()];
        let is_decided = matches!(data.end, Terminator::Branch { .. } | Terminator::Switch { .. });
        let left_to = || left_to(code.end_site, data, self.coverage);
        let is_left = left_to().next().is_some();
        let before = |stop| code.all.clone().take_while(|&place| self.code.offset(place) <= stop).count();
        let stop = self.stops.in_block(block).map(before);
        // So many of the operators were executed for sure: something shows it.
        let shown = match is_decided && is_left {
            true => code.all.len(),
            false => {
                let mut calls = code.calls.iter().rev();
                let returned = calls.find(|(_, site, _)| self.returned(*site) == Some(true));
                returned.map_or(0, |(call, ..)| call + 1).max(stop.unwrap_or(0))
            }
        };
        let is_sure = is_sure || shown > 0 || stop.is_some() || (is_decided && is_left);
        let barrier = self.barrier(code, shown, stop);
        let passed = barrier.map_or(code.all.len(), |(executed, _)| executed);
        if is_sure {
            let executed = &self.code.numbers[code.all.clone()][..passed.max(shown)];
            executed.iter().for_each(|&number| is_executed[number as usize] = true);
        }
        let handlers = data.end.handlers().iter().map(|handler| (handler.to, false));
        let is_passed = barrier.is_none() && (!is_decided || is_left);
        let may_be_passed = barrier.is_none_or(|(_, is_certain)| !is_certain);
        let next = left_to().filter(|_| may_be_passed).map(|block| (block, is_sure && is_passed));
        waiting.extend(next.chain(handlers));
        let executed = passed.max(shown).checked_sub(1).filter(|_| is_sure && barrier.is_some());
        executed.map(|last| self.code.offset(code.all.start + last))
    }

    /// What a run may not have come past, behind so many operators that it has: how many it executed up to there, and whether it certainly was the end.
    fn barrier(&self, code: &BlockCode, shown: usize, stop: Option<usize>) -> Option<(usize, bool)> {
        if shown > code.insts {
            return None;
        }
        let behind = code.calls.iter().filter(|(index, ..)| *index >= shown);
        let call = behind.filter_map(|&(index, site, is_call)| match self.returned(site) {
            Some(false) => Some((index + 1, true)),
            None if self.stops.is_cut_off && is_call => Some((index + 1, false)),
            _ => None,
        });
        // It may have passed another time.
        let stop = stop.filter(|&stop| stop >= shown).map(|stop| (stop, false));
        call.take(1).chain(stop).min()
    }

    /// Whether a call returned, if that was noted.
    fn returned(&self, site: Option<Site>) -> Option<bool> {
        Some(self.coverage.returned(site?))
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
fn walk(body: &Body, mut visit: impl FnMut(&mut Vec<(Block, bool)>, Block, &BlockData, bool)) {
    let mut reached = vec![None; body.blocks.len()];
    let mut waiting = vec![(Body::ENTRY, true)];
    while let Some((block, is_sure)) = waiting.pop() {
        if reached[block.index()] < Some(is_sure) {
            reached[block.index()] = Some(is_sure);
            visit(&mut waiting, block, &body.blocks[block], is_sure);
        }
    }
}

/// Where control went from a block that ends with this site, if it was left.
fn left_to<'a>(
    site: Option<Site>,
    block: &'a BlockData,
    coverage: &'a Coverage,
) -> impl Iterator<Item = Block> + 'a {
    let taken = match (site, &block.end) {
        (Some(site), Terminator::Branch { .. } | Terminator::Switch { .. }) => {
            Some(coverage.directions(site))
        }
        _ => None,
    };
    let is_taken = move |number: &usize| taken.is_none_or(|taken| taken.get(*number) == Some(&true));
    let edges = block.end.edges().iter().enumerate();
    edges.filter(move |(number, _)| is_taken(number)).map(|(_, edge)| edge.to)
}
