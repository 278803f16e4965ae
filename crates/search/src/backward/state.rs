//! A point of the program, and what must be true there for the way to the goal.

use super::effects::Effects;
use super::graph::CallPlace;
use super::memory::Load;
use super::{Goal, Search};
use crate::facts::Numbers;
use coax_execute::semantics::{Scalar, choice};
use coax_program::Func;
use coax_program::ir::{Block, Def, Op, Terminator, ValType, Value};
use coax_term::{Algebra, Model, Node, Substitution, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// A condition of a branch on the way, and its byte in the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct Condition {
    pub(super) term: Term,
    pub(super) at: u32,
    /// Whether it holds in all runs, wherever they go.
    pub(super) is_fact: bool,
}

/// A point on a way back. Symbols stand for what is not computed yet: parameters of blocks, what was loaded, what calls gave.
#[derive(Clone)]
pub(super) struct State {
    /// The calls under way that are known, the innermost last. Who called the first is not known yet.
    pub(super) frames: Vec<Frame>,
    /// The point is in this block of the innermost, behind so many instructions.
    pub(super) block: Block,
    pub(super) before: usize,
    pub(super) conditions: Vec<Condition>,
    /// Conditions that solvers cannot judge.
    pub(super) hard: Vec<Condition>,
    /// What is read from memory further down.
    pub(super) loads: Vec<Load>,
    /// What globals are here, as far as somebody wants to know.
    pub(super) globals: BTreeMap<u32, Term>,
    /// The calls that the way came from, each further up than the one before.
    pub(super) calls: Vec<CallPlace>,
    /// The call that it was just come to, if nothing is demanded there.
    pub(super) unconditional: Option<CallPlace>,
    /// Values with which the conditions hold, if solvers have found some.
    pub(super) hint: Model,
    /// How many steps the way from here to the goal has.
    pub(super) far: u32,
}

/// A call under way.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) func: Func,
    /// Where it was called, if it was entered from there: the block, and how many instructions are before the call.
    pub(super) called_at: Option<(Block, usize)>,
    /// Symbols for values that are defined further up.
    pub(super) leaves: BTreeMap<Value, Term>,
    /// How often each loop was gone round, by its header.
    pub(super) rounds: BTreeMap<Block, u8>,
    /// The loops that the way leaves, by their headers: what their last round was is known.
    pub(super) left: BTreeSet<Block>,
}

impl Frame {
    pub(super) fn new(func: Func) -> Frame {
        Frame {
            func,
            called_at: None,
            leaves: BTreeMap::new(),
            rounds: BTreeMap::new(),
            left: BTreeSet::new(),
        }
    }
}

/// How deep a value is computed from others at once.
const DEEPEST: u32 = 256;

impl State {
    /// At a goal; none if what it demands cannot be said.
    pub(super) fn at(search: &mut Search<'_, '_, '_>, goal: Goal) -> Option<State> {
        let body = search.graph.body(goal.func());
        let mut state = State {
            frames: vec![Frame::new(goal.func())],
            block: Block(0),
            before: 0,
            conditions: Vec::new(),
            hard: Vec::new(),
            loads: Vec::new(),
            globals: BTreeMap::new(),
            calls: Vec::new(),
            unconditional: None,
            hint: Model::new(),
            far: 0,
        };
        match goal {
            Goal::Point(_, block, before) => (state.block, state.before) = (block, before),
            Goal::Direction(_, block, direction) => {
                state.block = block;
                state.before = body.blocks[block].insts().len();
                state.take(search, direction);
            }
            Goal::Trap(_, block, inst) => {
                state.block = block;
                state.before = body.blocks[block].insts().position(|it| it == inst)?;
                let data = &body.insts[inst];
                let operands: Option<Vec<Term>> =
                    body.list(data.args).iter().map(|&arg| state.need(search, arg)).collect();
                let scalar = Scalar::of(&data.op)?;
                let mut any = search.terms.falsity();
                for (condition, _) in scalar.traps(&mut search.terms, &operands?).iter() {
                    any = search.terms.or(any, condition);
                }
                state.conditions.push(Condition { term: any, at: data.offset, is_fact: false });
            }
        }
        Some(state)
    }

    pub(super) fn frame(&self) -> &Frame {
        self.frames.last().expect("there is always one")
    }

    pub(super) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("there is always one")
    }

    /// The condition under which the block, at whose end this is, ends in this direction. What is no number demands nothing.
    pub(super) fn take(&mut self, search: &mut Search<'_, '_, '_>, direction: u32) {
        let data = &search.graph.body(self.frame().func).blocks[self.block];
        let (value, at) = match data.end {
            Terminator::Branch { condition, .. } => (condition, data.end_offset),
            Terminator::Switch { index, .. } => (index, data.end_offset),
            _ => return,
        };
        let Some(operand) = self.need(search, value) else { return };
        let term = match &data.end {
            Terminator::Switch { cases, default, .. } => {
                choice::switch(&mut search.terms, operand, cases, *default, direction)
            }
            _ => choice::branch(&mut search.terms, operand, direction),
        };
        if search.terms.as_constant(term) != Some(1) {
            self.conditions.push(Condition { term, at, is_fact: false });
        }
    }

    /// The term of a value of the innermost call; none if it is no number.
    pub(super) fn need(&mut self, search: &mut Search<'_, '_, '_>, value: Value) -> Option<Term> {
        let mut known = BTreeMap::new();
        self.need_deeply(search, value, &mut known, 0)
    }

    fn need_deeply(
        &mut self,
        search: &mut Search<'_, '_, '_>,
        value: Value,
        known: &mut BTreeMap<Value, Term>,
        depth: u32,
    ) -> Option<Term> {
        if let Some(&term) = self.frame().leaves.get(&value).or_else(|| known.get(&value)) {
            return Some(term);
        }
        let body = search.graph.body(self.frame().func);
        let data = body.values[value];
        if let (Def::Result(inst, _), true) = (data.def, depth < DEEPEST) {
            let inst = &body.insts[inst];
            let args = body.list(inst.args);
            let mut operands = |state: &mut State, search: &mut Search<'_, '_, '_>| -> Option<Vec<Term>> {
                args.iter().map(|&arg| state.need_deeply(search, arg, known, depth + 1)).collect()
            };
            let term = match (&inst.op, Scalar::of(&inst.op)) {
                (_, Some(scalar)) => {
                    let operands = operands(self, search)?;
                    Some(scalar.result(&mut search.terms, &operands))
                }
                (Op::Select | Op::TypedSelect { .. }, _) => {
                    let operands = operands(self, search)?;
                    let truth = choice::truth(&mut search.terms, operands[2]);
                    Some(search.terms.ite(truth, operands[0], operands[1]))
                }
                _ => None,
            };
            if let Some(term) = term {
                known.insert(value, term);
                return Some(term);
            }
        }
        let numbers = search.facts.and_then(|facts| facts.numbers(self.frame().func, value, width(data.ty)?));
        if let Some(number) = numbers.as_ref().and_then(Numbers::only) {
            return Some(search.terms.constant(width(data.ty)?, number));
        }
        let leaf = search.symbol(width(data.ty)?);
        if let Node::Symbol(symbol) = search.terms.node(leaf) {
            self.hint.set(symbol, one(data.ty));
        }
        if let Def::Result(inst, _) = data.def
            && let Op::GlobalGet { global_index } = body.insts[inst].op
            && Some(global_index) == search.graph.stack_pointer
        {
            search.stack_pointers.insert(leaf);
        }
        self.frame_mut().leaves.insert(value, leaf);
        let at = match data.def {
            Def::Result(inst, _) => body.insts[inst].offset,
            Def::Param(block, _) => body.blocks[block].end_offset,
        };
        if let Some(term) = numbers.and_then(|numbers| search.is_one_of(leaf, &numbers)) {
            self.conditions.push(Condition { term, at, is_fact: true });
        }
        Some(leaf)
    }

    /// What symbols stand for is known now.
    pub(super) fn bind(&mut self, terms: &mut Terms, bindings: &[(Term, Term)]) {
        if bindings.is_empty() {
            return;
        }
        let mut substitution = Substitution::default();
        bindings.iter().for_each(|&(symbol, term)| substitution.put(symbol, term));
        for condition in self.conditions.iter_mut().chain(&mut self.hard) {
            condition.term = substitution.apply(terms, condition.term, &mut |_| None);
        }
        for load in &mut self.loads {
            load.address = substitution.apply(terms, load.address, &mut |_| None);
        }
        self.conditions.retain(|condition| terms.as_constant(condition.term) != Some(1));
    }

    /// Something was passed over that may have changed this.
    pub(super) fn forget(&mut self, effects: &Effects) {
        if effects.memory {
            self.loads.clear();
        }
        self.globals.retain(|global, _| !effects.globals.contains(global));
    }

    /// Whether something is wanted that these change.
    pub(super) fn is_changed_by(&self, effects: &Effects) -> bool {
        effects.memory && !self.loads.is_empty() || self.globals.keys().any(|it| effects.globals.contains(it))
    }

    /// What nothing is demanded of any more need not be found out.
    pub(super) fn forget_unused(&mut self, terms: &Terms) {
        let demanded = self.conditions.iter().chain(&self.hard).map(|condition| condition.term);
        let roots: Vec<Term> = demanded.collect();
        let mut used: BTreeSet<Term> = terms.in_post_order(&roots).collect();
        // What tells where something is that is used is used.
        loop {
            let before = used.len();
            let addresses: Vec<Term> =
                self.loads.iter().filter(|load| used.contains(&load.bits)).map(|load| load.address).collect();
            used.extend(terms.in_post_order(&addresses));
            if used.len() == before {
                break;
            }
        }
        self.loads.retain(|load| used.contains(&load.bits));
        self.globals.retain(|_, symbol| used.contains(symbol));
        for frame in &mut self.frames {
            frame.leaves.retain(|_, leaf| used.contains(leaf));
        }
    }

    /// From here on nothing is demanded.
    pub(super) fn demand_nothing(&mut self) {
        self.conditions.clear();
        self.hard.clear();
        self.loads.clear();
        self.globals.clear();
    }

    /// A condition that does not hold, whatever the symbols are: where it is.
    pub(super) fn false_condition(&self, terms: &Terms) -> Option<u32> {
        let is_false = |condition: &&Condition| terms.as_constant(condition.term) == Some(0);
        self.conditions.iter().find(is_false).map(|condition| condition.at)
    }
}

impl Search<'_, '_, '_> {
    /// A symbol that stands for nothing else; no input has such a name.
    pub(super) fn symbol(&mut self, width: u8) -> Term {
        self.fresh += 1;
        self.terms.symbol(&format!("^{}", self.fresh), width)
    }

    /// The condition that a symbol is one of these numbers; none if that is not worth saying.
    fn is_one_of(&mut self, symbol: Term, numbers: &Numbers) -> Option<Term> {
        match *numbers {
            Numbers::None => None,
            Numbers::Few(ref few) => {
                let mut any = self.terms.falsity();
                for &number in few {
                    let is_it = self.terms.has_value(symbol, number);
                    any = self.terms.or(any, is_it);
                }
                Some(any)
            }
            Numbers::Between(low, high) => {
                let is_above = self.terms.is_at_least(symbol, low);
                let is_below = self.terms.is_at_most(symbol, high);
                Some(self.terms.and(is_above, is_below))
            }
        }
    }
}

/// The number that a value is taken to be at first: programs seldom like zeros.
fn one(ty: ValType) -> u64 {
    match ty {
        ValType::F32 => 1_f32.to_bits().into(),
        ValType::F64 => 1_f64.to_bits(),
        _ => 1,
    }
}

/// How wide the numbers of a type are; none of what is no number.
pub(super) fn width(ty: ValType) -> Option<u8> {
    match ty {
        ValType::I32 | ValType::F32 => Some(32),
        ValType::I64 | ValType::F64 => Some(64),
        ValType::V128 | ValType::Ref(_) => None,
    }
}
