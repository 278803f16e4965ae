//! Which operators there are and what their types are, found without asking coax: an operator of wasmparser's whose
//! operands and result are numbers or vectors in exactly one way, as its validator says.

use coax_program::ops;
use wasm_encoder::reencode::{Reencode as _, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, FunctionSection, Instruction, Module, TypeSection,
};
use wasmparser::{Operator, ValType, Validator};

/// An operator that computes a value from values.
pub(super) struct Computation {
    pub(super) op: Operator<'static>,
    pub(super) name: String,
    pub(super) params: Vec<ValType>,
    pub(super) result: ValType,
}

const TYPES: [ValType; 5] = [ValType::I32, ValType::I64, ValType::F32, ValType::F64, ValType::V128];
const MAX_OPERANDS: u32 = 3;

/// All computations, in wasmparser's order.
pub(super) fn computations() -> Vec<Computation> {
    candidates().into_iter().filter_map(typed).collect()
}

/// A module with a function for each computation, exported in order.
pub(super) fn module(computations: &[Computation]) -> Vec<u8> {
    let mut builder = Builder::default();
    for Computation { op, params, result, .. } in computations {
        builder.function(op, params, Some(*result));
    }
    builder.finish()
}

/// All operators without immediates, and those whose immediates are lanes, with each lane there might be.
fn candidates() -> Vec<Operator<'static>> {
    let mut candidates = Vec::new();
    macro_rules! candidate {
        ($op:ident) => {
            candidates.push(Operator::$op)
        };
        ($op:ident lane) => {
            candidates.extend((0..16).map(|lane| Operator::$op { lane }))
        };
        ($op:ident lanes) => {
            candidates.extend(SHUFFLES.map(|lanes| Operator::$op { lanes }))
        };
        ($op:ident $($other:ident)+) => {};
    }
    macro_rules! collect {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $ty:ty),* })? => $visit:ident ($($annotation:tt)*))*) => {
            $(candidate!($op $($($arg)*)?);)*
        };
    }
    wasmparser::for_each_operator!(collect);
    candidates
}

/// Lanes in order, in reverse, of one vector twice, and mixed.
const SHUFFLES: [[u8; 16]; 4] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16],
    [7, 7, 7, 7, 15, 15, 15, 15, 0, 0, 0, 0, 8, 8, 8, 8],
    [0, 16, 1, 17, 30, 15, 8, 23, 24, 9, 5, 5, 21, 21, 31, 2],
];

/// The operator with its types, if there is exactly one way to use it on numbers and vectors.
fn typed(op: Operator<'static>) -> Option<Computation> {
    let mut uses = Vec::new();
    for count in 1..=MAX_OPERANDS {
        for number in 0..TYPES.len().pow(count) {
            let params: Vec<ValType> =
                (0..count).map(|place| TYPES[number / TYPES.len().pow(place) % TYPES.len()]).collect();
            if is_valid(&op, &params, None) {
                uses.push(params);
            }
        }
    }
    let params = if uses.len() == 1 { uses.pop()? } else { return None };
    let result = TYPES.into_iter().find(|&result| is_valid(&op, &params, Some(result)))?;
    let immediate = match op {
        Operator::I8x16Shuffle { .. } => String::new(),
        _ => lane(&op).map(|lane| format!(" {lane}")).unwrap_or_default(),
    };
    let name = format!("{}{immediate}", ops::name(&op));
    Some(Computation { name, op, params, result })
}

/// The lane that an operator names.
fn lane(op: &Operator<'_>) -> Option<u8> {
    macro_rules! lane_of {
        ($name:ident lane) => {
            return Some(*$name)
        };
        ($($other:tt)*) => {};
    }
    macro_rules! lane_of_all {
        ($(@$proposal:ident $op:ident $({ $first:ident: $fty:ty $(, $arg:ident: $ty:ty)* })? => $visit:ident ($($annotation:tt)*))*) => {
            match op {
                $(Operator::$op $({ $first, .. })? => { $(let _ = $first; lane_of!($first $first);)? })*
                _ => {}
            }
        };
    }
    wasmparser::for_each_operator!(lane_of_all);
    None
}

/// Whether the operator takes these operands and has that result; without, whether it has one at all.
fn is_valid(op: &Operator<'static>, params: &[ValType], result: Option<ValType>) -> bool {
    let mut builder = Builder::default();
    builder.function(op, params, result);
    Validator::new_with_features(coax_program::FEATURES).validate_all(&builder.finish()).is_ok()
}

#[derive(Default)]
struct Builder {
    types: TypeSection,
    functions: FunctionSection,
    exports: ExportSection,
    code: CodeSection,
}

impl Builder {
    fn function(&mut self, op: &Operator<'static>, params: &[ValType], result: Option<ValType>) {
        let encode =
            |ty: ValType| RoundtripReencoder.val_type(ty).expect("numbers and vectors can be encoded");
        let index = self.types.len();
        self.types.ty().function(params.iter().copied().map(encode), result.map(encode));
        self.functions.function(index);
        self.exports.export(&format!("f{index}"), ExportKind::Func, index);
        let mut code = Function::new([]);
        for place in 0..params.len() {
            code.instruction(&Instruction::LocalGet(place as u32));
        }
        code.instruction(
            &RoundtripReencoder.instruction(op.clone()).expect("wasmparser's operators can be encoded"),
        );
        if result.is_none() {
            code.instruction(&Instruction::Drop);
        }
        code.instruction(&Instruction::End);
        self.code.function(&code);
    }

    fn finish(&self) -> Vec<u8> {
        let mut module = Module::new();
        module.section(&self.types).section(&self.functions).section(&self.exports).section(&self.code);
        module.finish()
    }
}
