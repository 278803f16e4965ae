//! Constant expressions: the initial values of globals, and what segments hold and where they go.

use super::value::Value;
use crate::semantics::Scalar;
use coax_term::Terms;
use wasmparser::{BinaryReaderError, ConstExpr, HeapType, Operator};

/// A constant expression, in the order of evaluation.
#[derive(Clone, Debug)]
pub(super) struct Constant(Vec<Op>);

#[derive(Clone, Copy, Debug)]
enum Op {
    Scalar(Scalar),
    Vector(u128),
    Null(HeapType),
    Func(u32),
    Global(u32),
}

impl Constant {
    pub(super) fn read(expression: &ConstExpr<'_>) -> Result<Constant, BinaryReaderError> {
        let mut ops = Vec::new();
        for op in expression.get_operators_reader() {
            ops.push(match op? {
                Operator::V128Const { value } => Op::Vector(u128::from_le_bytes(*value.bytes())),
                Operator::RefNull { hty } => Op::Null(hty),
                Operator::RefFunc { function_index } => Op::Func(function_index),
                Operator::GlobalGet { global_index } => Op::Global(global_index),
                Operator::End => break,
                op => Op::Scalar(Scalar::of(&op).expect("validated: nothing else is constant")),
            });
        }
        Ok(Constant(ops))
    }

    /// The function itself.
    pub(super) fn function(index: u32) -> Constant {
        Constant(vec![Op::Func(index)])
    }

    /// The value, with the functions and globals of an instance.
    pub(super) fn eval(
        &self,
        terms: &mut Terms,
        function: impl Fn(u32) -> Value,
        global: impl Fn(u32) -> Value,
    ) -> Value {
        let mut stack: Vec<Value> = Vec::new();
        for &op in &self.0 {
            let value = match op {
                Op::Scalar(scalar @ Scalar::Constant { .. }) => {
                    Value::Number(scalar.apply(terms, &[]).result)
                }
                Op::Scalar(scalar) => {
                    let operands = stack.split_off(stack.len() - 2);
                    let operands: Vec<_> = operands.into_iter().map(Value::number).collect();
                    Value::Number(scalar.apply(terms, &operands).result)
                }
                Op::Vector(bits) => Value::from_vector(terms, bits),
                Op::Null(ty) => Value::null(ty),
                Op::Func(index) => function(index),
                Op::Global(index) => global(index),
            };
            stack.push(value);
        }
        stack.pop().expect("validated: one value is left")
    }
}
