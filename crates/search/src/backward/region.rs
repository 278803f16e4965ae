//! From where ways join to where they parted, without going them one by one.
//!
//! Between a join, or the end of a loop, and the block that all ways to it pass, what does not change anything that matters is left out (slicing); what only computes becomes a choice
//! between values. So a hundred `if`s one after the other are a hundred steps, and not 2^100 ways.

use super::Search;
use super::effects::Effects;
use super::graph::{Graph, Shape};
use super::state::{Condition, State};
use coax_execute::semantics::choice;
use coax_execute::semantics::memory::Access;
use coax_program::Func;
use coax_program::cfg::Loop;
use coax_program::ir::{Block, Body, Edge, Terminator};
use coax_program::ops::is_call;
use coax_term::{Algebra, Term};
use std::collections::BTreeMap;

/// The blocks between one and another that all ways to it pass.
#[derive(Debug)]
pub(super) struct Region {
    /// The other.
    top: Block,
    /// What lies between, each block after its predecessors.
    between: Vec<Block>,
    effects: Effects,
    /// Whether some ways from the top lead elsewhere, or end.
    has_escapes: bool,
    /// Whether there is nothing between but what computes, in few blocks.
    is_simple: bool,
}

/// Regions with more blocks become no choices.
const MOST_BLOCKS: usize = 16;

impl Region {
    /// What lies above a block where several ways join; none above a loop, or where nothing joins.
    pub(super) fn above_join(graph: &Graph<'_>, func: Func, shape: &Shape, join: Block) -> Option<Region> {
        if shape.cfg.predecessors(join).len() < 2 || shape.loop_at(join).is_some() {
            return None;
        }
        Region::between(graph, func, shape, shape.dominators.immediate(join)?, join)
    }

    /// What lies above a block behind a loop that all ways to it leave: the whole loop, or all of them that are left.
    pub(super) fn above_exit(graph: &Graph<'_>, func: Func, shape: &Shape, exit: Block) -> Option<Region> {
        let within = shape.dominators.immediate(exit)?;
        let is_left = |around: &&Loop| around.blocks.binary_search(&exit).is_err();
        let outermost = shape.loops.around(within).filter(is_left).last()?;
        Region::between(graph, func, shape, shape.dominators.immediate(outermost.header)?, exit)
    }

    /// None where exceptions are caught: what was done before they were thrown is not what the call does that returns.
    fn between(graph: &Graph<'_>, func: Func, shape: &Shape, top: Block, join: Block) -> Option<Region> {
        let cfg = &shape.cfg;
        let body = graph.body(func);
        let mut between = Vec::new();
        // Functions of interpreters have thousands of blocks.
        let mut is_within = vec![false; body.blocks.len()];
        let mut waiting = cfg.predecessors(join).to_vec();
        while let Some(block) = waiting.pop() {
            if block != top && !std::mem::replace(&mut is_within[block.0 as usize], true) {
                between.push(block);
                waiting.extend(cfg.predecessors(block));
            }
        }
        between.sort_by_key(|&block| cfg.place(block));
        let catches = |&block: &Block| !body.blocks[block].end.handlers().is_empty();
        if between.iter().chain([&top]).any(catches) {
            return None;
        }
        is_within[join.0 as usize] = true;
        let leads_elsewhere = |&block: &Block| {
            let next = cfg.successors(block);
            next.is_empty() || !next.iter().all(|next| is_within[next.0 as usize])
        };
        let has_escapes = between.iter().chain([&top]).any(leads_elsewhere);
        let goes_on = |&block: &Block| {
            let is_forward = |next: &Block| cfg.place(*next) > cfg.place(block);
            let only_computes = body.blocks[block].insts().all(|inst| {
                let op = &body.insts[inst].op;
                !is_call(op) && !Access::of(op).is_some_and(|access| access.store)
            });
            only_computes && cfg.successors(block).iter().all(is_forward)
        };
        let effects = Effects::of_blocks(graph, func, &between);
        let is_simple = between.len() <= MOST_BLOCKS && effects.is_none() && between.iter().all(goes_on);
        Some(Region { top, between, effects, has_escapes, is_simple })
    }

    /// Whether something is wanted that comes from here.
    fn gives(&self, body: &Body, state: &State) -> bool {
        let leaves = &state.frame().leaves;
        let is_wanted = |block: Block| {
            let data = &body.blocks[block];
            let results = data.insts().flat_map(|inst| body.list(body.insts[inst].results));
            body.list(data.params).iter().chain(results).any(|value| leaves.contains_key(value))
        };
        !leaves.is_empty() && self.between.iter().any(|&block| is_wanted(block))
    }
}

impl Search<'_, '_, '_> {
    /// Goes from the beginning of a block where ways join to where they parted, if that can be done at once.
    pub(super) fn skip(&mut self, state: &mut State) -> Above {
        let func = state.frame().func;
        let join = state.block;
        let body = self.graph.body(func);
        let params = body.list(body.blocks[join].params);
        let is_wanted = params.iter().any(|param| state.frame().leaves.contains_key(param));
        if let Some(region) = self.graph.above_exit(func, join)
            && !is_wanted
            && !region.has_escapes
            && !state.is_changed_by(&region.effects)
            && !region.gives(body, state)
        {
            self.put_above(state, region);
            return Above::There;
        }
        let Some(region) = self.graph.above_join(func, join) else { return Above::OneByOne };
        if state.is_changed_by(&region.effects) {
            return Above::OneByOne;
        }
        if !is_wanted && !region.has_escapes {
            self.put_above(state, region);
            return Above::There;
        }
        if region.is_simple
            && let Some(merged) = self.merged(state, region)
        {
            *state = merged;
            self.segments += 1;
            return if self.is_possible(state) { Above::There } else { Above::Nowhere };
        }
        if is_wanted {
            return Above::OneByOne;
        }
        let mut whole = state.clone();
        self.put_above(&mut whole, region);
        Above::Perhaps(Box::new(whole))
    }

    /// Puts a state at the end of the block above a region, before it parts.
    fn put_above(&self, state: &mut State, region: &Region) {
        self.leave_loops(state, region.top);
        state.block = region.top;
        state.before = self.graph.body(state.frame().func).blocks[region.top].insts().len();
    }

    /// The state above a region that only computes: what the join is given is a choice between what the ways bring.
    fn merged(&mut self, state: &State, region: &Region) -> Option<State> {
        let func = state.frame().func;
        let body = self.graph.body(func);
        let join = state.block;
        let mut state = state.clone();
        let params = body.list(body.blocks[join].params);
        let wanted: Vec<Option<Term>> =
            params.iter().map(|param| state.frame_mut().leaves.remove(param)).collect();
        // What every way to a block demands, and what it brings.
        let mut arriving: BTreeMap<Block, Vec<(Term, Edge)>> = BTreeMap::new();
        let mut inner = Vec::new();
        for &block in [&region.top].into_iter().chain(&region.between) {
            let data = &body.blocks[block];
            let mut is_here = self.terms.truth();
            if block != region.top {
                let ways = arriving.remove(&block)?;
                let list = body.list(data.params);
                for (number, &param) in list.iter().enumerate() {
                    let value = self.chosen(&mut state, &ways, number)?;
                    state.frame_mut().leaves.insert(param, value);
                }
                inner.extend(list);
                is_here = self.terms.falsity();
                for &(way, _) in &ways {
                    is_here = self.terms.or(is_here, way);
                }
                for inst in data.insts() {
                    let results = body.list(body.insts[inst].results);
                    if let (Some(access), &[result]) = (Access::of(&body.insts[inst].op), results) {
                        let address = state.need(self, body.list(body.insts[inst].args)[0])?;
                        let value = state.load(self, &access, address)?;
                        state.frame_mut().leaves.insert(result, value);
                        inner.push(result);
                    } else {
                        inner.extend(results);
                    }
                }
            }
            let operand = match data.end {
                Terminator::Branch { condition: value, .. } | Terminator::Switch { index: value, .. } => {
                    Some(state.need(self, value)?)
                }
                Terminator::Jump(_) => None,
                _ => continue,
            };
            for (direction, edge) in (0..).zip(data.end.edges()) {
                let goes = match (&data.end, operand) {
                    (Terminator::Switch { cases, default, .. }, Some(operand)) => {
                        choice::switch(&mut self.terms, operand, cases, *default, direction)
                    }
                    (_, Some(operand)) => choice::branch(&mut self.terms, operand, direction),
                    (_, None) => self.terms.truth(),
                };
                let way = self.terms.and(is_here, goes);
                arriving.entry(edge.to).or_default().push((way, *edge));
            }
        }
        let ways = arriving.remove(&join)?;
        let mut bindings = Vec::new();
        for (number, leaf) in wanted.iter().enumerate() {
            if let Some(leaf) = *leaf {
                bindings.push((leaf, self.chosen(&mut state, &ways, number)?));
            }
        }
        state.bind(&mut self.terms, &bindings);
        if region.has_escapes {
            let mut is_there = self.terms.falsity();
            for &(way, _) in &ways {
                is_there = self.terms.or(is_there, way);
            }
            if self.terms.as_constant(is_there) != Some(1) {
                state.conditions.push(Condition {
                    term: is_there,
                    at: body.blocks[region.top].end_offset,
                    is_fact: false,
                });
            }
        }
        for value in inner {
            state.frame_mut().leaves.remove(&value);
        }
        state.forget_unused(&self.terms);
        self.put_above(&mut state, region);
        Some(state)
    }

    /// What a parameter of a block is, whichever of these ways is gone.
    fn chosen(&mut self, state: &mut State, ways: &[(Term, Edge)], number: usize) -> Option<Term> {
        let body = self.graph.body(state.frame().func);
        let mut value = None;
        for (way, edge) in ways {
            let brought = state.need(self, body.list(edge.args)[number])?;
            value = Some(match value {
                None => brought,
                Some(other) => self.terms.ite(*way, brought, other),
            });
        }
        value
    }
}

/// Where a state is that went from a join to where its ways parted.
pub(super) enum Above {
    There,
    /// It is not possible.
    Nowhere,
    /// There, but some ways from there do not lead to the join: less is known than if they are gone one by one. If even that is not possible, none of them is.
    Perhaps(Box<State>),
    OneByOne,
}
