//! Expressions: each leaves one value of a type on the stack.

use super::code::{COUNTERS, Code, Kind};
use super::operators::{Operator, SCALAR, VECTOR};
use super::shape::{EXN, FUNC, Signature, any_type};
use super::weighted;
use crate::machine::Value;
use wasm_encoder::{AbstractHeapType, HeapType, Instruction, ValType};

/// Operators inside each other.
const MAX_NESTING: usize = 3;

/// What numbers and vectors are made of, with weights.
static EXPRESSIONS: &[(usize, Expression)] = &[
    (4, |code, ty| code.leaf(ty)),
    (12, |code, ty| code.operator(ty)),
    (5, |code, ty| code.load(ty)),
    (2, |code, ty| code.tee(ty)),
    (2, |code, ty| code.select(ty)),
    (1, |code, ty| code.conditional(ty)),
    (1, |code, ty| code.call_for(ty)),
];

type Expression = fn(&mut Code<'_>, ValType);

impl Code<'_> {
    /// A value of that type.
    pub(super) fn expression(&mut self, ty: ValType) {
        if matches!(ty, ValType::Ref(_)) {
            self.reference(ty);
        } else if self.nesting >= MAX_NESTING {
            self.leaf(ty);
        } else {
            self.nesting += 1;
            let make = weighted(&mut self.random, EXPRESSIONS);
            make(self, ty);
            self.nesting -= 1;
        }
    }

    /// A value that takes one instruction.
    pub(super) fn leaf(&mut self, ty: ValType) {
        match self.random.below(12) {
            0 => self.constant(ty),
            1 => self.global(ty),
            2..=4 if self.parameters().contains(&ty) => {
                let parameters = self.parameters();
                let fitting = (0..).zip(parameters).filter(|&(_, own)| *own == ty);
                let fitting: Vec<u32> = fitting.map(|(index, _)| index).collect();
                let parameter = self.random.pick(&fitting);
                self.get(parameter);
            }
            5 if ty == ValType::I32 => {
                let depth = self.random.below(COUNTERS);
                self.get(self.counter(depth));
            }
            _ => {
                let local = self.local(ty);
                self.get(local);
            }
        }
    }

    /// A constant; corner cases are frequent.
    pub(super) fn constant(&mut self, ty: ValType) {
        let same = match ty {
            ValType::I32 => wasmtime::ValType::I32,
            ValType::I64 => wasmtime::ValType::I64,
            ValType::F32 => wasmtime::ValType::F32,
            ValType::F64 => wasmtime::ValType::F64,
            ValType::V128 => wasmtime::ValType::V128,
            ValType::Ref(_) => return self.null(ty),
        };
        let instruction = match self.random.value(&same) {
            Value::I32(bits) => Instruction::I32Const(bits as i32),
            Value::I64(bits) => Instruction::I64Const(bits as i64),
            Value::F32(bits) => Instruction::F32Const(f32::from_bits(bits).into()),
            Value::F64(bits) => Instruction::F64Const(f64::from_bits(bits).into()),
            Value::V128(bits) => Instruction::V128Const(bits as i128),
            _ => unreachable!("a number or vector"),
        };
        self.apply(&instruction, 0, &[ty]);
    }

    fn null(&mut self, ty: ValType) {
        let kind = if ty == EXN { AbstractHeapType::Exn } else { AbstractHeapType::Func };
        let null = Instruction::RefNull(HeapType::Abstract { shared: false, ty: kind });
        self.apply(&null, 0, &[ty]);
    }

    fn global(&mut self, ty: ValType) {
        let globals = (0..).zip(&self.shape.globals);
        let fitting: Vec<u32> = globals.filter(|(_, own)| own.ty == ty).map(|(index, _)| index).collect();
        let global = self.random.pick(&fitting);
        self.apply(&Instruction::GlobalGet(global), 0, &[ty]);
    }

    fn reference(&mut self, ty: ValType) {
        match self.random.below(5) {
            0 => self.null(ty),
            1 if ty == FUNC => {
                let function = self.random.below(self.shape.functions.len());
                self.apply(&Instruction::RefFunc(self.shape.index(function)), 0, &[FUNC]);
            }
            2 if ty == FUNC => {
                let group = self.random.below(self.shape.signatures.len());
                self.slot(group);
                self.apply(&Instruction::TableGet(0), 1, &[FUNC]);
            }
            _ => {
                let local = self.local(ty);
                self.get(local);
            }
        }
    }

    /// An operator on other expressions; one that may trap gets operands for which it mostly does not.
    fn operator(&mut self, ty: ValType) {
        let vector = ty == ValType::V128 || self.one_in(10);
        let table = if vector { VECTOR } else { SCALAR };
        let fitting: Vec<&Operator> = table.iter().filter(|operator| operator.result == ty).collect();
        let Operator { instruction, operands, result } = self.random.pick(&fitting);
        for &operand in *operands {
            if is_partial_truncation(instruction) && !self.hazard() {
                self.small_float(operand);
            } else {
                self.expression(operand);
            }
        }
        if is_division(instruction) && !self.hazard() {
            self.make_odd(*result);
        }
        self.apply(instruction, operands.len(), &[*result]);
    }

    /// A float that every integer type can hold.
    fn small_float(&mut self, ty: ValType) {
        self.masked(0x3ff);
        let convert =
            if ty == ValType::F32 { Instruction::F32ConvertI32S } else { Instruction::F64ConvertI32U };
        self.apply(&convert, 1, &[ty]);
    }

    fn make_odd(&mut self, ty: ValType) {
        let (one, or) = match ty {
            ValType::I32 => (Instruction::I32Const(1), Instruction::I32Or),
            _ => (Instruction::I64Const(1), Instruction::I64Or),
        };
        self.apply(&one, 0, &[ty]);
        self.apply(&or, 2, &[ty]);
    }

    /// An i32 with no other bits than those of the mask.
    pub(super) fn masked(&mut self, mask: i32) {
        self.expression(ValType::I32);
        self.i32(mask);
        self.apply(&Instruction::I32And, 2, &[ValType::I32]);
    }

    /// A value that a local keeps, too; now and then a chain of them.
    fn tee(&mut self, ty: ValType) {
        self.expression(ty);
        for _ in 0..1 + self.random.below(2) {
            let local = self.local(ty);
            self.apply(&Instruction::LocalTee(local), 1, &[ty]);
        }
    }

    fn select(&mut self, ty: ValType) {
        self.expression(ty);
        self.expression(ty);
        self.expression(ValType::I32);
        self.choose(ty);
    }

    /// A `select` of two values of that type.
    pub(super) fn choose(&mut self, ty: ValType) {
        let typed = matches!(ty, ValType::Ref(_)) || self.one_in(3);
        let select = if typed { Instruction::TypedSelect(ty) } else { Instruction::Select };
        self.apply(&select, 3, &[ty]);
    }

    /// An `if` with a result.
    fn conditional(&mut self, ty: ValType) {
        self.expression(ValType::I32);
        self.open(&Instruction::If, Signature::giving(&[ty]), Kind::Forward);
        self.expression(ty);
        self.otherwise(&[]);
        self.expression(ty);
        self.close();
    }

    /// The result of a function that has only this one.
    fn call_for(&mut self, ty: ValType) {
        let functions = 0..self.shape.functions.len();
        let fitting: Vec<usize> = functions.filter(|&f| self.shape.signature(f).results == [ty]).collect();
        if fitting.is_empty() || self.function == 0 {
            return self.leaf(ty);
        }
        let function = self.random.pick(&fitting);
        let params = &self.shape.signature(function).params;
        for &param in params {
            self.expression(param);
        }
        self.apply(&Instruction::Call(self.shape.index(function)), params.len(), &[ty]);
    }

    /// An i32 that says something about a reference.
    pub(super) fn is_null(&mut self) {
        let ty = self.random.pick(&[FUNC, EXN]);
        self.expression(ty);
        if self.one_in(3) {
            self.expression(ty);
            self.expression(ValType::I32);
            self.choose(ty);
        }
        self.apply(&Instruction::RefIsNull, 1, &[ValType::I32]);
    }

    /// The bits of a local as an i64.
    pub(super) fn bits_of(&mut self, local: u32, ty: ValType) {
        self.get(local);
        match ty {
            ValType::I32 => self.apply(&Instruction::I64ExtendI32U, 1, &[ValType::I64]),
            ValType::F32 => {
                self.apply(&Instruction::I32ReinterpretF32, 1, &[ValType::I32]);
                self.apply(&Instruction::I64ExtendI32S, 1, &[ValType::I64]);
            }
            ValType::F64 => self.apply(&Instruction::I64ReinterpretF64, 1, &[ValType::I64]),
            _ => {}
        }
    }

    /// A number or vector, of any type.
    pub(super) fn any_expression(&mut self) -> ValType {
        let ty = any_type(&mut self.random);
        self.expression(ty);
        ty
    }
}

fn is_division(instruction: &Instruction<'_>) -> bool {
    use Instruction::*;
    matches!(instruction, I32DivS | I32DivU | I32RemS | I32RemU | I64DivS | I64DivU | I64RemS | I64RemU)
}

fn is_partial_truncation(instruction: &Instruction<'_>) -> bool {
    use Instruction::*;
    matches!(
        instruction,
        I32TruncF32S
            | I32TruncF32U
            | I32TruncF64S
            | I32TruncF64U
            | I64TruncF32S
            | I64TruncF32U
            | I64TruncF64S
            | I64TruncF64U
    )
}
