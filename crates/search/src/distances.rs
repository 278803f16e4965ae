//! How far it is from each block of a program to what is to be reached: branches and calls on the shortest way, whatever their conditions.
//!
//! A way goes on in a function or into one that is called, never back to a caller: what a function is called for is known only by a run. So blocks
//! behind which nothing leads there but a return have no distance of their own.

use crate::backward::Goal;
use crate::target::Target;
use coax_execute::Coverage;
use coax_program::calls::CallGraph;
use coax_program::entity::Id;
use coax_program::ir::{Block, Body};
use coax_program::{Func, Program};
use std::collections::{BTreeMap, VecDeque};

/// What has no distance is as far away as this.
pub(crate) const FAR: u32 = 64;

/// The distances of all blocks.
#[derive(Debug)]
pub(crate) struct Distances {
    /// By function and block; nothing for functions that do not lead there.
    blocks: BTreeMap<Func, Vec<Option<u32>>>,
    /// The blocks of these functions, by the bytes of the module where they begin.
    places: BTreeMap<u32, (Func, Block)>,
}

impl Distances {
    /// The distances to the nearest of these; nothing if nobody knows where one of them is.
    pub(crate) fn new(program: &Program, targets: &[Target]) -> Option<Distances> {
        if targets.is_empty() || targets.iter().any(|target| target.goals.is_empty()) {
            return None;
        }
        let calls = call_places(program);
        let mut distances = Distances { blocks: BTreeMap::new(), places: BTreeMap::new() };
        let goals = targets.iter().flat_map(|target| &target.goals).map(|goal| match *goal {
            Goal::Point(func, block, _) | Goal::Trap(func, block, _) => (func, block),
            Goal::Direction(func, block, direction) => {
                let body = program.functions[func].defined().map(|defined| &defined.body);
                let edge = body.and_then(|body| body.blocks[block].end.edges().get(direction as usize));
                (func, edge.map_or(block, |edge| edge.to))
            }
        });
        distances.spread(program, &calls, goals.collect());
        for &func in distances.blocks.keys() {
            let Some(defined) = program.functions[func].defined() else { continue };
            for (block, data) in defined.body.blocks.iter() {
                let first =
                    data.insts().map(|inst| defined.body.insts[inst].offset).find(|&offset| offset > 0);
                let first = first.unwrap_or(data.end_offset).min(data.end_offset);
                distances.places.insert(first, (func, block));
            }
        }
        Some(distances)
    }

    /// From the goals against the edges and to the callers: what is nearer comes first.
    fn spread(
        &mut self,
        program: &Program,
        calls: &BTreeMap<Func, Vec<(Func, Block)>>,
        goals: Vec<(Func, Block)>,
    ) {
        let mut before: BTreeMap<Func, Vec<Vec<Block>>> = BTreeMap::new();
        let mut waiting: VecDeque<(Func, Block, u32)> =
            goals.into_iter().map(|(func, block)| (func, block, 0)).collect();
        while let Some((func, block, distance)) = waiting.pop_front() {
            let Some(defined) = program.functions[func].defined() else { continue };
            let body = &defined.body;
            let known = self.blocks.entry(func).or_insert_with(|| vec![None; body.blocks.len()]);
            if known[block.index()].is_some() {
                continue;
            }
            known[block.index()] = Some(distance);
            let before = before.entry(func).or_insert_with(|| predecessors(body));
            for &from in &before[block.index()] {
                match body.blocks[from].end.successors().count() {
                    // Nothing is decided there: it is as far.
                    1 => waiting.push_front((func, from, distance)),
                    _ => waiting.push_back((func, from, distance + 1)),
                }
            }
            if block == Body::ENTRY {
                let callers = calls.get(&func).into_iter().flatten();
                waiting.extend(callers.map(|&(caller, at)| (caller, at, distance + 1)));
            }
        }
    }

    /// How far it is from an operator; from a branch, in a direction, or from the nearest if none is named.
    pub(crate) fn behind(&self, program: &Program, at: u32, direction: Option<u32>) -> Option<u32> {
        let (_, &(func, block)) = self.places.range(..=at).next_back()?;
        let data = &program.functions[func].defined()?.body.blocks[block];
        let of_block = |block: Block| self.blocks.get(&func)?.get(block.index()).copied().flatten();
        match (data.end_offset == at, direction) {
            (true, Some(direction)) => of_block(data.end.edges().get(direction as usize)?.to),
            (true, None) => data.end.edges().iter().filter_map(|edge| of_block(edge.to)).min(),
            // What comes after the last block that has a distance is of another function.
            (false, _) => of_block(block).filter(|_| at < data.end_offset),
        }
    }

    /// How near a run came.
    pub(crate) fn of_run(&self, program: &Program, coverage: &Coverage) -> u32 {
        let near = |&(func, block): &(Func, Block)| {
            let data = &program.functions[func].defined()?.body.blocks[block];
            let taken = coverage.directions(program.end_site(data)?).iter().zip(0..);
            let taken = taken.filter(|(taken, _)| **taken).map(|(_, direction)| direction);
            taken.filter_map(|direction| self.behind(program, data.end_offset, Some(direction))).min()
        };
        self.places.values().filter_map(near).min().unwrap_or(FAR).min(FAR)
    }
}

/// Where each function is called.
fn call_places(program: &Program) -> BTreeMap<Func, Vec<(Func, Block)>> {
    let graph = CallGraph::of(program);
    let mut places: BTreeMap<Func, Vec<(Func, Block)>> = BTreeMap::new();
    for (caller, function) in program.functions.iter() {
        let Some(defined) = function.defined().filter(|_| !graph.calls[caller].is_empty()) else { continue };
        let body = &defined.body;
        let mut blocks = BTreeMap::new();
        for (block, data) in body.blocks.iter() {
            blocks.extend(data.insts().map(|inst| (body.insts[inst].offset, block)));
            blocks.insert(data.end_offset, block);
        }
        for call in &graph.calls[caller] {
            // Code that nothing leads to has no blocks.
            let Some(&block) = blocks.get(&program.sites[call.site].offset) else { continue };
            call.callees.iter().for_each(|callee| places.entry(*callee).or_default().push((caller, block)));
        }
    }
    places
}

/// The blocks before each block.
fn predecessors(body: &Body) -> Vec<Vec<Block>> {
    let mut before = vec![Vec::new(); body.blocks.len()];
    for (block, data) in body.blocks.iter() {
        data.end.successors().for_each(|next| before[next.index()].push(block));
    }
    before
}
