//! Exceptions: throwing, and finding who catches.

use super::frame::body;
use super::interpreter::{Interpreter, Stop};
use super::store::{self, Exception, ExnId, Instance};
use super::value::Value;
use crate::TrapKind;
use crate::path::Concretisation;
use coax_program::entity::Id;
use coax_program::ir::{Handler, Op, Terminator};
use coax_term::Algebra;
use std::sync::Arc;

impl Interpreter {
    /// The exception of a `throw` or `throw_ref`, ready to be thrown.
    pub(super) fn throw(&mut self, instance: Instance, op: &Op, args: &[Value]) -> Result<Stop, Stop> {
        match (op, args) {
            (Op::ThrowRef, [Value::Exn(Some(exception))]) => Ok(Stop::Exception(*exception)),
            (Op::Throw { tag_index }, payload) => {
                let tag = self.store.instance(instance).tags[*tag_index as usize];
                let payload = payload.iter().map(|&value| self.concretise_payload(value)).collect();
                let exception = Exception { tag, payload };
                Ok(Stop::Exception(store::push(&mut self.store.exceptions, exception)))
            }
            _ => Err(self.trap(TrapKind::NullReference)),
        }
    }

    fn concretise_payload(&mut self, value: Value) -> Value {
        let Value::Number(term) = value else { return value };
        let bits = self.concretise(term, Concretisation::Exception);
        let width = self.terms.width(term);
        Value::Number(self.terms.constant(width, bits))
    }

    /// Goes on in the innermost handler that catches an exception; above `base` there must be the frame that threw, whose
    /// block ends in the throw, or one that waits for the call that did.
    pub(super) fn unwind(&mut self, exception: ExnId, base: usize) -> Result<(), Stop> {
        while self.frames.len() > base {
            if self.catch(exception) {
                return Ok(());
            }
            self.pop_frame();
        }
        Err(Stop::Exception(exception))
    }

    /// Whether the innermost frame catches an exception.
    fn catch(&mut self, exception: ExnId) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let module = Arc::clone(&frame.module);
        let body = body(&module.program, frame.func);
        let handlers = match &body.blocks[frame.block].end {
            Terminator::Throw { handlers, .. } if frame.is_past_last(body) => handlers,
            Terminator::Invoke { handlers, .. } if frame.is_at_last(body) => handlers,
            _ => return false,
        };
        let Exception { tag, payload } = &self.store.exceptions[exception.index()];
        let tags = &self.store.instance(frame.instance).tags;
        let catches = |handler: &&Handler| handler.tag.is_none_or(|wanted| tags[wanted as usize] == *tag);
        let Some(handler) = handlers.iter().find(catches) else { return false };
        let mut args = if handler.tag.is_some() { payload.clone() } else { Vec::new() };
        if handler.with_ref {
            args.push(Value::Exn(Some(exception)));
        }
        let frame = self.frames.last_mut().expect("just seen");
        frame.enter(body, handler.to, &args);
        true
    }
}
