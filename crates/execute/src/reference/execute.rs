//! One instruction: the operator's term, or what it does to the store.

use super::interpreter::{Interpreter, Stop};
use super::store::{FuncId, Instance};
use super::value::Value;
use crate::TrapKind;
use crate::path::Concretisation;
use crate::semantics::memory::{self, Access};
use crate::semantics::vector::{Fused, Vectorial};
use crate::semantics::{Scalar, truth};
use coax_program::entity::Id;
use coax_program::ir::Op;
use coax_program::ops;
use coax_term::{Algebra, Term};

/// How an instruction goes on.
pub(super) enum Flow {
    /// With its result, if it has one.
    Next(Option<Value>),
    /// By a call, whose results are its own.
    Call(FuncId, Vec<Value>),
}

impl Interpreter {
    /// Executes an instruction.
    pub(super) fn instruction(&mut self, instance: Instance, op: &Op, args: &[Value]) -> Result<Flow, Stop> {
        if ops::is_call(op) {
            let (function, args) = self.callee(instance, op, args)?;
            return Ok(Flow::Call(function, args));
        }
        if let Some(scalar) = Scalar::of(op) {
            return Ok(Flow::Next(Some(Value::Number(self.scalar(scalar, args)?))));
        }
        let result = if let Some(access) = Access::of(op) {
            self.access(instance, op, access, args)?
        } else if let Some(vectorial) = Vectorial::of(op) {
            Some(self.vectorial(vectorial, args))
        } else if let Some(fused) = Fused::of(op) {
            Some(self.fused(fused, args))
        } else if ops::is_select(op) {
            Some(self.select(args))
        } else {
            self.stateful(instance, op, args)?
        };
        Ok(Flow::Next(result))
    }

    fn scalar(&mut self, scalar: Scalar, args: &[Value]) -> Result<Term, Stop> {
        let operands: Vec<Term> = args.iter().map(|arg| arg.number()).collect();
        let meaning = scalar.apply(&mut self.terms, &operands);
        for (condition, kind) in meaning.traps.iter() {
            self.trap_if(condition, kind)?;
        }
        Ok(meaning.result)
    }

    fn select(&mut self, args: &[Value]) -> Value {
        let [first, second, condition] = args else { unreachable!("validated: a select has three operands") };
        let truth = truth(&mut self.terms, condition.number());
        let direction = self.value(truth);
        match (first, second) {
            (&Value::Number(first), &Value::Number(second)) => {
                self.recorder().select(truth, direction as u32);
                Value::Number(self.terms.ite(truth, first, second))
            }
            _ => {
                let is_vector = matches!(first, Value::Vector(_));
                let reason = if is_vector { Concretisation::Simd } else { Concretisation::Table };
                self.concretise(truth, reason);
                if direction == 1 { *first } else { *second }
            }
        }
    }

    /// What reads or changes the store, other than loads and stores.
    fn stateful(&mut self, instance: Instance, op: &Op, args: &[Value]) -> Result<Option<Value>, Stop> {
        let data = self.store.instance(instance);
        Ok(match *op {
            Op::GlobalGet { global_index } => {
                let global = data.globals[global_index as usize];
                Some(self.store.globals[global.index()].value)
            }
            Op::GlobalSet { global_index } => {
                let global = data.globals[global_index as usize];
                self.store.globals[global.index()].value = args[0];
                None
            }
            Op::RefNull { hty } => Some(Value::null(hty)),
            Op::RefFunc { function_index } => {
                Some(Value::Func(Some(data.functions[function_index as usize])))
            }
            Op::RefIsNull => Some(Value::Number(self.terms.constant(32, u64::from(args[0].is_null())))),
            Op::MemorySize { .. }
            | Op::MemoryGrow { .. }
            | Op::MemoryCopy { .. }
            | Op::MemoryFill { .. }
            | Op::MemoryInit { .. }
            | Op::DataDrop { .. } => self.bulk(instance, op, args)?,
            _ => self.table(instance, op, args)?,
        })
    }

    /// The function that a call or tail call goes to, and its arguments.
    pub(super) fn callee(
        &mut self,
        instance: Instance,
        op: &Op,
        args: &[Value],
    ) -> Result<(FuncId, Vec<Value>), Stop> {
        let data = self.store.instance(instance);
        match *op {
            Op::Call { function_index } | Op::ReturnCall { function_index } => {
                Ok((data.functions[function_index as usize], args.to_vec()))
            }
            Op::CallIndirect { type_index, table_index }
            | Op::ReturnCallIndirect { type_index, table_index } => {
                let table = data.tables[table_index as usize];
                let (index, args) = args.split_last().expect("validated: the index is there");
                let function = match self.element(table, index.number())? {
                    Value::Func(Some(function)) => function,
                    _ => return Err(self.trap(TrapKind::NullIndirectCall)),
                };
                let expected = &self.store.instance(instance).module.program.types[type_index as usize];
                if self.store.signature(function) != expected {
                    return Err(self.trap(TrapKind::IndirectCallTypeMismatch));
                }
                Ok((function, args.to_vec()))
            }
            _ => unreachable!("{} calls nothing", ops::name(op)),
        }
    }

    /// Traps unless the range is inside `size` bytes or elements.
    pub(super) fn check_range(
        &mut self,
        start: Value,
        length: Value,
        size: u64,
        kind: TrapKind,
    ) -> Result<(), Stop> {
        let fits = memory::range_in_bounds(&mut self.terms, start.number(), length.number(), size);
        let outside = self.terms.not(fits);
        self.trap_if(outside, kind)
    }
}
