//! Facts about wasm operators, all derived from wasmparser's own list of them.

use crate::ir::Op;
use wasmparser::{MemArg, Operator};

/// The operator without the lifetime of the bytes it was read from; `None` for `br_table`, the only
/// one that borrows (in SSA it is a terminator).
pub fn to_static(op: Operator<'_>) -> Option<Op> {
    macro_rules! rebuild {
        (BrTable $targets:ident) => {{
            let _ = $targets;
            None
        }};
        ($op:ident) => { Some(Operator::$op) };
        ($op:ident $($arg:ident)+) => { Some(Operator::$op { $($arg),+ }) };
    }
    macro_rules! rebuild_all {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $ty:ty),* })? => $visit:ident ($($annotation:tt)*))*) => {
            match op {
                $(Operator::$op $({ $($arg),* })? => rebuild!($op $($($arg)*)?),)*
                _ => None,
            }
        };
    }
    wasmparser::for_each_operator!(rebuild_all)
}

/// The operator's name in the text format, without immediates.
pub fn name(op: &Operator<'_>) -> String {
    macro_rules! visitor_name {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $ty:ty),* })? => $visit:ident ($($annotation:tt)*))*) => {
            match op {
                $(Operator::$op { .. } => stringify!($visit),)*
                _ => "visit_unknown",
            }
        };
    }
    // `visit_i32_load8_u` is `i32.load8_u`, `visit_call_indirect` is `call_indirect`.
    const DOTTED: [&str; 18] = [
        "i32", "i64", "f32", "f64", "v128", "i8x16", "i16x8", "i32x4", "i64x2", "f32x4", "f64x2", "local",
        "global", "memory", "table", "ref", "data", "elem",
    ];
    let visitor = wasmparser::for_each_operator!(visitor_name);
    let name = visitor.trim_start_matches("visit_").trim_start_matches("typed_");
    match name.split_once('_') {
        Some((prefix, rest)) if DOTTED.contains(&prefix) => format!("{prefix}.{rest}"),
        _ => name.to_string(),
    }
}

/// The memory and offset that a load or store accesses.
pub fn memarg(op: &Operator<'_>) -> Option<MemArg> {
    macro_rules! memarg_of {
        (memarg $memarg:ident) => { return Some(*$memarg) };
        ($($other:ident)*) => { $(let _ = $other;)* };
    }
    macro_rules! memarg_of_all {
        ($(@$proposal:ident $op:ident $({ $first:ident: $fty:ty $(, $arg:ident: $ty:ty)* })? => $visit:ident ($($annotation:tt)*))*) => {
            match op {
                $(Operator::$op $({ $first, .. })? => { $(memarg_of!($first $first);)? })*
                _ => {}
            }
        };
    }
    wasmparser::for_each_operator!(memarg_of_all);
    None
}

/// Whether the operator, other than a call, may trap.
pub fn may_trap(op: &Operator<'_>) -> bool {
    use Operator::*;
    let traps_by_itself = matches!(
        op,
        Unreachable
            | I32DivS
            | I32DivU
            | I32RemS
            | I32RemU
            | I64DivS
            | I64DivU
            | I64RemS
            | I64RemU
            | I32TruncF32S
            | I32TruncF32U
            | I32TruncF64S
            | I32TruncF64U
            | I64TruncF32S
            | I64TruncF32U
            | I64TruncF64S
            | I64TruncF64U
            | MemoryInit { .. }
            | MemoryCopy { .. }
            | MemoryFill { .. }
            | TableInit { .. }
            | TableCopy { .. }
            | TableFill { .. }
            | TableGet { .. }
            | TableSet { .. }
            | ThrowRef
    );
    traps_by_itself || memarg(op).is_some()
}

/// Whether the operator calls a function (and comes back).
pub fn is_call(op: &Operator<'_>) -> bool {
    matches!(op, Operator::Call { .. } | Operator::CallIndirect { .. })
}

/// Whether the operator leaves the function by a call.
pub fn is_tail_call(op: &Operator<'_>) -> bool {
    matches!(op, Operator::ReturnCall { .. } | Operator::ReturnCallIndirect { .. })
}

/// Whether the operator chooses between two values.
pub fn is_select(op: &Operator<'_>) -> bool {
    matches!(op, Operator::Select | Operator::TypedSelect { .. })
}
