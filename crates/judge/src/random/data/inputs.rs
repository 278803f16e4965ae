//! What the parameters say, spread before the first statement over locals, globals and memory, which would be constant
//! otherwise: most of what a function then computes depends on its arguments.

use super::code::Code;
use super::shape::SCALARS;
use wasm_encoder::{Instruction, ValType};

impl Code<'_> {
    /// Some locals of each type, some globals and some cells become what parameters are.
    pub(super) fn spread_parameters(&mut self) {
        for ty in SCALARS {
            for _ in 0..1 + self.random.below(2) {
                self.parameter_as(ty);
                let local = self.declared_local(ty);
                self.set(local);
            }
        }
        for _ in 0..1 + self.random.below(2) {
            let ty = self.random.pick(&SCALARS);
            self.parameter_as(ty);
            self.set_global(ty);
        }
        for _ in 0..1 + self.random.below(3) {
            self.store_parameter();
        }
        if self.one_in(2) {
            self.parameter_as(ValType::I64);
            self.apply(&Instruction::I64x2Splat, 1, &[ValType::V128]);
            let local = self.local(ValType::V128);
            self.set(local);
        }
    }

    /// Some parameter, converted.
    pub(super) fn parameter_as(&mut self, ty: ValType) {
        let parameter = self.random.below(self.parameters().len());
        let own = self.parameters()[parameter];
        self.bits_of(parameter as u32, own);
        let conversions: &[Instruction<'static>] = match (ty, self.one_in(2)) {
            (ValType::I32, _) => &[Instruction::I32WrapI64],
            (ValType::F32, true) => &[Instruction::I32WrapI64, Instruction::F32ReinterpretI32],
            (ValType::F32, false) => &[Instruction::F32ConvertI64S],
            (ValType::F64, true) => &[Instruction::F64ReinterpretI64],
            (ValType::F64, false) => &[Instruction::F64ConvertI64S],
            _ => &[],
        };
        for conversion in conversions {
            let after = match conversion {
                Instruction::I32WrapI64 => ValType::I32,
                _ => ty,
            };
            self.apply(conversion, 1, &[after]);
        }
    }
}
