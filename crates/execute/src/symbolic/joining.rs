//! Calls whose ways are joined: instead of a decision for each byte that it compares, `memcmp` gives one value that says it all.
//!
//! A function that only computes and reads is carried out here, by all ways that its arguments and memory leave open. Where two ways part, what they
//! give is joined by a choice (`ite`). So the path has no decisions of the call, and a question about what it gave is a question about all bytes at once. Nothing is lost: the terms hold
//! for every input that comes to the call. If there are too many ways, or a place in memory that depends on the input may be one of a few, the call runs as usual; one that may
//! be anywhere is taken where it is, as the call itself would.

use super::calls::Datum;
use super::cells::Linear;
use super::mixed::{Mixed, Mixing};
use super::run::width;
use crate::instrument::Joined;
use crate::semantics::memory::{Access, split_address};
use crate::semantics::{Scalar, choice, window};
use coax_program::Func;
use coax_program::ir::{Block, Body, Edge, Op, Terminator, Value};
use coax_term::{Algebra, Terms};
use std::collections::BTreeSet;
use wasmtime::AsContextMut;

/// What may be carried out for one call, and before anything depends on the input.
const MOST_STEPS: u32 = 4096;
const MOST_IDLE: u32 = 256;
/// How often ways may part.
const MOST_FORKS: u32 = 64;
/// How many different numbers may come out, unless they are only compared. One that gives a place or a length has many: the program will want to know which.
const MOST_NUMBERS: usize = 2;
/// Calls within each other.
const MOST_DEPTH: u32 = 4;

/// The call cannot be joined.
struct TooMuch;

pub(super) struct Joining<'a, S> {
    functions: &'a Joined,
    linear: Option<Linear<'a, S>>,
    terms: &'a mut Terms,
    steps: u32,
    /// Those of them before ways parted.
    idle: u32,
    forks: u32,
    depth: u32,
    /// Reads at places that depend on the input.
    places: Vec<SomePlace>,
}

/// A read at a place that depends on the input and is taken as it is.
#[derive(Clone, Copy)]
pub(super) struct SomePlace {
    pub(super) access: Access,
    pub(super) address: Mixed,
    /// Byte offset of the operator in the module.
    pub(super) at: u32,
}

type Values = Vec<Option<Mixed>>;

impl<'a, S: AsContextMut> Joining<'a, S> {
    pub(super) fn new(
        functions: &'a Joined,
        linear: Option<Linear<'a, S>>,
        terms: &'a mut Terms,
    ) -> Joining<'a, S> {
        Joining { functions, linear, terms, steps: 0, idle: 0, forks: 0, depth: 0, places: Vec::new() }
    }

    /// What a call gives, by all its ways, and where it read; none if it has to run.
    pub(super) fn results(
        &mut self,
        func: Func,
        args: &[Option<Datum>],
    ) -> Option<(Vec<Mixed>, Vec<SomePlace>)> {
        let body = self.functions.bodies.get(&func)?;
        let params = body.list(body.blocks[Body::ENTRY].params);
        let arg = |(&param, arg): (&Value, &Option<Datum>)| {
            let (width, Datum { bits, term }) = (width(body.values[param].ty)?, (*arg)?);
            Some(Mixed::new(width, bits, term))
        };
        let args: Vec<Mixed> = params.iter().zip(args).map(arg).collect::<Option<_>>()?;
        let mut ends = Vec::new();
        let results = self.call(func, &args, &mut ends).ok()?;
        let numbers: BTreeSet<u64> =
            ends.iter().filter(|end| end.term().is_none()).map(|end| end.bits).collect();
        let is_fine = numbers.len() <= MOST_NUMBERS || self.functions.conditions.contains(&func);
        (self.forks == 0 || is_fine).then(|| (results, std::mem::take(&mut self.places)))
    }

    /// How many steps were carried out before the first that depends on the input.
    pub(super) fn idle(&self) -> u32 {
        self.idle
    }

    fn call(&mut self, func: Func, args: &[Mixed], ends: &mut Vec<Mixed>) -> Result<Vec<Mixed>, TooMuch> {
        let body = self.functions.bodies.get(&func).ok_or(TooMuch)?;
        if self.depth == MOST_DEPTH {
            return Err(TooMuch);
        }
        let mut values: Values = vec![None; body.values.len()];
        for (&param, &arg) in body.list(body.blocks[Body::ENTRY].params).iter().zip(args) {
            values[param.0 as usize] = Some(arg);
        }
        self.depth += 1;
        let results = self.go_on(body, Body::ENTRY, values, ends);
        self.depth -= 1;
        results
    }

    /// What comes of going on from the beginning of a block. Each way's first result is an end.
    fn go_on(
        &mut self,
        body: &Body,
        mut block: Block,
        mut values: Values,
        ends: &mut Vec<Mixed>,
    ) -> Result<Vec<Mixed>, TooMuch> {
        loop {
            for inst in body.blocks[block].insts() {
                let data = &body.insts[inst];
                let args = self.list(body.list(data.args), &values)?;
                let results = self.carry_out(&data.op, data.offset, &args)?;
                for (&value, result) in body.list(data.results).iter().zip(results) {
                    values[value.0 as usize] = Some(result);
                }
            }
            match &body.blocks[block].end {
                Terminator::Jump(edge) => block = self.pass(body, edge, &mut values)?,
                Terminator::Branch { condition, targets } => {
                    let condition = value(&values, *condition)?;
                    let holds = choice::truth(&mut Mixing(self.terms), condition);
                    if holds.term().is_none() {
                        block = self.pass(body, &targets[usize::from(holds.bits != 0)], &mut values)?;
                        continue;
                    }
                    self.forks += 1;
                    if self.forks > MOST_FORKS {
                        return Err(TooMuch);
                    }
                    let mut others = values.clone();
                    let other = self.pass(body, &targets[0], &mut others)?;
                    let otherwise = self.go_on(body, other, others, ends)?;
                    let then = self.pass(body, &targets[1], &mut values)?;
                    let then = self.go_on(body, then, values, ends)?;
                    let mut mixing = Mixing(self.terms);
                    let both = then.into_iter().zip(otherwise);
                    return Ok(both.map(|(then, otherwise)| mixing.ite(holds, then, otherwise)).collect());
                }
                Terminator::Return(results) => {
                    let results = self.list(body.list(*results), &values)?;
                    ends.extend(results.first());
                    return Ok(results);
                }
                Terminator::TailCall { op: Op::ReturnCall { function_index }, args } => {
                    let args = self.list(body.list(*args), &values)?;
                    return self.call(Func(*function_index), &args, ends);
                }
                _ => return Err(TooMuch),
            }
        }
    }

    fn list(&mut self, list: &[Value], values: &Values) -> Result<Vec<Mixed>, TooMuch> {
        list.iter().map(|&one| value(values, one)).collect()
    }

    /// Gives the parameters of the block that an edge leads to their values.
    fn pass(&mut self, body: &Body, edge: &Edge, values: &mut Values) -> Result<Block, TooMuch> {
        let args = self.list(body.list(edge.args), values)?;
        for (&param, arg) in body.list(body.blocks[edge.to].params).iter().zip(args) {
            values[param.0 as usize] = Some(arg);
        }
        // Also where nothing is computed a loop must end.
        self.step()?;
        Ok(edge.to)
    }

    fn step(&mut self) -> Result<(), TooMuch> {
        self.steps += 1;
        self.idle += u32::from(self.forks == 0);
        let most = if self.forks == 0 { MOST_IDLE } else { MOST_STEPS };
        if self.steps > most { Err(TooMuch) } else { Ok(()) }
    }

    fn carry_out(&mut self, op: &Op, at: u32, args: &[Mixed]) -> Result<Vec<Mixed>, TooMuch> {
        self.step()?;
        let mut mixing = Mixing(self.terms);
        if let Some(scalar) = Scalar::of(op) {
            let may_trap = scalar.can_trap()
                && scalar
                    .traps(&mut mixing, args)
                    .iter()
                    .any(|(condition, _)| condition.term().is_some() || condition.bits != 0);
            return if may_trap { Err(TooMuch) } else { Ok(vec![scalar.result(&mut mixing, args)]) };
        }
        match op {
            Op::Select | Op::TypedSelect { .. } => {
                let holds = choice::truth(&mut mixing, args[2]);
                Ok(vec![mixing.ite(holds, args[0], args[1])])
            }
            // What each of its ways gives is not what the whole call gives.
            Op::Call { function_index } => self.call(Func(*function_index), args, &mut Vec::new()),
            _ => self.load(Access::of(op).ok_or(TooMuch)?, args[0], at),
        }
    }

    fn load(&mut self, access: Access, address: Mixed, at: u32) -> Result<Vec<Mixed>, TooMuch> {
        let size = self.linear.as_ref().ok_or(TooMuch)?.size();
        let mut mixing = Mixing(self.terms);
        let fits = access.in_bounds(&mut mixing, address, size);
        if access.memarg.memory != 0 || fits.bits == 0 {
            return Err(TooMuch);
        }
        let effective = access.effective(&mut mixing, address);
        if effective.term().is_some() && !self.is_known(effective) {
            self.take_place(SomePlace { access, address, at }, effective)?;
        }
        let linear = self.linear.as_mut().ok_or(TooMuch)?;
        let (address, bytes) = (effective.bits, access.bytes);
        let is_data = |address: u64| self.functions.data.iter().any(|range| range.contains(&address));
        let is_symbolic = |address: u64| !linear.symbolic(address, 1).is_empty();
        // A way that this run does not go may read behind a block: then it is followed, so that this is found.
        let is_fine = |address: u64| is_data(address) || is_symbolic(address);
        if self.forks > 0 && !(address..address + u64::from(bytes)).all(is_fine) {
            return Err(TooMuch);
        }
        linear.note_read(address, bytes.into());
        let (bits, term) = (linear.number(address, bytes), linear.term(self.terms, address, bytes));
        let loaded = Mixed::new(8 * bytes, bits, term);
        Ok(vec![access.loaded(&mut Mixing(self.terms), loaded)])
    }

    /// Whether a place is a fixed distance from one that was taken as it is.
    fn is_known(&self, place: Mixed) -> bool {
        let base = |place: Mixed| place.term().and_then(|term| split_address(self.terms, term).0);
        self.places.iter().any(|known| base(known.address) == base(place))
    }

    /// Takes a place as it is, as the call itself would: if it has many values, and before ways part.
    fn take_place(&mut self, place: SomePlace, effective: Mixed) -> Result<(), TooMuch> {
        let (Some(linear), Some(term)) = (&self.linear, effective.term()) else { return Err(TooMuch) };
        if self.forks > 0
            || window::places(self.terms, linear, term, place.access.bytes, window::READS).is_some()
        {
            return Err(TooMuch);
        }
        self.places.push(place);
        Ok(())
    }
}

fn value(values: &Values, one: Value) -> Result<Mixed, TooMuch> {
    values[one.0 as usize].ok_or(TooMuch)
}
