//! Steps back: over the instructions of a block, through the edges that lead to it, into functions that were called and out to those who call.

use super::effects::Effects;
use super::graph::CallPlace;
use super::region::Above;
use super::state::{Frame, State};
use super::{End, Fork, Search};
use crate::facts::Facts;
use coax_execute::semantics::Scalar;
use coax_execute::semantics::memory::Access;
use coax_program::cfg::Loop;
use coax_program::ir::{Block, Body, Edge, Inst, Op, Terminator, ValType, Value};
use coax_program::ops::is_call;
use coax_program::{Func, Program};
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

impl Search<'_, '_, '_> {
    /// Goes back from a state to where the way forks.
    pub(super) fn back(&mut self, mut state: State) -> Result<Fork, End> {
        loop {
            self.go_on()?;
            self.try_early(&state)?;
            self.note(&state);
            state.far += 1;
            let body = self.graph.body(state.frame().func);
            while let Some(before) = state.before.checked_sub(1) {
                let inst = body.blocks[state.block].insts().nth(before).expect("it has so many");
                if is_call(&body.insts[inst].op) {
                    // What a call has given and done is known right behind it, and not before.
                    self.note(&state);
                    if let Some(fork) = self.enter_callee(&state, inst) {
                        return Ok(fork);
                    }
                }
                state.before = before;
                self.pass(&mut state, inst);
                if let Some(at) = state.false_condition(&self.terms) {
                    self.conflicts.insert(at);
                    return Ok(Fork::default());
                }
            }
            if state.block == Body::ENTRY {
                return Ok(self.leave_function(state));
            }
            let method = match self.skip(&mut state) {
                Above::There => continue,
                Above::Nowhere => return Ok(Fork::default()),
                Above::Perhaps(whole) => Some(*whole),
                Above::OneByOne => None,
            };
            let mut fork = self.predecessors(state);
            fork.method = fork.method.or(method);
            match (&fork.method, fork.ways.len()) {
                // Where there is one way only, nothing forks.
                (None, 1) => state = fork.ways.remove(0),
                _ => return Ok(fork),
            }
        }
    }

    /// Goes back over an instruction.
    pub(super) fn pass(&mut self, state: &mut State, inst: Inst) {
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
                if Some(*global_index) == self.graph.stack_pointer {
                    self.stack_pointers.insert(fresh);
                }
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
    fn predecessors(&mut self, state: State) -> Fork {
        let func = state.frame().func;
        let shape = self.graph.shape(func);
        let to = state.block;
        let around = shape.loops.innermost(to).filter(|around| around.header == to);
        let rounds = state.frame().rounds.get(&to).copied().unwrap_or_default();
        let is_round = |from: Block| around.is_some_and(|around| around.blocks.binary_search(&from).is_ok());
        let (back, into): (Vec<Block>, Vec<Block>) =
            shape.cfg.predecessors(to).iter().copied().partition(|&from| is_round(from));
        let mut fork = Fork::default();
        if around.is_some() && rounds == 0 {
            let mut whole = state.clone();
            let is_exact = self.pass_loop(&mut whole, to);
            let mut ways: Vec<State> = Vec::new();
            for &from in &into {
                ways.extend(self.through_edges(&whole, from));
            }
            if is_exact {
                return Fork { ways, ..fork };
            }
            // A loop that is entered at several places is no single state; wasm hardly has any.
            match ways.len() {
                0 => return fork,
                1 => fork.method = ways.pop(),
                _ => {}
            }
        }
        for from in into {
            let mut next = state.clone();
            if around.is_some() {
                next.frame_mut().rounds.remove(&to);
                next.frame_mut().left.remove(&to);
                if rounds >= ROUNDS {
                    self.forget_rounds(&mut next, to);
                }
            }
            fork.ways.extend(self.through_edges(&next, from));
        }
        for from in back.into_iter().filter(|_| rounds < ROUNDS) {
            let mut next = state.clone();
            next.frame_mut().rounds.insert(to, rounds + 1);
            fork.ways.extend(self.through_edges(&next, from));
        }
        fork
    }

    /// The states at the end of a block, by the edges through which it leads here, as far as they are possible.
    fn through_edges(&mut self, state: &State, from: Block) -> Vec<State> {
        let mut states = Vec::new();
        for exit in exits(self.graph.body(state.frame().func), from, state.block) {
            let mut next = state.clone();
            if self.go_back(&mut next, from, exit) {
                states.push(next);
            }
        }
        states
    }

    /// A loop, at whose header this is, went round before, nobody knows how often.
    fn forget_rounds(&mut self, state: &mut State, header: Block) {
        let func = state.frame().func;
        let shape = self.graph.shape(func);
        let Some(number) = shape.loop_at(header) else { return };
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
        self.leave_loops(state, from);
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

    /// The way to a state left the loops that another block is in, and it is not.
    pub(super) fn leave_loops(&self, state: &mut State, from: Block) {
        let loops = &self.graph.shape(state.frame().func).loops;
        let is_left = |around: &&Loop| around.blocks.binary_search(&state.block).is_err();
        let left: Vec<Block> = loops.around(from).filter(is_left).map(|around| around.header).collect();
        state.frame_mut().left.extend(left);
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
    fn enter_callee(&mut self, state: &State, inst: Inst) -> Option<Fork> {
        let func = state.frame().func;
        let data = &self.graph.body(func).insts[inst];
        let results = self.graph.body(func).list(data.results);
        let place = CallPlace { caller: func, block: state.block, before: state.before - 1 };
        let may_call = |callee: &Func| {
            let of_place = (func, place.block, place.before);
            self.facts.is_none_or(|facts| facts.may_call(of_place, data.offset, *callee))
        };
        let callees: Vec<Func> = self.graph.callees(place).iter().copied().filter(may_call).collect();
        let is_wanted = results.iter().any(|result| state.frame().leaves.contains_key(result));
        let [callee] = callees[..] else { return None };
        let returns = self.graph.returns(callee)?;
        // Who never returns is not passed at all.
        let is_deep =
            state.frames.len() > MOST_FRAMES || state.frames.iter().any(|frame| frame.func == callee);
        if !returns.is_empty() && !is_wanted {
            return None;
        }
        let mut fork = Fork::default();
        // Solvers know little of what is computed with floats, and it seldom depends on memory: better run it than go through it.
        if !returns.is_empty() && (is_deep || computes_floats(self.graph.program, callee)) {
            let mut whole = state.clone();
            if !self.pass_call(&mut whole, inst, callee) {
                return None;
            }
            match self.is_possible(&mut whole) {
                false => return Some(fork),
                true if is_deep => return Some(Fork { ways: vec![whole], ..fork }),
                true => fork.method = Some(whole),
            }
        }
        let body = self.graph.body(callee);
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
                fork.ways.push(next);
            }
        }
        Some(fork)
    }

    /// The states where the function, at whose beginning this is, was called.
    fn leave_function(&mut self, mut state: State) -> Fork {
        let func = state.frame().func;
        let body = self.graph.body(func);
        let params = body.list(body.blocks[Body::ENTRY].params).to_vec();
        let root = (state.frames.len() == 1 && self.roots.contains(&func)).then(|| state.clone());
        let leaves: Vec<Option<Term>> =
            params.iter().map(|param| state.frame_mut().leaves.remove(param)).collect();
        if state.frames.len() > 1 {
            let frame = state.frames.pop().expect("there is more than one");
            let (block, before) = frame.called_at.expect("all but the first were entered");
            let args = args_at(self.graph.body(state.frame().func), block, before);
            let is_possible = self.at_call(&mut state, block, before, &leaves, &args);
            return Fork { ways: is_possible.then_some(state).into_iter().collect(), ..Fork::default() };
        }
        let mut ways = Vec::new();
        for &place in self.graph.callers(func) {
            let CallPlace { caller, block, before } = place;
            let may_call =
                |facts: &&Facts<'_>| facts.may_call((caller, block, before), self.graph.offset(place), func);
            if self.facts.is_some_and(|facts| !may_call(&facts)) {
                continue;
            }
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
            // Facts alone demand nothing: without them, calls that come to the same are seen to.
            if next.conditions.iter().all(|condition| condition.is_fact) {
                next.conditions.clear();
            }
            next.unconditional = next.conditions.is_empty().then_some(place);
            ways.push(next);
        }
        Fork { method: None, ways, root }
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

/// Whether a function makes something of floats.
fn computes_floats(program: &Program, func: Func) -> bool {
    program.signature(func).params.iter().any(|ty| matches!(ty, ValType::F32 | ValType::F64))
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
