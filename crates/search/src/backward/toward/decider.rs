//! What a decision goes by: one value, and what operators with constants make of it.
//!
//! Most programs pass on by numbers whether something was well: `if (parse(...) < 0) return -1;`. So which of the numbers that a function gives back lead on, and which
//! do not, is known without a run.

use coax_execute::semantics::Scalar;
use coax_program::ir::{Block, Body, Def, Terminator, ValType, Value};
use coax_term::{Bits, Concrete, mask};

/// So many operators are between a value and a decision, at most.
const MOST_STEPS: usize = 8;

/// What a decision goes by.
pub(super) struct Decider<'p> {
    /// The value, which no operator has made.
    pub(super) root: Value,
    width: u8,
    /// What is made of it, in order.
    steps: Vec<Step>,
    end: &'p Terminator,
}

/// An operator of which all operands but one are constants.
struct Step {
    scalar: Scalar,
    /// None for the one that is not.
    operands: Vec<Option<Bits>>,
}

impl<'p> Decider<'p> {
    /// What the decision at the end of a block goes by, if it is one value.
    pub(super) fn of(body: &'p Body, block: Block) -> Option<Decider<'p>> {
        let end = &body.blocks[block].end;
        let (Terminator::Branch { condition: mut root, .. } | Terminator::Switch { index: mut root, .. }) =
            *end
        else {
            return None;
        };
        let mut steps = Vec::new();
        while let Some((step, operand)) = made(body, root) {
            if steps.len() == MOST_STEPS {
                return None;
            }
            steps.push(step);
            root = operand;
        }
        steps.reverse();
        Some(Decider { root, width: width(body, root)?, steps, end })
    }

    /// The direction in which a number leads; none if it leads nowhere.
    fn direction(&self, number: Bits) -> Option<u32> {
        let mut now = number;
        for Step { scalar, operands } in &self.steps {
            let operands: Vec<Bits> = operands.iter().map(|operand| operand.unwrap_or(now)).collect();
            if scalar.traps(&mut Concrete, &operands).iter().any(|(condition, _)| condition.bits != 0) {
                return None;
            }
            now = scalar.result(&mut Concrete, &operands);
        }
        match self.end {
            Terminator::Branch { .. } => Some(u32::from(now.bits != 0)),
            Terminator::Switch { cases, default, .. } => {
                let case = usize::try_from(now.bits).ok().and_then(|case| cases.get(case));
                Some(*case.unwrap_or(default))
            }
            _ => None,
        }
    }

    /// Whether the decision may be in a direction if it goes by this value: it may by any but constants.
    pub(super) fn may_lead(&self, body: &Body, value: Value, direction: u32) -> bool {
        let number = constant(body, value).filter(|number| number.width == self.width);
        number.is_none_or(|number| self.direction(number) == Some(direction))
    }
}

/// The operator that makes a value of one other and constants, and the other.
fn made(body: &Body, value: Value) -> Option<(Step, Value)> {
    let Def::Result(inst, 0) = body.values[value].def else { return None };
    let inst = &body.insts[inst];
    let scalar = Scalar::of(&inst.op)?;
    let args = body.list(inst.args);
    let operands: Vec<Option<Bits>> = args.iter().map(|&arg| constant(body, arg)).collect();
    let mut others = args.iter().zip(&operands).filter(|(_, operand)| operand.is_none());
    let (Some((&other, _)), None) = (others.next(), others.next()) else { return None };
    width(body, other)?;
    Some((Step { scalar, operands }, other))
}

/// The number that a value is, if an operator says so.
fn constant(body: &Body, value: Value) -> Option<Bits> {
    let Def::Result(inst, _) = body.values[value].def else { return None };
    match Scalar::of(&body.insts[inst].op)? {
        Scalar::Constant { bits, .. } => {
            let width = width(body, value)?;
            Some(Bits { width, bits: bits & mask(width) })
        }
        _ => None,
    }
}

/// How wide a whole number is; what is none is not computed with here.
fn width(body: &Body, value: Value) -> Option<u8> {
    match body.values[value].ty {
        ValType::I32 => Some(32),
        ValType::I64 => Some(64),
        _ => None,
    }
}
