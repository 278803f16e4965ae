//! Steps back: over the instructions of a block, through the edges that lead to it, into functions that were called and out to those who call.

use super::effects::Effects;
use super::graph::CallPlace;
use super::state::{Frame, State};
use super::{Back, Search, value_of};
use coax_execute::semantics::Scalar;
use coax_execute::semantics::memory::Access;
use coax_program::ir::{Block, Body, Edge, Inst, Op, Terminator, Value};
use coax_program::ops::is_call;
use coax_term::Term;

/// How many functions deep calls are entered.
const MOST_FRAMES: usize = 4;
/// How often a loop is gone round exactly; rounds before that may have done anything.
const ROUNDS: u8 = 1;

/// How a block is left.
#[derive(Clone, Copy)]
enum Exit {
    /// By an edge, in a direction.
    Edge(Edge, u32),
    /// By an exception.
    Exception,
}

impl Search<'_, '_> {
    /// Goes back from a state to where the way forks.
    pub(super) fn back(&mut self, mut state: State) -> Back {
        loop {
            let body = self.graph.body(state.frame().func);
            while let Some(before) = state.before.checked_sub(1) {
                let inst = body.blocks[state.block].insts().nth(before).expect("it has so many");
                if is_call(&body.insts[inst].op)
                    && let Some(states) = self.enter_callee(&state, inst)
                {
                    return Back { states, is_at_root: false };
                }
                state.before = before;
                self.pass(&mut state, inst);
                if let Some(at) = state.false_condition(&self.terms) {
                    self.conflicts.insert(at);
                    return Back::default();
                }
            }
            if state.block == Body::ENTRY {
                return self.leave_function(state);
            }
            let mut states = self.predecessors(state);
            match states.len() {
                // Where there is one way only, nothing forks.
                1 => state = states.remove(0),
                _ => return Back { states, is_at_root: false },
            }
        }
    }

    /// Goes back over an instruction.
    fn pass(&mut self, state: &mut State, inst: Inst) {
        let body = self.graph.body(state.frame().func);
        let data = &body.insts[inst];
        let results = body.list(data.results);
        let args = body.list(data.args);
        let leaf = results.first().and_then(|result| state.frame_mut().leaves.remove(result));
        for result in results.iter().skip(1) {
            state.frame_mut().leaves.remove(result);
        }
        match &data.op {
            Op::GlobalGet { global_index } => {
                let Some(leaf) = leaf else { return };
                let width = self.terms.width_of(leaf);
                let fresh = self.symbol(width);
                let global = *state.globals.entry(*global_index).or_insert(fresh);
                state.bind(&mut self.terms, &[(leaf, global)]);
            }
            Op::GlobalSet { global_index } => {
                let Some(global) = state.globals.remove(global_index) else { return };
                if let Some(value) = state.need(self, args[0]) {
                    state.bind(&mut self.terms, &[(global, value)]);
                }
            }
            Op::MemoryCopy { .. } | Op::MemoryFill { .. } | Op::MemoryInit { .. } => state.loads.clear(),
            op if is_call(op) => {
                let place =
                    CallPlace { caller: state.frame().func, block: state.block, before: state.before };
                let effects = Effects::of_call(self.graph, place);
                state.forget(&effects);
            }
            op => match (Access::of(op), leaf) {
                (Some(access), _) if access.store && state.loads.is_empty() => {}
                (Some(access), _) if access.store => {
                    let Some(address) = state.need(self, args[0]) else { return };
                    let value = state.need(self, args[1]);
                    state.pass_store(self, &access, address, value);
                }
                (Some(access), Some(leaf)) => {
                    let Some(address) = state.need(self, args[0]) else { return };
                    state.pass_load(self, &access, address, leaf);
                }
                // It was so deep that it was not computed at once.
                (None, Some(leaf)) if Scalar::of(op).is_some() => {
                    if let Some(term) = state.need(self, results[0]) {
                        state.bind(&mut self.terms, &[(leaf, term)]);
                    }
                }
                _ => {}
            },
        }
    }

    /// The states at the ends of the blocks that lead to the block at whose beginning this one is, as far as they are possible.
    fn predecessors(&mut self, state: State) -> Vec<State> {
        let func = state.frame().func;
        let shape = self.graph.shape(func);
        let to = state.block;
        let around = shape.loops.innermost(to).filter(|around| around.header == to);
        let rounds = state.frame().rounds.get(&to).copied().unwrap_or_default();
        let mut states = Vec::new();
        for &from in shape.cfg.predecessors(to) {
            let is_round = around.is_some_and(|around| around.blocks.binary_search(&from).is_ok());
            if is_round && rounds >= ROUNDS {
                continue;
            }
            for exit in exits(self.graph.body(func), from, to) {
                let mut next = state.clone();
                if is_round {
                    next.frame_mut().rounds.insert(to, rounds + 1);
                } else if around.is_some() {
                    next.frame_mut().rounds.remove(&to);
                    if rounds >= ROUNDS {
                        self.forget_rounds(&mut next, to);
                    }
                }
                if self.go_back(&mut next, from, exit) {
                    states.push(next);
                }
            }
        }
        states
    }

    /// A loop, at whose header this is, went round before, nobody knows how often.
    fn forget_rounds(&mut self, state: &mut State, header: Block) {
        let func = state.frame().func;
        let shape = self.graph.shape(func);
        let is_it = |around: &coax_program::cfg::Loop| around.header == header;
        let Some(number) = shape.loops.loops.iter().position(is_it) else { return };
        state.forget(&shape.effects[number]);
        for param in self.graph.body(func).list(self.graph.body(func).blocks[header].params) {
            state.frame_mut().leaves.remove(param);
        }
    }

    /// Goes back through an edge; whether that is possible.
    fn go_back(&mut self, state: &mut State, from: Block, exit: Exit) -> bool {
        let body = self.graph.body(state.frame().func);
        let params = body.list(body.blocks[state.block].params);
        let leaves: Vec<Option<Term>> =
            params.iter().map(|param| state.frame_mut().leaves.remove(param)).collect();
        state.block = from;
        state.before = body.blocks[from].insts().len();
        let Exit::Edge(edge, direction) = exit else {
            self.before_throwing(state);
            return true;
        };
        let is_bound = self.bind(state, &leaves, body.list(edge.args));
        let known = state.conditions.len();
        state.take(self, direction);
        let is_changed = is_bound || state.conditions.len() != known;
        let is_possible = !is_changed || self.is_possible(state);
        let is_branch = !matches!(body.blocks[from].end, Terminator::Jump(_) | Terminator::Invoke { .. });
        self.segments += u64::from(is_branch && is_possible);
        is_possible
    }

    /// Goes back over the call that has thrown, at the end of a block. What the exception brings with it could be anything, and who throws does not leave
    /// the stack as it was.
    fn before_throwing(&mut self, state: &mut State) {
        if let Some(global) = self.graph.stack_pointer {
            state.globals.remove(&global);
        }
        let Some(before) = state.before.checked_sub(1) else { return };
        let body = self.graph.body(state.frame().func);
        let inst = body.blocks[state.block].insts().nth(before).expect("it has so many");
        if is_call(&body.insts[inst].op) {
            state.before = before;
            self.pass(state, inst);
        }
    }

    /// The states at the ends of the functions that a call, before which there are instructions, has entered. None if it is passed over: then
    /// what it gives could be anything.
    fn enter_callee(&mut self, state: &State, inst: Inst) -> Option<Vec<State>> {
        let func = state.frame().func;
        let data = &self.graph.body(func).insts[inst];
        let results = self.graph.body(func).list(data.results);
        let place = CallPlace { caller: func, block: state.block, before: state.before - 1 };
        let callees = self.graph.callees(place);
        let is_wanted = results.iter().any(|result| state.frame().leaves.contains_key(result));
        let &[callee] = callees else { return None };
        let returns = self.graph.returns(callee)?;
        // Who never returns is not passed at all.
        let is_deep =
            state.frames.len() > MOST_FRAMES || state.frames.iter().any(|frame| frame.func == callee);
        if !returns.is_empty() && (!is_wanted || is_deep) {
            return None;
        }
        let body = self.graph.body(callee);
        let mut states = Vec::new();
        for block in returns {
            let Terminator::Return(values) = &body.blocks[block].end else { continue };
            let mut next = state.clone();
            let leaves: Vec<Option<Term>> =
                results.iter().map(|result| next.frame_mut().leaves.remove(result)).collect();
            let called_at = Some((state.block, state.before - 1));
            next.frames.push(Frame { called_at, ..Frame::new(callee) });
            next.block = block;
            next.before = body.blocks[block].insts().len();
            self.bind(&mut next, &leaves, body.list(*values));
            if self.is_possible(&mut next) {
                states.push(next);
            }
        }
        Some(states)
    }

    /// The states where the function, at whose beginning this is, was called.
    fn leave_function(&mut self, mut state: State) -> Back {
        let func = state.frame().func;
        let body = self.graph.body(func);
        let params = body.list(body.blocks[Body::ENTRY].params).to_vec();
        let leaves: Vec<Option<Term>> =
            params.iter().map(|param| state.frame_mut().leaves.remove(param)).collect();
        if state.frames.len() > 1 {
            let frame = state.frames.pop().expect("there is more than one");
            let (block, before) = frame.called_at.expect("all but the first were entered");
            let args = args_at(self.graph.body(state.frame().func), block, before);
            let is_possible = self.at_call(&mut state, block, before, &leaves, &args);
            return Back { states: is_possible.then_some(state).into_iter().collect(), is_at_root: false };
        }
        let is_at_root = self.roots.contains(&func);
        if self.roots.first() == Some(&func) {
            let value = |leaf: &Option<Term>| leaf.and_then(|leaf| value_of(&state.hint, &self.terms, leaf));
            let values = leaves.iter().map(value).collect();
            self.keep_way(values);
        }
        let mut states = Vec::new();
        for &place in self.graph.callers(func) {
            let CallPlace { caller, block, before } = place;
            let mut next = state.clone();
            next.frames = vec![Frame::new(caller)];
            // Calls that come from themselves: what they demand of each other has no end.
            if next.calls.contains(&place) {
                next.demand_nothing();
            }
            next.calls.push(place);
            let args = args_at(self.graph.body(caller), block, before);
            if !self.at_call(&mut next, block, before, &leaves, &args) {
                continue;
            }
            if !next.conditions.is_empty() || self.unconditional.insert(place) {
                states.push(next);
            }
        }
        Back { states, is_at_root }
    }

    /// Puts a state before a call, whose arguments are what these symbols stand for; whether that is possible.
    fn at_call(
        &mut self,
        state: &mut State,
        block: Block,
        before: usize,
        leaves: &[Option<Term>],
        args: &[Value],
    ) -> bool {
        state.block = block;
        state.before = before;
        !self.bind(state, leaves, args) || self.is_possible(state)
    }

    /// These symbols stand for these values of the innermost call; whether there are any.
    fn bind(&mut self, state: &mut State, leaves: &[Option<Term>], values: &[Value]) -> bool {
        let mut bindings = Vec::new();
        for (leaf, &value) in leaves.iter().zip(values) {
            if let Some(leaf) = *leaf
                && let Some(term) = state.need(self, value)
            {
                bindings.push((leaf, term));
            }
        }
        state.bind(&mut self.terms, &bindings);
        !bindings.is_empty()
    }
}

/// The ways from one block to another.
fn exits(body: &Body, from: Block, to: Block) -> Vec<Exit> {
    let end = &body.blocks[from].end;
    let edges = (0..).zip(end.edges()).filter(|(_, edge)| edge.to == to);
    let mut exits: Vec<Exit> = edges.map(|(direction, &edge)| Exit::Edge(edge, direction)).collect();
    exits.extend(end.handlers().iter().filter(|handler| handler.to == to).map(|_| Exit::Exception));
    exits
}

/// The arguments of a call: an instruction, or how a block ends.
fn args_at(body: &Body, block: Block, before: usize) -> Vec<Value> {
    let data = &body.blocks[block];
    match (data.insts().nth(before), &data.end) {
        (Some(inst), _) => body.list(body.insts[inst].args).to_vec(),
        (None, Terminator::TailCall { args, .. }) => body.list(*args).to_vec(),
        (None, _) => Vec::new(),
    }
}
