//! SIMD: scalars become numbers first, so vectors are never terms.

use super::interpreter::Interpreter;
use super::value::Value;
use crate::path::Concretisation;
use crate::semantics::vector::{Fused, Operand, Vectorial};
use coax_term::Term;

impl Interpreter {
    pub(super) fn vectorial(&mut self, vectorial: Vectorial, args: &[Value]) -> Value {
        let operands: Vec<Operand<Term>> = args
            .iter()
            .map(|&arg| match arg {
                Value::Vector(halves) => Operand::Vector(halves),
                scalar => Operand::Scalar(self.constant_of(scalar.number(), Concretisation::Simd)),
            })
            .collect();
        match vectorial.apply(&mut self.terms, &operands) {
            Operand::Scalar(term) => Value::Number(term),
            Operand::Vector(halves) => Value::Vector(halves),
        }
    }

    pub(super) fn fused(&mut self, fused: Fused, args: &[Value]) -> Value {
        let bits = [0, 1, 2].map(|index: usize| {
            let [low, high] = args[index].vector();
            u128::from(self.value(low)) | u128::from(self.value(high)) << 64
        });
        Value::from_vector(&mut self.terms, fused.apply(bits))
    }
}
