//! Frames, and the loop over blocks and terminators.
//!
//! A frame that waits for a call has the call as its next instruction; so a result or an exception finds its place.

use super::execute::Flow;
use super::host::{Context, Host, MEMORY, Step};
use super::interpreter::{Interpreter, Stop};
use super::module::Module;
use super::moment::Moment;
use super::store::{FuncId, Function, Instance, Item};
use super::value::Value;
use crate::TrapKind;
use crate::semantics::choice;
use coax_program::entity::Id;
use coax_program::ir::{self, Block, BlockData, Body, Edge, Inst, InstData, Terminator, Values};
use coax_program::{Func, Program};
use std::sync::Arc;

#[derive(Debug)]
pub(super) struct Frame {
    pub(super) instance: Instance,
    pub(super) module: Arc<Module>,
    pub(super) func: Func,
    pub(super) block: Block,
    /// Which instruction of the block comes next.
    pub(super) next: usize,
    pub(super) values: Vec<Option<Value>>,
}

impl Frame {
    fn get(&self, value: ir::Value) -> Value {
        self.values[value.index()].expect("verified: a definition dominates its uses")
    }

    fn get_all(&self, body: &Body, values: Values) -> Vec<Value> {
        body.list(values).iter().map(|&value| self.get(value)).collect()
    }

    fn set_all(&mut self, body: &Body, places: Values, values: &[Value]) {
        for (place, &value) in body.list(places).iter().zip(values) {
            self.values[place.index()] = Some(value);
        }
    }

    /// Goes to the start of a block.
    pub(super) fn enter(&mut self, body: &Body, block: Block, args: &[Value]) {
        self.set_all(body, body.blocks[block].params, args);
        self.block = block;
        self.next = 0;
    }

    /// Takes an edge; all arguments are read before any parameter is written.
    fn take(&mut self, body: &Body, edge: &Edge) {
        let args = self.get_all(body, edge.args);
        self.enter(body, edge.to, &args);
    }

    /// The instruction that comes next.
    pub(super) fn inst<'b>(&self, body: &'b Body) -> Option<&'b InstData> {
        let (first, end) = body.blocks[self.block].insts;
        let inst = Inst::new(first.index() + self.next);
        (inst < end).then(|| &body.insts[inst])
    }

    /// Whether the next instruction is the last of its block, so that the block's handlers are the call's.
    pub(super) fn is_at_last(&self, body: &Body) -> bool {
        self.next + 1 == body.blocks[self.block].insts().len()
    }

    /// Whether the terminator of the block comes next.
    pub(super) fn is_past_last(&self, body: &Body) -> bool {
        self.next == body.blocks[self.block].insts().len()
    }
}

/// The body of a function that is running.
pub(super) fn body(program: &Program, func: Func) -> &Body {
    &program.functions[func].defined().expect("only defined functions have frames").body
}

impl Interpreter {
    /// Calls a function and goes on until no more frames than `base` are left.
    pub(super) fn run(
        &mut self,
        function: FuncId,
        args: &[Value],
        base: usize,
        host: &mut dyn Host,
    ) -> Result<Vec<Value>, Stop> {
        let mut done = self.enter(None, function, args, base, host);
        loop {
            match done {
                Ok(Some(results)) => return Ok(results),
                Ok(None) => {}
                Err(Stop::Exception(exception)) => self.unwind(exception, base)?,
                Err(stop) => return Err(stop),
            }
            done = self.block(base, host);
        }
    }

    /// Begins a call. The results, if it is at once the end of the run.
    fn enter(
        &mut self,
        caller: Option<Instance>,
        function: FuncId,
        args: &[Value],
        base: usize,
        host: &mut dyn Host,
    ) -> Result<Option<Vec<Value>>, Stop> {
        match &self.store.functions[function.index()] {
            Function::Host(function) => {
                let number = function.number;
                let caller = caller.map(|caller| self.store.instance(caller));
                let memory = caller.and_then(|caller| match caller.export(MEMORY) {
                    Some(Item::Memory(memory)) => Some(memory),
                    _ => caller.memories.first().copied(),
                });
                let is_first = caller.is_some_and(|caller| caller.memories.first().copied() == memory);
                let results =
                    host.call(number, args, &mut Context { interpreter: self, memory, is_first })?;
                Ok(self.deliver(results, base, host))
            }
            &Function::Wasm { instance, func } => {
                let module = Arc::clone(&self.store.instance(instance).module);
                let values = body(&module.program, func).values.len();
                if self.frames.len() >= self.limits.depth
                    || self.frame_values + values > self.limits.frame_values
                {
                    return Err(Stop::StackExhausted);
                }
                self.frame_values += values;
                let mut frame = Frame {
                    instance,
                    func,
                    block: Body::ENTRY,
                    next: 0,
                    values: vec![None; values],
                    module: Arc::clone(&module),
                };
                frame.enter(body(&module.program, func), Body::ENTRY, args);
                self.frames.push(frame);
                Ok(None)
            }
        }
    }

    pub(super) fn pop_frame(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.frame_values -= frame.values.len();
        }
    }

    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function is running")
    }

    /// Gives results to the caller; or back, if there is none.
    fn deliver(&mut self, results: Vec<Value>, base: usize, host: &mut dyn Host) -> Option<Vec<Value>> {
        if self.frames.len() == base {
            return Some(results);
        }
        let frame = self.top();
        let module = Arc::clone(&frame.module);
        let body = body(&module.program, frame.func);
        let call = frame.inst(body).expect("a frame below another waits for a call");
        self.finish(body, call, &results, host);
        None
    }

    /// Sets the results of an instruction and goes on to the next.
    fn finish(&mut self, body: &Body, inst: &InstData, results: &[Value], host: &mut dyn Host) {
        let frame = self.top();
        frame.set_all(body, inst.results, results);
        frame.next += 1;
        let (instance, func) = (frame.instance, frame.func);
        host.executed(&Step { instance, func, body, inst, results, terms: &self.terms });
    }

    /// Executes the rest of a block, or up to a call.
    fn block(&mut self, base: usize, host: &mut dyn Host) -> Result<Option<Vec<Value>>, Stop> {
        let frame = self.top();
        let (instance, func, block) = (frame.instance, frame.func, frame.block);
        let module = Arc::clone(&frame.module);
        let body = body(&module.program, func);
        let is_watched = host.watches(func, block);
        while let Some(inst) = self.top().inst(body) {
            if is_watched {
                host.passing(&mut Moment { interpreter: self })?;
            }
            self.step()?;
            self.at = inst.offset;
            let args = self.top().get_all(body, inst.args);
            match self.instruction(instance, &inst.op, &args)? {
                Flow::Next(result) => self.finish(body, inst, result.as_slice(), host),
                Flow::Call(function, args) => return self.enter(Some(instance), function, &args, base, host),
            }
        }
        if is_watched {
            host.passing(&mut Moment { interpreter: self })?;
        }
        self.step()?;
        let block = &body.blocks[block];
        self.at = block.end_offset;
        self.terminate(body, block, base, host)
    }

    fn terminate(
        &mut self,
        body: &Body,
        block: &BlockData,
        base: usize,
        host: &mut dyn Host,
    ) -> Result<Option<Vec<Value>>, Stop> {
        match &block.end {
            Terminator::Jump(edge) | Terminator::Invoke { normal: edge, .. } => self.top().take(body, edge),
            Terminator::Branch { condition, targets } => {
                let operand = self.top().get(*condition).number();
                let direction = u32::from(self.value(operand) != 0);
                let condition = choice::branch(&mut self.terms, operand, direction);
                self.recorder().branch(condition, direction);
                self.top().take(body, &targets[direction as usize]);
            }
            Terminator::Switch { index, targets, cases, default } => {
                let operand = self.top().get(*index).number();
                let chosen = usize::try_from(self.value(operand)).ok().and_then(|index| cases.get(index));
                let direction = *chosen.unwrap_or(default);
                let condition = choice::switch(&mut self.terms, operand, cases, *default, direction);
                self.recorder().branch(condition, direction);
                self.top().take(body, &targets[direction as usize]);
            }
            Terminator::Throw { op, args, .. } => {
                let instance = self.top().instance;
                let args = self.top().get_all(body, *args);
                return Err(self.throw(instance, op, &args)?);
            }
            Terminator::Return(results) => {
                let results = self.top().get_all(body, *results);
                self.pop_frame();
                return Ok(self.deliver(results, base, host));
            }
            Terminator::TailCall { op, args } => {
                let instance = self.top().instance;
                let args = self.top().get_all(body, *args);
                let (function, args) = self.callee(instance, op, &args)?;
                self.pop_frame();
                return self.enter(Some(instance), function, &args, base, host);
            }
            Terminator::Unreachable => return Err(self.trap(TrapKind::Unreachable)),
        }
        Ok(None)
    }
}
