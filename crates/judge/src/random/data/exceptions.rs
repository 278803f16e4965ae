//! Exceptions: values that are thrown, caught by tag or whatever they are, with or without a reference, and thrown again.
//!
//! What memory and locals hold outlives them, so accesses often come right before: nothing else then tells an engine about these.

use super::code::{Code, Kind};
use super::shape::{EXN, SHELTERS, Signature, some};
use wasm_encoder::{Catch, Instruction, ValType};

/// One in so many exceptions is thrown where the function itself does not catch it.
const THROWN_OUT: usize = 30;

impl Code<'_> {
    /// A `try_table` in a block that its first handler goes to the end of.
    pub(super) fn try_block(&mut self) {
        if self.is_deep() {
            return;
        }
        let (handler, payload) = self.handler();
        self.open(&Instruction::Block, Signature::giving(&payload), Kind::Forward);
        self.catching(handler);
        self.close();
    }

    /// A loop that a handler in it goes back to.
    pub(super) fn retry(&mut self) {
        if self.is_deep() {
            return;
        }
        let (handler, payload) = self.handler();
        let results = some(&mut self.random, 3);
        self.need(&payload);
        let around = Signature { params: payload.clone(), results: results.clone() };
        self.open(&Instruction::Block, around.clone(), Kind::Forward);
        self.open(&Instruction::Loop, around, Kind::SelfCounting);
        self.count_round();
        self.apply(&Instruction::I32Eqz, 1, &[ValType::I32]);
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        for &ty in &results {
            self.leaf(ty);
        }
        self.apply(&Instruction::Br(2), 0, &[]);
        self.die();
        self.close();
        self.catching(handler);
        self.close();
        self.close();
    }

    /// A handler that goes to the innermost label, and what it gives that.
    fn handler(&mut self) -> (Catch, Vec<ValType>) {
        let tag = self.random.below(self.shape.tags.len());
        let reference = self.one_in(2);
        let any = self.one_in(2);
        let mut payload = if any { Vec::new() } else { self.shape.tags[tag].clone() };
        payload.extend(reference.then_some(EXN));
        let (tag, label) = (tag as u32, 0);
        let handler = match (any, reference) {
            (false, false) => Catch::One { tag, label },
            (false, true) => Catch::OneRef { tag, label },
            (true, false) => Catch::All { label },
            (true, true) => Catch::AllRef { label },
        };
        (handler, payload)
    }

    /// A `try_table` with that handler and others.
    fn catching(&mut self, handler: Catch) {
        let mut catches = vec![handler];
        catches.extend(self.outer_handlers());
        let signature = Signature { params: some(&mut self.random, 3), results: some(&mut self.random, 3) };
        self.need(&signature.params);
        let begin = move |ty| Instruction::TryTable(ty, catches.clone().into());
        self.open(&begin, signature, Kind::Catching);
        self.statements();
        if !self.is_dead() && self.one_in(2) {
            self.expression(ValType::I32);
            self.open(&Instruction::If, Signature::default(), Kind::Forward);
            self.throw();
            self.close();
        }
        self.close();
    }

    /// Handlers for whatever the labels around can take.
    fn outer_handlers(&mut self) -> Vec<Catch> {
        let mut handlers = Vec::new();
        for (label, frame) in (0..).zip(self.frames.iter().rev()) {
            // A handler cannot count rounds.
            if frame.kind == Kind::Backward || self.random.below(3) != 0 {
                continue;
            }
            for (tag, payload) in (0..).zip(&self.shape.tags) {
                if frame.label == *payload {
                    handlers.push(Catch::One { tag, label });
                }
                if frame.label.split_last() == Some((&EXN, payload)) {
                    handlers.push(Catch::OneRef { tag, label });
                }
            }
        }
        handlers
    }

    /// A call, direct or not, in the shelter of two handlers, of which the second takes whatever the first does not.
    pub(super) fn sheltered_call(&mut self) {
        if self.is_deep() || self.function == 0 {
            return;
        }
        self.count_shelters(1);
        let (handler, payload) = self.handler();
        self.open(&Instruction::Block, Signature::default(), Kind::Forward);
        self.open(&Instruction::Block, Signature::giving(&payload), Kind::Forward);
        let begin =
            move |ty| Instruction::TryTable(ty, vec![handler.clone(), Catch::All { label: 1 }].into());
        self.open(&begin, Signature::default(), Kind::Catching);
        match self.one_in(2) {
            true => self.call(),
            false => self.call_indirect(),
        }
        self.close();
        self.close();
        self.close();
        self.count_shelters(-1);
    }

    fn count_shelters(&mut self, change: i32) {
        self.apply(&Instruction::GlobalGet(SHELTERS), 0, &[ValType::I32]);
        self.i32(change);
        self.apply(&Instruction::I32Add, 2, &[ValType::I32]);
        self.apply(&Instruction::GlobalSet(SHELTERS), 1, &[]);
    }

    /// An exception for a caller, if one catches it; frames between may take it first, or not even notice it.
    pub(super) fn throw_to_caller(&mut self) {
        if self.is_deep() || self.function == 0 {
            return;
        }
        self.apply(&Instruction::GlobalGet(SHELTERS), 0, &[ValType::I32]);
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        self.throw_any();
        self.close();
    }

    fn may_throw(&mut self) -> bool {
        self.frames.iter().any(|frame| frame.kind == Kind::Catching) || self.one_in(THROWN_OUT)
    }

    pub(super) fn throw(&mut self) {
        if !self.may_throw() {
            return;
        }
        self.throw_any();
    }

    fn throw_any(&mut self) {
        let tag = self.random.below(self.shape.tags.len());
        let payload = &self.shape.tags[tag];
        match self.random.below(3) {
            0 => self.need(payload),
            // Payloads that are symbolic would make an engine look at the accesses, too.
            1 => {
                self.last_accesses();
                payload.iter().for_each(|&ty| self.constant(ty));
            }
            _ => {
                self.need(payload);
                self.last_accesses();
            }
        }
        self.apply(&Instruction::Throw(tag as u32), 0, &[]);
        self.die();
    }

    /// Throws an exception that was caught, if there is one.
    pub(super) fn throw_reference(&mut self) {
        if !self.may_throw() {
            return;
        }
        let exception = self.local(EXN);
        self.get(exception);
        self.apply(&Instruction::RefIsNull, 1, &[ValType::I32]);
        self.apply(&Instruction::I32Eqz, 1, &[ValType::I32]);
        self.open(&Instruction::If, Signature::default(), Kind::Forward);
        if self.one_in(2) {
            self.last_accesses();
        }
        self.get(exception);
        self.apply(&Instruction::ThrowRef, 1, &[]);
        self.die();
        self.close();
    }
}
