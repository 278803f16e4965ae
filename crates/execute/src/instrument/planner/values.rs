//! Calls, locals, globals and constants: how values come and go without being computed.

use super::super::plan::Source;
use super::super::segment::{Slot, Step, global_bit};
use super::super::stack::{Entry, Place, What, is_scalar};
use super::Planner;
use super::causes::Cause;
use wasmparser::{Operator, ValType};

impl Planner<'_> {
    pub(super) fn call(&mut self, op: &Operator<'_>, offset: u32, pops: usize, results: &[ValType]) {
        self.settle();
        self.call_arguments(op, offset, pops, false);
        self.close();
        let from = self.stack.len();
        let slots: Vec<Option<Slot>> = results
            .iter()
            .enumerate()
            .map(|(index, &ty)| is_scalar(ty).then(|| self.stack_slot(from + index)))
            .collect();
        for (index, &ty) in results.iter().enumerate() {
            let slot = self.stack_slot(from + index);
            self.push_from_slot(ty, slot, index);
        }
        let indirect = !matches!(op, Operator::Call { .. });
        let receives = indirect || self.variant.sees_calls() || slots.iter().any(Option::is_some);
        self.start(false, receives.then_some(slots));
    }

    pub(super) fn tail_call(&mut self, op: &Operator<'_>, offset: u32, pops: usize) {
        self.settle();
        if let Some(beyond) = self.plan.notes[self.at].beyond.take() {
            // The replay ends the frame before the operator runs.
            self.step(Step::Beyond(beyond));
        }
        self.call_arguments(op, offset, pops, true);
        self.open_mut().frame = true;
        self.stop();
    }

    pub(super) fn call_arguments(&mut self, op: &Operator<'_>, offset: u32, pops: usize, tail: bool) {
        let from = self.stack.len() - pops;
        let mut count = pops;
        if let Operator::CallIndirect { table_index, .. } | Operator::ReturnCallIndirect { table_index, .. } =
            *op
        {
            count -= 1;
            let index = self.stack[from + count];
            if index.may {
                let index = self.reg(&index);
                let size = self.open_mut().size(Source::TableSize(table_index));
                self.step(Step::Index { index, size, at: offset });
            }
        }
        let args: Vec<Option<u16>> = (from..from + count).map(|index| self.passed(index)).collect();
        match tail {
            true => self.step(Step::TailCall { args }),
            false if args.iter().any(Option::is_some) => self.step(Step::Call { args }),
            false => {}
        }
        self.save_below(from);
        self.drop_to(from);
    }

    pub(super) fn local_get(&mut self, local: u32) {
        let entry = self.now(local);
        self.plan.notes[self.at].results.push(entry.ty);
        self.stack.push(entry);
    }

    /// A local's value at this point.
    pub(super) fn now(&mut self, local: u32) -> Entry {
        let ty = self.types[local as usize];
        let may = self.may[local as usize];
        let what = match (is_scalar(ty), self.open_mut().local(local)) {
            (false, _) => What::Concrete,
            (true, Some(what)) => what,
            (true, None) => What::Local(local),
        };
        let cause = if may || !is_scalar(ty) { Cause::NONE } else { Cause::local(local) };
        Entry { ty, what, may, cause, place: Place::Local(local), producer: (self.at, 0) }
    }

    pub(super) fn local_set(&mut self, local: u32, entry: &Entry) {
        // Whoever still needs the old value must have kept it.
        for index in 0..self.stack.len() {
            if self.stack[index].what == What::Local(local) {
                let reg = self.reg(&self.stack[index].clone());
                self.stack[index].what = What::Reg(reg);
            }
            if self.stack[index].place == Place::Local(local) {
                self.stack[index].place = Place::Stack;
            }
        }
        if !entry.is_scalar() {
            return;
        }
        if entry.may && !self.may[local as usize] {
            self.may[local as usize] = true;
            self.may_grew = true;
        }
        if !self.may[local as usize] {
            self.causes.assign(local, entry.cause);
        }
        let what = match entry.what {
            What::Constant(_) => entry.what,
            _ => What::Reg(self.reg(entry)),
        };
        if self.may[local as usize] {
            self.set(local, entry);
        }
        self.open_mut().assign(local, what);
    }

    pub(super) fn global_get(&mut self, global: u32, ty: ValType) {
        let may = is_scalar(ty) && self.context.is_mutable(global);
        let what = match is_scalar(ty) {
            true => What::Reg(self.open_mut().global(global, ty, may)),
            false => What::Concrete,
        };
        self.push_result(ty, what, may, 0);
        if !is_scalar(ty) {
            self.cut_if_told();
        }
    }

    /// If what the operator does is told, the frame must not end, in a replay, before it runs.
    fn cut_if_told(&mut self) {
        if self.plan.notes[self.at].beyond.is_some() {
            self.cut_after();
        }
    }

    pub(super) fn global_set(&mut self, global: u32) {
        self.settle();
        let entry = self.pop();
        if !entry.is_scalar() {
            return self.cut_if_told();
        }
        let from = self.reg(&entry);
        self.open_mut().taint |= global_bit(global);
        self.step(Step::SetGlobal { global, from });
        self.cut_after();
    }

    pub(super) fn constant(&mut self, ty: ValType, bits: u64) {
        self.push_result(ty, What::Constant(bits), false, 0);
    }
}
