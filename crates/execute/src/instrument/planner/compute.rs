//! Operators that compute, load or store.

use super::super::layout::SegmentIndex;
use super::super::operators::{Class, classify};
use super::super::plan::{Flags, Source};
use super::super::segment::{Reg, Step};
use super::super::stack::{Entry, Place, What, is_scalar};
use super::Planner;
use super::causes::Cause;
use crate::TrapKind;
use crate::path::Concretisation;
use crate::semantics::Scalar;
use crate::semantics::memory::Access;
use coax_program::ops;
use wasmparser::{Operator, ValType};

impl Planner<'_> {
    pub(super) fn select(&mut self, offset: u32) {
        if self.pending(1) {
            self.cut();
        }
        let [first, second, condition] = self.pop_n();
        if !first.is_scalar() {
            let is_vector = first.ty == ValType::V128;
            let reason = if is_vector { Concretisation::Simd } else { Concretisation::Table };
            if condition.may {
                let condition = self.reg(&condition);
                self.step(Step::Choose { condition, reason, at: offset });
            }
            self.push_result(first.ty, What::Concrete, false, 0);
            return;
        }
        let may = first.may || second.may || condition.may;
        let cause = self.causes.join(&[first, second, condition]);
        let [then, otherwise, condition] = [first, second, condition].map(|entry| self.reg(&entry));
        let to = self.open_mut().register(&[then, otherwise, condition]);
        self.step(Step::Select { condition, then, otherwise, to, at: offset });
        self.push_computed(first.ty, to, may, cause);
    }

    pub(super) fn compute(&mut self, op: &Operator<'_>, offset: u32, pops: usize, results: &[ValType]) {
        match classify(op) {
            Class::Scalar { scalar, traps } => {
                if traps && self.pending(pops) {
                    self.cut();
                }
                self.scalar(scalar, offset, pops, results[0]);
            }
            Class::Number(access) | Class::Vector(access) if access.memarg.memory != 0 => {
                self.other_memory(access, offset, pops, results);
            }
            Class::Number(access) if access.store => self.store(access, offset),
            Class::Number(access) => self.load(access, offset, results[0]),
            Class::Vector(access) if access.store => self.vector_store(access, offset),
            Class::Vector(access) => self.vector_load(access, offset, pops),
            Class::Opaque(reason) => self.opaque(op, reason, offset, pops, results),
        }
    }

    fn scalar(&mut self, scalar: Scalar, at: u32, operands: usize, result: ValType) {
        let entries = self.stack.split_off(self.stack.len() - operands);
        self.retire(&entries);
        let may = entries.iter().any(|entry| entry.may);
        let cause = self.causes.join(&entries);
        let mut args = [0; 2];
        for (arg, entry) in args.iter_mut().zip(&entries) {
            *arg = self.reg(entry);
        }
        if operands == 1 {
            args[1] = args[0];
        }
        let to = self.open_mut().register(&args[..operands]);
        self.step(Step::Scalar { scalar, args, to, at });
        self.push_computed(result, to, may, cause);
    }

    fn other_memory(&mut self, access: Access, at: u32, pops: usize, results: &[ValType]) {
        let from = self.stack.len() - pops;
        if self.pending(pops) {
            self.cut();
        }
        let address = self.stack[from];
        let value = (pops == 2 && self.stack[from + 1].is_scalar()).then(|| self.stack[from + 1]);
        if address.may || value.is_some_and(|value| value.may) {
            let address = self.reg(&address);
            let value = value.map(|value| self.reg(&value));
            let size = self.open_mut().size(Source::MemorySize(access.memarg.memory));
            self.step(Step::OtherMemory { access, address, value, size, at });
        }
        self.drop_to(from);
        self.push_opaque(results, true);
    }

    fn load(&mut self, access: Access, at: u32, result: ValType) {
        if self.pending(1) {
            self.cut();
        }
        let entry = self.pop();
        let address = self.reg(&entry);
        self.look_at_flags(&entry, access.bytes);
        let to = self.open_mut().load_register();
        self.step(Step::Load { access, address, to, at });
        self.push_result(result, What::Reg(to), true, 0);
    }

    fn store(&mut self, access: Access, at: u32) {
        // A replay after the segment could not load any more what is overwritten here.
        if self.open_mut().loads {
            self.cut();
        }
        let [entry, value] = self.pop_n();
        let [address, value] = [entry, value].map(|entry| self.reg(&entry));
        self.look_at_flags(&entry, access.bytes);
        self.step(Step::Store { access, address, value, at });
    }

    fn vector_load(&mut self, access: Access, at: u32, pops: usize) {
        if self.pending(pops) {
            self.cut();
        }
        let from = self.stack.len() - pops;
        let entry = self.stack[from];
        let address = self.reg(&entry);
        self.look_at_flags(&entry, access.bytes);
        self.step(Step::VectorLoad { access, address, at });
        self.drop_to(from);
        self.push_result(ValType::V128, What::Concrete, false, 0);
        // What it dropped is an event: no trap may come before it is recorded.
        self.cut_after();
    }

    fn vector_store(&mut self, access: Access, at: u32) {
        // The host does not know the vector, so a segment with one has no other store (a replay after it would
        // undo this one) and nothing after it (a replay ahead would load what was there before).
        self.settle();
        let [entry, _] = self.pop_n();
        let address = self.reg(&entry);
        self.look_at_flags(&entry, access.bytes);
        self.step(Step::VectorStore { access, address, at });
        self.cut_after();
    }

    pub(super) fn opaque(
        &mut self,
        op: &Operator<'_>,
        reason: Concretisation,
        offset: u32,
        pops: usize,
        results: &[ValType],
    ) {
        let changes_memory = matches!(reason, Concretisation::Bulk | Concretisation::Grow);
        let throws = matches!(op, Operator::Throw { .. } | Operator::ThrowRef);
        if changes_memory || throws || self.pending(pops) {
            self.settle();
        }
        let from = self.stack.len() - pops;
        self.bulk_operands(op, from, pops, offset);
        for index in from..from + pops {
            // These are dealt with on their own: an index with its check, the value of a fill below.
            let is_index = matches!(op, Operator::TableGet { .. } | Operator::TableSet { .. });
            let is_fill_value = matches!(op, Operator::MemoryFill { .. }) && index == from + 1;
            if !is_index && !is_fill_value {
                let entry = self.stack[index];
                self.concretise(&entry, reason, offset);
            }
        }
        if let Operator::MemoryFill { mem } = *op {
            self.fill_value(mem, from, offset);
        }
        if changes_memory && !matches!(op, Operator::TableGrow { .. }) {
            let bulk =
                (from..from + pops).map(|index| (self.local_of(index), self.stack[index].ty)).collect();
            self.plan.notes[self.at].bulk = bulk;
        }
        if throws {
            self.save_below(from);
            return self.stop();
        }
        self.drop_to(from);
        let drops = matches!(op, Operator::DataDrop { .. } | Operator::ElemDrop { .. });
        self.push_opaque(results, changes_memory || drops || ops::may_trap(op));
    }

    /// Checks of the ranges and indices that an operator is given, if they may be symbolic.
    pub(super) fn bulk_operands(&mut self, op: &Operator<'_>, from: usize, pops: usize, at: u32) {
        use Operator::*;
        if !self.stack[from..from + pops].iter().any(|entry| entry.may) {
            return;
        }
        // Each range: which operand it starts at, and in what.
        let ranges = match *op {
            MemoryCopy { dst_mem, src_mem } => {
                vec![(0, Source::MemorySize(dst_mem)), (1, Source::MemorySize(src_mem))]
            }
            MemoryFill { mem } => vec![(0, Source::MemorySize(mem))],
            MemoryInit { mem, data_index } => {
                let segment = SegmentIndex::Data(data_index);
                vec![(0, Source::MemorySize(mem)), (1, Source::SegmentSize(segment))]
            }
            TableCopy { dst_table, src_table } => {
                vec![(0, Source::TableSize(dst_table)), (1, Source::TableSize(src_table))]
            }
            TableFill { table } => vec![(0, Source::TableSize(table))],
            TableInit { table, elem_index } => {
                let segment = SegmentIndex::Element(elem_index);
                vec![(0, Source::TableSize(table)), (1, Source::SegmentSize(segment))]
            }
            TableGet { table } | TableSet { table } => {
                let index = self.reg_at(from);
                let size = self.open_mut().size(Source::TableSize(table));
                return self.step(Step::Index { index, size, at });
            }
            _ => return,
        };
        let length = self.reg_at(from + 2);
        for (operand, source) in ranges {
            let kind = match source {
                Source::MemorySize(_) | Source::SegmentSize(SegmentIndex::Data(_)) => {
                    TrapKind::MemoryOutOfBounds
                }
                _ => TrapKind::TableOutOfBounds,
            };
            let start = self.reg_at(from + operand);
            let size = self.open_mut().size(source);
            self.step(Step::Range { start, length, size, kind, at });
        }
    }

    pub(super) fn fill_value(&mut self, memory: u32, from: usize, at: u32) {
        if self.stack[from + 1].may {
            let value = self.reg_at(from + 1);
            if memory == 0 {
                self.step(Step::Fill { value });
            } else {
                let length = self.reg_at(from + 2);
                self.step(Step::FillOther { value, length, at });
            }
        }
    }

    pub(super) fn reg_at(&mut self, index: usize) -> u16 {
        let entry = self.stack[index];
        self.reg(&entry)
    }

    /// Results that are only known when the operator has run: a replay cannot go past it. Nor can it if only the operator
    /// itself knows whether it traps, or changes memory.
    pub(super) fn push_opaque(&mut self, results: &[ValType], ends_segment: bool) {
        for (index, &ty) in results.iter().enumerate() {
            self.push_result(ty, What::Concrete, false, index);
        }
        if ends_segment || results.iter().any(|&ty| is_scalar(ty)) {
            self.cut_after();
        }
    }

    pub(super) fn push_result(&mut self, ty: ValType, what: What, may: bool, index: usize) {
        self.plan.notes[self.at].results.push(ty);
        self.stack.push(Entry {
            ty,
            what,
            may,
            cause: Cause::NONE,
            place: Place::Stack,
            producer: (self.at, index),
        });
    }

    /// The result of an operator that only computes.
    fn push_computed(&mut self, ty: ValType, to: Reg, may: bool, cause: Cause) {
        self.plan.notes[self.at].results.push(ty);
        let (place, producer) = (Place::Stack, (self.at, 0));
        self.stack.push(Entry { ty, what: What::Reg(to), may, cause, place, producer });
    }

    pub(super) fn concretise(&mut self, entry: &Entry, reason: Concretisation, at: u32) {
        if entry.is_scalar() && entry.may {
            let value = self.reg(entry);
            self.step(Step::Concretise { value, reason, at });
        }
    }

    pub(super) fn look_at_flags(&mut self, address: &Entry, bytes: u8) {
        let address = self.keep(address);
        let open = self.open_mut();
        let first = !open.segment.touches_memory;
        open.segment.touches_memory = true;
        self.plan.notes[self.at].flags = Some(Flags { address, bytes, first });
    }
}
