//! The operand stack, and the added locals that keep values of it for boundaries.

use super::super::segment::Slot;
use super::super::stack::{Entry, Place, What};
use super::{Planner, Temp};
use wasmparser::ValType;

impl Planner<'_> {
    pub(super) fn pop(&mut self) -> Entry {
        let entry = self.stack.pop().expect("validated");
        self.retire(&[entry]);
        entry
    }

    pub(super) fn pop_n<const N: usize>(&mut self) -> [Entry; N] {
        let mut entries = [(); N].map(|()| self.pop());
        entries.reverse();
        entries
    }

    pub(super) fn drop_to(&mut self, height: usize) {
        if height < self.stack.len() {
            let dropped = self.stack.split_off(height);
            self.retire(&dropped);
        }
    }

    /// Whether one of the topmost values depends on what this segment has loaded.
    pub(super) fn pending(&self, count: usize) -> bool {
        let open = self.open.as_ref().expect("live code is in a segment");
        self.stack[self.stack.len() - count..]
            .iter()
            .any(|entry| matches!(entry.what, What::Reg(reg) if open.is_pending(reg)))
    }

    pub(super) fn stack_slot(&mut self, depth: usize) -> Slot {
        let slot = self.types.len() as Slot + 3 * depth as Slot;
        self.plan.slots = self.plan.slots.max(slot + 1);
        slot
    }

    /// The register of a value in the open segment.
    pub(super) fn reg(&mut self, entry: &Entry) -> u16 {
        let source = match entry.what {
            What::Reg(reg) => return reg,
            What::Constant(bits) => return self.open_mut().constant(entry.ty, bits),
            What::Local(local) => {
                let may = self.may[local as usize];
                return self.open_mut().local_input(local, entry.ty, may, entry.producer);
            }
            What::Slot(_) | What::Concrete => self.keep(entry),
        };
        let slot = match entry.what {
            What::Slot(slot) if entry.may => Some(slot),
            _ => None,
        };
        self.open_mut().kept_input(source, entry.ty, slot, entry.producer)
    }

    /// A local that has a value's bits; one is added if there is none.
    pub(super) fn keep(&mut self, entry: &Entry) -> u32 {
        if let Place::Local(local) = entry.place {
            return local;
        }
        let local = self.keep_result(entry.producer, entry.ty);
        // What is further up was produced later.
        let first = self.stack.partition_point(|other| other.producer < entry.producer);
        for other in self.stack[first..].iter_mut().take_while(|other| other.producer == entry.producer) {
            if other.place == Place::Stack {
                other.place = Place::Local(local);
            }
        }
        local
    }

    pub(super) fn local_of(&mut self, index: usize) -> u32 {
        let entry = self.stack[index];
        self.keep(&entry)
    }

    /// Makes the operator with that number keep a result, and those above it, in locals.
    pub(super) fn keep_result(&mut self, (op, result): (usize, usize), ty: ValType) -> u32 {
        if let Some(local) = self.kept((op, result)) {
            return local;
        }
        // Those above it are in the way.
        for above in result + 1..self.plan.notes[op].results.len() {
            if self.kept((op, above)).is_none() {
                let ty = self.plan.notes[op].results[above];
                self.temp((op, above), ty);
            }
        }
        self.temp((op, result), ty)
    }

    /// The local that keeps a result, if there is one that was not given to another since.
    pub(super) fn kept(&mut self, producer: (usize, usize)) -> Option<u32> {
        let index = self.temps.iter().position(|temp| temp.owner == producer)?;
        self.temps[index].last = usize::MAX;
        let local = self.types.len() as u32 + 2 + index as u32;
        self.retired.push(local);
        Some(local)
    }

    /// A local that nobody has used since the operator of this result, which keeps it from now on.
    pub(super) fn temp(&mut self, owner: (usize, usize), ty: ValType) -> u32 {
        let free = self.temps.iter().position(|temp| temp.ty == ty && temp.last < owner.0);
        let index = free.unwrap_or_else(|| {
            self.temps.push(Temp { ty, owner, last: 0 });
            self.temps.len() - 1
        });
        let temp = &mut self.temps[index];
        (temp.owner, temp.last) = (owner, usize::MAX);
        let local = self.types.len() as u32 + 2 + index as u32;
        self.retired.push(local);
        self.plan.notes[owner.0].keep.push((owner.1, local));
        local
    }

    /// These values have left the stack; their locals are free once no boundary needs them.
    pub(super) fn retire(&mut self, entries: &[Entry]) {
        let first = self.types.len() as u32 + 2;
        for entry in entries {
            if let Place::Local(local) = entry.place
                && local >= first
            {
                self.retired.push(local);
            }
        }
    }

    /// Locals that nothing on the stack refers to are free from now on.
    pub(super) fn release(&mut self) {
        let first = self.types.len() as u32 + 2;
        for local in std::mem::take(&mut self.retired) {
            let used = self.stack.iter().any(|entry| entry.place == Place::Local(local));
            let used = used
                || self
                    .controls
                    .iter()
                    .any(|control| control.if_params.iter().any(|entry| entry.place == Place::Local(local)));
            if used {
                self.retired.push(local);
            } else {
                self.temps[(local - first) as usize].last = self.at;
            }
        }
    }

    /// Gives all values on the stack a local of their own: control is about to split or come back.
    pub(super) fn keep_stack(&mut self) {
        let own = self.types.len() as u32;
        for index in 0..self.stack.len() {
            let entry = self.stack[index];
            let wanted = entry.is_scalar() && !matches!(entry.what, What::Constant(_));
            if wanted && !matches!(entry.place, Place::Local(local) if local >= own) {
                self.stack[index].place = Place::Stack;
                self.local_of(index);
            }
        }
    }

    /// Puts the terms of all values on the stack where they survive this segment.
    pub(super) fn save_stack(&mut self) {
        self.save_below(self.stack.len());
    }

    pub(super) fn save_below(&mut self, height: usize) {
        for index in 0..height {
            let entry = self.stack[index];
            let slot = self.stack_slot(index);
            let in_segment = matches!(entry.what, What::Reg(_) | What::Local(_))
                || matches!(entry.what, What::Slot(other) if other != slot);
            if entry.is_scalar()
                && entry.may
                && in_segment
                && !self.open_mut().is_saved(index, entry.producer)
            {
                self.set(slot, &entry);
                self.open_mut().saved.push((index, entry.producer));
            }
        }
    }
}
