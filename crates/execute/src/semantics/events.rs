//! What is recorded of an operator, and in which order: the one place where this is decided.
//!
//! Two engines record paths, and must record the same. For each operator, in this order:
//!
//! 1. **Traps.** Each condition of the operator's that is not a constant is an event, in the order of
//!    [`Traps`](super::Traps), up to the one that holds. Conditions are over the terms as they are, before anything
//!    is concretised. Bounds of several ranges (`memory.copy`) are checked in the order of the operands: destination, source.
//! 2. **Concretisations** of operands, in the order of the operands, then of memory cells, in the order of addresses. Only
//!    terms that are not constant are recorded.
//! 3. **Decisions**: a select with a condition that is no constant, then the branch or switch.
//!
//! | operator | terms that are concretised | reason |
//! |---|---|---|
//! | load or store in memory 0 | the effective address, if it has too many values for [`super::window`] | `Address` |
//! | load or store in another memory, or of a vector | the effective address | `Address` |
//! | store to another memory | then the bits that are stored | `OtherMemory` |
//! | load of a vector or lane | then each 64 bits, or fewer, that are read | `Simd` |
//! | SIMD | scalar operands | `Simd` |
//! | `memory.copy`, `fill`, `init` | places and the length | `Bulk` |
//! | `memory.copy`, `fill` to another memory | then each byte copied, or the fill byte | `OtherMemory` |
//! | `memory.grow`, `table.grow` | the number of pages or elements | `Grow` |
//! | `table.*`, `call_indirect`, `return_call_indirect` | indices and lengths | `Table` |
//! | `select` of vectors | whether the condition is true | `Simd` |
//! | `select` of references | whether the condition is true | `Table` |
//! | `throw` | the payload | `Exception` |
//!
//! So vectors, references, tables, and what memories other than 0 hold, are never terms. A select of numbers is: its
//! result is a choice, its event constrains nothing. What a host function's arguments become is for the host to say.

use crate::TrapKind;
use crate::path::{Concretisation, Event, EventKind, Path, Question};
use coax_term::{Algebra, Binary, Term, Terms};

/// Where events of one operator are recorded.
pub struct Recorder<'a> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The path so far.
    pub path: &'a mut Path,
    /// Byte offset of the operator in the plain module.
    pub at: u32,
}

impl Recorder<'_> {
    /// An operator traps on a condition, and did or did not.
    pub fn trap(&mut self, condition: Term, kind: TrapKind, trapped: bool) {
        let holds = if trapped { condition } else { self.terms.not(condition) };
        self.push(EventKind::Trap { kind, trapped }, holds);
    }

    /// A branch or switch went in a direction, because the condition is true.
    pub fn branch(&mut self, condition: Term, direction: u32) {
        self.push(EventKind::Branch { direction }, condition);
    }

    /// A select chose: direction 1 if its condition, a truth, is true.
    pub fn select(&mut self, truth: Term, direction: u32) {
        let holds = if direction == 1 { truth } else { self.terms.not(truth) };
        self.push(EventKind::Select { direction }, holds);
    }

    /// A term is replaced by its value.
    pub fn concretise(&mut self, term: Term, value: u64, reason: Concretisation) {
        let equal = self.terms.has_value(term, value);
        self.push(EventKind::Concretised { term, value, reason }, equal);
    }

    /// The world was asked whether an input is at least so long.
    pub fn enough(&mut self, length: Term, needed: u64, is_enough: bool) {
        let mut condition = self.terms.is_at_least(length, needed);
        if !is_enough {
            condition = self.terms.not(condition);
        }
        self.push(EventKind::World { question: Question::Length, direction: is_enough.into() }, condition);
    }

    /// A number cannot be more than this, whatever the input is.
    pub fn at_most(&mut self, number: Term, most: u64) {
        let within = self.terms.is_at_most(number, most);
        self.condition(within, false, true);
    }

    /// A read or write went in one of several ways.
    pub fn fault(&mut self, way: Term, value: u64) {
        let condition = self.terms.has_value(way, value);
        self.push(EventKind::World { question: Question::Io, direction: value as u32 }, condition);
    }

    /// The program says that something is true: it assumes it, or asserts it.
    pub fn condition(&mut self, truth: Term, asserted: bool, held: bool) {
        let holds = if held { truth } else { self.terms.not(truth) };
        let kind = if asserted { EventKind::Assertion { held } } else { EventKind::Assumption { held } };
        self.push(kind, holds);
    }

    /// The program asked for a number from one up to another, as numbers with a sign.
    pub fn bounds(&mut self, number: Term, from: u32, to: u32, held: bool) {
        let first = self.terms.constant(32, from.into());
        let distance = self.terms.binary(Binary::Sub, number, first);
        let size = self.terms.constant(32, to.wrapping_sub(from).into());
        let within = self.terms.binary(Binary::Ult, distance, size);
        self.condition(within, false, held);
    }

    /// What is decided by constants is no event.
    fn push(&mut self, kind: EventKind, condition: Term) {
        if self.terms.as_constant(condition).is_none() {
            self.path.events.push(Event { at: self.at, kind, condition });
        }
    }
}
