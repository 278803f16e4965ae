//! Loops and calls as functions of what they are given (the loop methods and external methods of Dinges 2014). Solvers know nothing of them; a concrete search
//! runs them.

use super::Search;
use super::state::{State, width};
use coax_execute::Method;
use coax_program::Func;
use coax_program::ir::{Block, Body, Def, Inst, Op, Value};
use coax_term::{Algebra, Binary, Term, mask};

/// What a function of terms stands for: something that the program does, and which of the numbers that it gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Applied {
    pub(super) method: Method,
    pub(super) output: usize,
}

/// How wide numbers of rounds are.
const ROUNDS_WIDTH: u8 = 64;

impl Search<'_, '_, '_> {
    /// Goes back over the rounds of a loop, at whose header this is: its parameters are what the loop made of what they were. Whether nothing is lost by that.
    pub(super) fn pass_loop(&mut self, state: &mut State, header: Block) -> bool {
        let func = state.frame().func;
        let shape = self.graph.shape(func);
        let Some(number) = shape.loop_at(header) else { return false };
        let body = self.graph.body(func);
        let params = body.list(body.blocks[header].params);
        let known = (state.loads.len(), state.globals.len());
        state.forget(&shape.effects[number]);
        let is_exact = known == (state.loads.len(), state.globals.len());
        let wanted: Vec<Option<Term>> =
            params.iter().map(|param| state.frame_mut().leaves.remove(param)).collect();
        if wanted.iter().all(Option::is_none) {
            return is_exact;
        }
        // Who is still within the loop at the goal does not know which round it is.
        let is_left = state.frame_mut().left.remove(&header);
        self.fresh += 1;
        let rounds = (!is_left).then(|| self.symbol(ROUNDS_WIDTH));
        // From here on parameters stand for what they are when the loop is entered.
        let given: Option<Vec<Term>> =
            shape.given[number].iter().map(|&value| state.need(self, value)).collect();
        let mut bindings = Vec::new();
        for (output, (leaf, &param)) in wanted.iter().zip(params).enumerate() {
            // What is given to a loop that has something else than numbers is not known.
            let (Some(leaf), Some(given)) = (*leaf, &given) else { continue };
            let method = Method::Loop(func, header);
            let value = match (step(body, header, param, &shape.loops.loops[number].blocks), rounds) {
                (Some(step), rounds) => {
                    let applied = Applied { method, output: params.len() };
                    let rounds = rounds.unwrap_or_else(|| self.apply(applied, ROUNDS_WIDTH, given));
                    let first = given[output];
                    let width = self.terms.width_of(first);
                    let rounds = self.terms.extract(rounds, 0, width);
                    let step = self.terms.constant(width, step & mask(width));
                    let way = self.terms.binary(Binary::Mul, rounds, step);
                    self.terms.binary(Binary::Add, first, way)
                }
                (None, Some(_)) => continue,
                (None, None) => {
                    let width = self.terms.width_of(leaf);
                    self.apply(Applied { method, output }, width, given)
                }
            };
            bindings.push((leaf, value));
        }
        state.bind(&mut self.terms, &bindings);
        false
    }

    /// Goes back over a call: what it gives is a function of what it is given. Whether it can be said so.
    pub(super) fn pass_call(&mut self, state: &mut State, inst: Inst, callee: Func) -> bool {
        let body = self.graph.body(state.frame().func);
        let data = &body.insts[inst];
        let given: Option<Vec<Term>> =
            body.list(data.args).iter().map(|&arg| state.need(self, arg)).collect();
        let Some(given) = given else { return false };
        self.fresh += 1;
        let mut bindings = Vec::new();
        for (output, result) in body.list(data.results).iter().enumerate() {
            let Some(&leaf) = state.frame().leaves.get(result) else { continue };
            let Some(width) = width(body.values[*result].ty) else { return false };
            bindings.push((
                leaf,
                self.apply(Applied { method: Method::Function(callee), output }, width, &given),
            ));
        }
        state.bind(&mut self.terms, &bindings);
        state.before -= 1;
        self.pass(state, inst);
        true
    }

    /// What the loop or call gives that was passed last. Another time it may give something else for the same: it may read memory.
    fn apply(&mut self, applied: Applied, width: u8, given: &[Term]) -> Term {
        let function = self.terms.function(&format!("m{} {}", self.fresh, applied.output), width);
        self.applied.insert(function, applied);
        self.terms.apply(function, given)
    }
}

/// By how much each round changes a parameter of a loop's header, if it is the same every time.
fn step(body: &Body, header: Block, param: Value, blocks: &[Block]) -> Option<u64> {
    let Def::Param(_, number) = body.values[param].def else { return None };
    let mut step = None;
    for &block in blocks {
        for edge in body.blocks[block].end.edges().iter().filter(|edge| edge.to == header) {
            let this = added(body, param, body.list(edge.args)[number as usize])?;
            if step.is_some_and(|step| step != this) {
                return None;
            }
            step = Some(this);
        }
    }
    step
}

/// What is added to one value to get another, as a constant.
fn added(body: &Body, from: Value, to: Value) -> Option<u64> {
    if from == to {
        return Some(0);
    }
    let Def::Result(inst, _) = body.values[to].def else { return None };
    let data = &body.insts[inst];
    let &[one, other] = body.list(data.args) else { return None };
    match data.op {
        Op::I32Add | Op::I64Add if one == from => constant(body, other),
        Op::I32Add | Op::I64Add if other == from => constant(body, one),
        Op::I32Sub | Op::I64Sub if one == from => constant(body, other).map(u64::wrapping_neg),
        _ => None,
    }
}

fn constant(body: &Body, value: Value) -> Option<u64> {
    let Def::Result(inst, _) = body.values[value].def else { return None };
    match body.insts[inst].op {
        Op::I32Const { value } => Some(value as u64),
        Op::I64Const { value } => Some(value as u64),
        _ => None,
    }
}
