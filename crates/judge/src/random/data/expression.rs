//! Expressions: trees of operators over parameters, locals, globals, constants and memory.

use super::{Code, TYPES};
use wasm_encoder::{Instruction as I, MemArg, ValType};

/// Masks that keep addresses in the first cells of memory.
const MASKS: [i32; 5] = [3, 7, 15, 63, 127];

impl Code<'_> {
    /// Code that leaves a value of a type on the stack.
    pub(super) fn expression(&mut self, ty: ValType, depth: usize) {
        if depth == 0 || self.random.below(6) == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => self.load(ty),
            1 => {
                self.expression(ty, depth);
                self.expression(ty, depth);
                self.expression(ValType::I32, depth);
                self.emit(I::Select);
            }
            2..=3 => self.convert(ty, depth),
            4 => self.unary(ty, depth),
            _ => self.binary(ty, depth),
        }
    }

    fn leaf(&mut self, ty: ValType) {
        match self.random.below(8) {
            0..=4 => {
                let local = self.local(ty);
                self.emit(I::LocalGet(local));
            }
            5 => {
                let global = TYPES.iter().position(|&one| one == ty).expect("one of the types");
                self.emit(I::GlobalGet(global as u32));
            }
            _ => self.constant(ty),
        }
    }

    fn constant(&mut self, ty: ValType) {
        let small = self.random.below(20) as i64 - 4;
        let integer = match self.random.below(4) {
            0 => self.random.pick(&[i64::MIN, i64::MAX, i64::from(i32::MIN), 0xff, 0xffff, 0x8000_0000]),
            _ => small,
        };
        self.emit(match ty {
            ValType::I32 => I::I32Const(integer as i32),
            ValType::I64 => I::I64Const(integer),
            ValType::F32 => I::F32Const((small as f32 / 2.0).into()),
            _ => I::F64Const((small as f64 / 2.0).into()),
        });
    }

    /// An i32 of few values.
    pub(super) fn masked(&mut self, mask: i32) {
        self.expression(ValType::I32, 2);
        self.emit(I::I32Const(mask));
        self.emit(I::I32And);
    }

    /// A number of few values, as wide as the addresses of a memory.
    pub(super) fn masked_for(&mut self, memory: u32, mask: i32) {
        self.masked(mask);
        if memory == 0 && self.memory64 {
            self.emit(I::I64ExtendI32U);
        }
    }

    /// An address, and the rest of it; rarely one that is out of bounds.
    pub(super) fn address(&mut self) -> MemArg {
        let memory_index = u32::from(self.random.below(8) == 0);
        match self.random.below(30) {
            0 => {
                self.expression(ValType::I32, 2);
                if memory_index == 0 && self.memory64 {
                    self.emit(I::I64ExtendI32U);
                }
            }
            1..=4 => {
                let address = self.random.below(64) as i32;
                let wide = memory_index == 0 && self.memory64;
                self.emit(if wide { I::I64Const(i64::from(address)) } else { I::I32Const(address) });
            }
            _ => {
                let mask = self.random.pick(&MASKS);
                self.masked_for(memory_index, mask);
            }
        }
        MemArg { offset: self.random.below(32) as u64, align: 0, memory_index }
    }

    fn load(&mut self, ty: ValType) {
        let memarg = self.address();
        let choice = self.random.below(5);
        self.emit(match ty {
            ValType::I32 => [
                I::I32Load(memarg),
                I::I32Load8U(memarg),
                I::I32Load8S(memarg),
                I::I32Load16U(memarg),
                I::I32Load16S(memarg),
            ][choice]
                .clone(),
            ValType::I64 => [
                I::I64Load(memarg),
                I::I64Load8U(memarg),
                I::I64Load16S(memarg),
                I::I64Load32U(memarg),
                I::I64Load32S(memarg),
            ][choice]
                .clone(),
            ValType::F32 => I::F32Load(memarg),
            _ => I::F64Load(memarg),
        });
    }

    /// A statement that stores a value.
    pub(super) fn store(&mut self) {
        let memarg = self.address();
        let ty = self.some_type();
        self.expression(ty, 3);
        let choice = self.random.below(3);
        self.emit(match ty {
            ValType::I32 => {
                [I::I32Store(memarg), I::I32Store8(memarg), I::I32Store16(memarg)][choice].clone()
            }
            ValType::I64 => {
                [I::I64Store(memarg), I::I64Store8(memarg), I::I64Store32(memarg)][choice].clone()
            }
            ValType::F32 => I::F32Store(memarg),
            _ => I::F64Store(memarg),
        });
    }

    fn unary(&mut self, ty: ValType, depth: usize) {
        self.expression(ty, depth);
        let i32s = [I::I32Clz, I::I32Ctz, I::I32Popcnt, I::I32Extend8S, I::I32Extend16S, I::I32Eqz];
        let i64s = [I::I64Clz, I::I64Ctz, I::I64Popcnt, I::I64Extend8S, I::I64Extend16S, I::I64Extend32S];
        let f32s = [I::F32Abs, I::F32Neg, I::F32Sqrt, I::F32Ceil, I::F32Trunc, I::F32Nearest];
        let f64s = [I::F64Abs, I::F64Neg, I::F64Sqrt, I::F64Floor, I::F64Trunc, I::F64Nearest];
        self.choose(ty, [&i32s, &i64s, &f32s, &f64s]);
    }

    fn binary(&mut self, ty: ValType, depth: usize) {
        self.expression(ty, depth);
        self.expression(ty, depth);
        if self.random.below(8) == 0 && matches!(ty, ValType::I32 | ValType::I64) {
            return self.divide(ty);
        }
        let i32s = [
            I::I32Add,
            I::I32Sub,
            I::I32Mul,
            I::I32And,
            I::I32Or,
            I::I32Xor,
            I::I32Shl,
            I::I32ShrS,
            I::I32ShrU,
            I::I32Rotl,
            I::I32Eq,
            I::I32Ne,
            I::I32LtS,
            I::I32LtU,
            I::I32GtS,
            I::I32LeU,
            I::I32GeS,
        ];
        let i64s = [
            I::I64Add,
            I::I64Sub,
            I::I64Mul,
            I::I64And,
            I::I64Or,
            I::I64Xor,
            I::I64Shl,
            I::I64ShrS,
            I::I64ShrU,
            I::I64Rotr,
        ];
        let f32s = [I::F32Add, I::F32Sub, I::F32Mul, I::F32Div, I::F32Min, I::F32Max, I::F32Copysign];
        let f64s = [I::F64Add, I::F64Sub, I::F64Mul, I::F64Div, I::F64Min, I::F64Max, I::F64Copysign];
        self.choose(ty, [&i32s, &i64s, &f32s, &f64s]);
    }

    /// Divides, mostly by an odd number.
    fn divide(&mut self, ty: ValType) {
        let wide = ty == ValType::I64;
        if self.random.below(4) != 0 {
            self.emit(if wide { I::I64Const(1) } else { I::I32Const(1) });
            self.emit(if wide { I::I64Or } else { I::I32Or });
        }
        let narrow = [I::I32DivS, I::I32DivU, I::I32RemS, I::I32RemU];
        let wide = [I::I64DivS, I::I64DivU, I::I64RemS, I::I64RemU];
        self.choose(ty, [&narrow, &wide, &[], &[]]);
    }

    /// A value of another type, compared or converted.
    fn convert(&mut self, ty: ValType, depth: usize) {
        let from = self.some_type();
        self.expression(from, depth);
        let conversions: &[I<'_>] = match (ty, from) {
            (ValType::I32, ValType::I64) => &[I::I32WrapI64, I::I64Eqz],
            (ValType::I32, ValType::F32) => &[I::I32TruncSatF32S, I::I32TruncSatF32U, I::I32ReinterpretF32],
            (ValType::I32, ValType::F64) => &[I::I32TruncSatF64S, I::I32TruncSatF64U, I::I32TruncSatF64S],
            (ValType::I64, ValType::I32) => &[I::I64ExtendI32S, I::I64ExtendI32U],
            (ValType::I64, ValType::F32) => &[I::I64TruncSatF32S, I::I64TruncSatF32U],
            (ValType::I64, ValType::F64) => &[I::I64TruncSatF64S, I::I64TruncSatF64U, I::I64ReinterpretF64],
            (ValType::F32, ValType::I32) => &[I::F32ConvertI32S, I::F32ConvertI32U, I::F32ReinterpretI32],
            (ValType::F32, ValType::I64) => &[I::F32ConvertI64S, I::F32ConvertI64U],
            (ValType::F32, ValType::F64) => &[I::F32DemoteF64],
            (ValType::F64, ValType::I32) => &[I::F64ConvertI32S, I::F64ConvertI32U],
            (ValType::F64, ValType::I64) => &[I::F64ConvertI64S, I::F64ConvertI64U, I::F64ReinterpretI64],
            (ValType::F64, ValType::F32) => &[I::F64PromoteF32],
            // The same type: nothing to convert.
            _ => return,
        };
        // Comparisons give an i32 from any type, and a conversion that may trap is tried now and then.
        if ty == ValType::I32 && self.random.below(2) == 0 {
            self.expression(from, depth);
            let i64s = [I::I64Eq, I::I64Ne, I::I64LtS, I::I64LtU, I::I64GeS, I::I64GtU];
            let f32s = [I::F32Eq, I::F32Ne, I::F32Lt, I::F32Gt, I::F32Le, I::F32Ge];
            let f64s = [I::F64Eq, I::F64Ne, I::F64Lt, I::F64Gt, I::F64Le, I::F64Ge];
            return self.choose(from, [&[], &i64s, &f32s, &f64s]);
        }
        if self.random.below(12) == 0 {
            match (ty, from) {
                (ValType::I32, ValType::F32) => return self.emit(I::I32TruncF32S),
                (ValType::I32, ValType::F64) => return self.emit(I::I32TruncF64U),
                (ValType::I64, ValType::F64) => return self.emit(I::I64TruncF64S),
                _ => {}
            }
        }
        let choice = self.random.below(conversions.len());
        self.emit(conversions[choice].clone());
    }

    /// One of the operators of a type.
    fn choose(&mut self, ty: ValType, operators: [&[I<'_>]; 4]) {
        let place = TYPES.iter().position(|&one| one == ty).expect("one of the types");
        let choice = self.random.below(operators[place].len());
        self.emit(operators[place][choice].clone());
    }
}
