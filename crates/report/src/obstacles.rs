//! What stands in the way of a branch that no run came to: the branch before it that never went the right way, or the calls that were
//! never made.

use coax_execute::Coverage;
use coax_program::calls::CallGraph;
use coax_program::entity::Id;
use coax_program::ir::{Block, Body};
use coax_program::{Defined, Func, Program, Site};
use std::collections::{BTreeMap, VecDeque};

/// What stands in the way of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// This branch was reached and never went in this direction, which leads there.
    Direction(Site, u32),
    /// Its function was not called: see [`Obstacles::calls_of`].
    NotCalled(Func),
}

/// What stands in the way, for all branches of a program.
pub struct Obstacles<'a> {
    program: &'a Program,
    calls: &'a CallGraph,
    /// For the blocks of functions that were called, by their ends: the direction that leads there, if it was not reached.
    missing: BTreeMap<Func, BTreeMap<u32, Option<(Site, u32)>>>,
    coverage: &'a Coverage,
}

impl<'a> Obstacles<'a> {
    /// Looks at what was covered of a program.
    pub fn new(program: &'a Program, coverage: &'a Coverage) -> Self {
        let mut missing = BTreeMap::new();
        for (func, function) in program.functions.iter() {
            if let Some(defined) = function.defined().filter(|_| coverage.entered(func)) {
                let directions = missing_directions(program, defined, coverage);
                let mut by_end = BTreeMap::new();
                for (block, data) in defined.body.blocks.iter() {
                    by_end.entry(data.end_offset).or_insert_with(|| directions.get(&block).copied());
                }
                missing.insert(func, by_end);
            }
        }
        Obstacles { program, calls: program.calls(), missing, coverage }
    }

    /// What stands in the way of a site that no run came to; nothing if one did.
    pub fn of_site(&self, site: Site) -> Option<Obstacle> {
        let data = &self.program.sites[site];
        self.of(data.func, data.offset)
    }

    /// The same for any operator of a function.
    pub fn of(&self, func: Func, offset: u32) -> Option<Obstacle> {
        if !self.coverage.entered(func) {
            return Some(Obstacle::NotCalled(func));
        }
        // The block that the operator is in is the first that ends at or behind it.
        let (_, &missing) = self.missing.get(&func)?.range(offset..).next()?;
        missing.map(|(site, direction)| Obstacle::Direction(site, direction))
    }

    /// Where a function is called, as far as can be seen.
    pub fn calls_of(&self, func: Func) -> Vec<Site> {
        let callers = self.calls.callers[func].iter();
        let sites = callers.flat_map(|&caller| {
            let calls = &self.calls.calls[caller];
            // Mostly there is one, and nothing to look for.
            let is_only = calls.len() == 1;
            calls.iter().filter(move |call| is_only || call.callees.binary_search(&func).is_ok())
        });
        sites.map(|call| call.site).collect()
    }
}

/// For each block that no run came to, the nearest direction that nobody took of a branch that was reached.
fn missing_directions(
    program: &Program,
    defined: &Defined,
    coverage: &Coverage,
) -> BTreeMap<Block, (Site, u32)> {
    let blocks = &defined.body.blocks;
    let mut reached = vec![false; blocks.len()];
    reached[Body::ENTRY.index()] = true;
    let mut next = vec![Body::ENTRY];
    let mut missing = VecDeque::new();
    while let Some(block) = next.pop() {
        let data = &blocks[block];
        let site = program.end_site(data).filter(|&site| program.sites[site].kind.is_branch());
        for (direction, edge) in (0..).zip(data.end.edges()) {
            match site {
                Some(site) if !coverage.directions(site)[direction as usize] => {
                    missing.push_back((edge.to, (site, direction)));
                }
                _ if !std::mem::replace(&mut reached[edge.to.index()], true) => next.push(edge.to),
                _ => {}
            }
        }
        for handler in data.end.handlers() {
            if !std::mem::replace(&mut reached[handler.to.index()], true) {
                next.push(handler.to);
            }
        }
    }
    let mut found = BTreeMap::new();
    while let Some((block, by)) = missing.pop_front() {
        if reached[block.index()] || found.contains_key(&block) {
            continue;
        }
        found.insert(block, by);
        missing.extend(blocks[block].end.successors().map(|to| (to, by)));
    }
    found
}
