//! Constructs of structured control: where segments end, and how the terms of values reach labels.

use super::super::segment::{Slot, Step, class};
use super::super::stack::{What, is_scalar};
use super::{Control, Kind, Planner};
use wasmparser::{BlockType, Catch, TryTable, ValType};

impl Planner<'_> {
    pub(super) fn push_control(&mut self, kind: Kind, params: Vec<ValType>, results: Vec<ValType>) {
        let height = self.stack.len() - if kind == Kind::Function { 0 } else { params.len() };
        let values = if kind == Kind::Loop { params.len() } else { results.len() };
        let locals = self.types.len() as Slot;
        let label_slots: Vec<Slot> = (0..values)
            .map(|index| match self.has_own_label_slots {
                true => {
                    self.next_label_slot += 1;
                    locals + 3 * self.next_label_slot + 2
                }
                false => locals + 3 * (height + index) as Slot + 1,
            })
            .collect();
        self.plan.slots = label_slots.iter().map(|slot| slot + 1).fold(self.plan.slots, Slot::max);
        let (targeted, catches, dead, if_params) = (false, false, false, Vec::new());
        self.controls.push(Control {
            kind,
            height,
            params,
            results,
            targeted,
            catches,
            landing: None,
            dead,
            if_params,
            label_slots,
        });
    }

    pub(super) fn block_type(&self, ty: BlockType) -> (Vec<ValType>, Vec<ValType>) {
        match ty {
            BlockType::Empty => (vec![], vec![]),
            BlockType::Type(ty) => (vec![], vec![ty]),
            BlockType::FuncType(index) => {
                (self.context.params(index).to_vec(), self.context.results(index).to_vec())
            }
        }
    }

    /// A construct that is never entered is only counted.
    pub(super) fn enter_dead(&mut self) {
        self.plan.notes[self.at].dead = true;
        self.push_dead();
    }

    pub(super) fn push_dead(&mut self) {
        let height = self.stack.len();
        self.controls.push(Control {
            kind: Kind::Block,
            height,
            params: vec![],
            results: vec![],
            targeted: false,
            catches: false,
            landing: None,
            dead: true,
            if_params: vec![],
            label_slots: vec![],
        });
    }

    pub(super) fn enter(&mut self, kind: Kind, ty: BlockType, live: bool, offset: u32) {
        if !live {
            return self.enter_dead();
        }
        let (params, results) = self.block_type(ty);
        match kind {
            Kind::Loop => {
                self.settle();
                self.keep_stack();
                self.push_control(kind, params, results);
                self.edge(0);
                self.close();
                self.land();
            }
            Kind::If => {
                self.settle();
                let condition = self.pop();
                let condition = self.reg(&condition);
                self.keep_stack();
                self.save_stack();
                self.push_control(kind, params, results);
                let from = self.stack.len() - self.controls.last().map_or(0, |control| control.params.len());
                let mut if_params = self.stack[from..].to_vec();
                let locals = self.types.len();
                for (index, entry) in if_params.iter_mut().enumerate() {
                    entry.forget_segment(locals, from + index);
                }
                let control = self.controls.last_mut().expect("just pushed");
                control.if_params = if_params;
                // Without `else` the parameters are the results.
                if control.params.len() == control.results.len() {
                    self.edge_values(0);
                }
                self.step(Step::Branch { condition, leaves_if: false, at: offset });
            }
            _ => {
                self.keep_stack();
                self.push_control(kind, params, results);
            }
        }
    }

    pub(super) fn enter_try(&mut self, try_table: &TryTable, live: bool) {
        if !live {
            return self.enter_dead();
        }
        self.settle();
        self.need_frame();
        self.keep_stack();
        self.save_stack();
        for catch in &try_table.catches {
            let label = match *catch {
                Catch::One { label, .. }
                | Catch::OneRef { label, .. }
                | Catch::All { label }
                | Catch::AllRef { label } => label,
            };
            self.target(label);
            let index = self.controls.len() - 1 - label as usize;
            self.controls[index].catches = true;
            if let Some(landing) = self.controls[index].landing {
                self.fire_at_landing(landing);
            }
            self.clear_label(label);
        }
        let (params, results) = self.block_type(try_table.ty);
        self.push_control(Kind::Block, params, results);
    }

    pub(super) fn else_(&mut self) {
        let control = self.controls.last().expect("validated");
        if control.kind == Kind::Block {
            // The `else` of an `if` that is never entered.
            self.plan.notes[self.at].dead = true;
            return;
        }
        if !control.dead {
            self.settle();
            self.edge_values(0);
            self.close();
        }
        let control = self.controls.last_mut().expect("validated");
        control.kind = Kind::Else;
        control.targeted |= !control.dead;
        control.dead = false;
        let (height, if_params) = (control.height, std::mem::take(&mut control.if_params));
        self.drop_to(height);
        self.stack.extend(if_params);
        self.start(false, None);
    }

    pub(super) fn end(&mut self) {
        let control = self.controls.last().expect("validated");
        let dead = control.dead;
        if dead && control.kind == Kind::Block && self.outer_dead() {
            self.controls.pop();
            self.plan.notes[self.at].dead = true;
            return;
        }
        if control.kind == Kind::Function && !control.targeted {
            if !dead {
                self.return_();
            }
            return;
        }
        let merges = match control.kind {
            Kind::If => true,
            Kind::Loop => false,
            _ => control.targeted,
        };
        if !merges {
            let height = control.height;
            self.controls.pop();
            if dead {
                self.drop_to(height);
                self.dead_end();
            }
            return;
        }
        if !dead {
            self.settle();
            self.edge_values(0);
            self.close();
        }
        let control = self.controls.pop().expect("validated");
        self.drop_to(control.height);
        for (index, (&ty, &slot)) in control.results.iter().zip(&control.label_slots).enumerate() {
            self.push_from_slot(ty, slot, index);
        }
        self.start(false, None);
        self.note_landing(control.catches);
        if control.kind == Kind::Function {
            // The writer puts the body into a block, so that branches out of it come here.
            self.plan.body_is_block = true;
            self.controls.push(Control { dead: false, ..control });
            self.return_();
        }
    }

    /// An exception may have ended calls: the host must know whose code is running.
    pub(super) fn note_landing(&mut self, catches: bool) {
        if catches {
            let boundary = self.open_mut().boundary;
            self.fire_at_landing(boundary);
        }
    }

    fn fire_at_landing(&mut self, boundary: usize) {
        let code = &mut self.plan.code[boundary];
        code.always |= self.variant.sees_calls();
        code.frame = true;
    }

    /// If anything is symbolic the frame is known before calls can throw: otherwise nobody could tell which frames they left behind.
    fn need_frame(&mut self) {
        if self.variant.sees_calls() {
            // Every call has a frame.
            return;
        }
        if self.plan.notes[self.at].before.is_none() {
            self.cut();
        }
        let boundary = self.open_mut().boundary;
        self.plan.boundaries[boundary].needs_frame = true;
        self.plan.code[boundary].taint = u64::MAX;
    }

    /// Whether the construct around the innermost one is dead as well.
    pub(super) fn outer_dead(&self) -> bool {
        self.controls.len() >= 2 && self.controls[self.controls.len() - 2].dead
    }

    /// After a construct that control does not leave nothing is live.
    pub(super) fn dead_end(&mut self) {
        self.plan.notes[self.at].dead_end = true;
        if let Some(control) = self.controls.last_mut() {
            control.dead = true;
        }
    }

    /// Control does not go on here: no boundary follows that could look at the flags of this segment.
    pub(super) fn stop(&mut self) {
        debug_assert!(!self.open_mut().segment.touches_memory, "what leaves a segment settles it");
        self.close();
        let control = self.controls.last_mut().expect("validated");
        control.dead = true;
        let height = control.height;
        self.drop_to(height);
    }

    /// The start of a loop: its parameters come by its label's slots.
    pub(super) fn land(&mut self) {
        let control = self.controls.last().expect("just pushed");
        let (height, params, slots) = (control.height, control.params.clone(), control.label_slots.clone());
        self.drop_to(height);
        for (index, (ty, slot)) in params.into_iter().zip(slots).enumerate() {
            self.push_from_slot(ty, slot, index);
        }
        self.start(false, None);
        let boundary = self.open_mut().boundary;
        self.controls.last_mut().expect("just pushed").landing = Some(boundary);
    }

    pub(super) fn push_from_slot(&mut self, ty: ValType, slot: Slot, index: usize) {
        let what = if is_scalar(ty) { What::Slot(slot) } else { What::Concrete };
        self.push_result(ty, what, is_scalar(ty), index);
    }

    /// Plans what a branch to a label passes on; the values are on top of the stack.
    pub(super) fn edge(&mut self, label: u32) {
        self.target(label);
        self.edge_values(label);
    }

    pub(super) fn target(&mut self, label: u32) {
        let index = self.controls.len() - 1 - label as usize;
        self.controls[index].targeted = true;
    }

    pub(super) fn edge_values(&mut self, label: u32) {
        let index = self.controls.len() - 1 - label as usize;
        let slots = self.controls[index].label_slots.clone();
        let from = self.stack.len() - slots.len();
        for (offset, slot) in slots.into_iter().enumerate() {
            let entry = self.stack[from + offset];
            if entry.is_scalar() {
                self.set(slot, &entry);
            }
        }
    }

    /// What comes to a label otherwise than by a branch, as a payload does, has no terms: those of an earlier branch must go.
    pub(super) fn clear_label(&mut self, label: u32) {
        let index = self.controls.len() - 1 - label as usize;
        for slot in self.controls[index].label_slots.clone() {
            self.open_mut().segment.mask |= class(slot);
            self.step(Step::Set { slot, from: None });
        }
    }

    pub(super) fn return_(&mut self) {
        self.settle();
        let count = self.controls[0].results.len();
        let from = self.stack.len() - count;
        let results = (from..self.stack.len()).map(|index| self.passed(index)).collect();
        self.step(Step::Return { results });
        self.open_mut().frame = true;
        self.stop();
    }

    /// The register of a value that is passed to another function, if it may be symbolic (or must be known).
    pub(super) fn passed(&mut self, index: usize) -> Option<u16> {
        let entry = self.stack[index];
        let wanted = entry.is_scalar() && (entry.may || self.variant.sees_calls());
        wanted.then(|| self.reg(&entry))
    }
}
