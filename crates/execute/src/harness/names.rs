//! What the functions of test harnesses are called.

use super::{Failure, RangeKind, Service, Size, What, Word};
use crate::NumberKind;
use coax_program::Signature;
use wasmparser::ValType;

/// What a C compiler imports undefined functions from.
const ENV: &str = "env";
/// Owi's own, and what they were called before.
const OWI: [&str; 3] = ["owi", "symbolic", "summaries"];

/// What answers this import.
pub(super) fn find(module: &str, name: &str, signature: &Signature) -> Option<Service> {
    let result = signature.results.first().copied();
    let (name, what) = match module {
        ENV => in_env(name, signature)?,
        _ if OWI.contains(&module) => (name, owi(name, result)?),
        _ => return None,
    };
    Some(Service { name: name.to_owned(), what, result })
}

/// What C programs call, and its name without what all of its kind begin with.
fn in_env<'a>(name: &'a str, signature: &Signature) -> Option<(&'a str, What)> {
    let result = signature.results.first().copied();
    let after = |prefix: &str| name.strip_prefix(prefix);
    if let Some(rest) = after("coax_") {
        return Some((rest, coax(rest, result)?));
    }
    if let Some(rest) = after("klee_") {
        return Some((name, klee(rest, result)?));
    }
    if let Some(rest) = after("__VERIFIER_nondet_") {
        return Some((&name["__VERIFIER_".len()..], nondet(rest, signature)?));
    }
    if let Some(rest) = after("nondet_").or_else(|| after("__nondet_")).or_else(|| after("nondet")) {
        return Some((name, nondet(rest, signature)?));
    }
    if let Some(rest) = after("__WASP_").or_else(|| after("owi_")) {
        return Some((name, wasp(rest, result)?));
    }
    let what = match name {
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "assume" => What::Assume(0),
        "__VERIFIER_assert" | "assert" => What::Assert { condition: 0, text: None },
        "__CPROVER_assert" | "__CPROVER_precondition" | "__CPROVER_postcondition" | "__ESBMC_assert" => {
            What::Assert { condition: 0, text: Some(1) }
        }
        "__VERIFIER_error" | "reach_error" => {
            fail(Failure::Assertion, &[Word::Plain("an error was reached")])
        }
        "__CPROVER_cover" | "__CPROVER_input" | "__CPROVER_output" => What::Constant(0),
        "__VERIFIER_atomic_begin" | "__VERIFIER_atomic_end" => What::Constant(0),
        "__assert_fail" => fail(Failure::Assertion, &assert_words()),
        // For mutators of the program's own, which only a fuzzer calls: what it is given stays as it is.
        "LLVMFuzzerMutate" if signature.params.len() == 3 => What::Same(1),
        "symcc_make_symbolic" => What::Object { address: 0, size: Size::At(1), name: None },
        "exit" | "_Exit" | "_exit" => What::Exit(0),
        // AssemblyScript's takes what went wrong and where, C's nothing.
        "abort" if signature.params.len() == 4 => fail(
            Failure::Abort,
            &[
                Word::Wide(0),
                Word::Plain(" at "),
                Word::Wide(1),
                Word::Plain(":"),
                Word::Number(2),
                Word::Plain(":"),
                Word::Number(3),
            ],
        ),
        "abort" => fail(Failure::Abort, &[]),
        _ => return None,
    };
    Some((name, what))
}

/// coax.h.
fn coax(name: &str, result: Option<ValType>) -> Option<What> {
    Some(match name {
        "bytes" => What::Object { address: 0, size: Size::At(1), name: Some(2) },
        "range" => range(Some(0), 1, Some(2)),
        "assume" => What::Assume(0),
        "assert" => What::Assert { condition: 0, text: None },
        "assert_fail" => fail(Failure::Assertion, &assert_words()),
        "cover" => What::Label(0),
        "unknown" => What::Unknown(0),
        // What the Rust crate does with names: they have no zero byte at their end.
        "scope" => What::OpenScope { name: 0, length: Some(1) },
        "end_scope" => What::CloseScope,
        _ => What::Number { kind: word(name, result)?, name: Some(0) },
    })
}

/// klee/klee.h.
fn klee(name: &str, result: Option<ValType>) -> Option<What> {
    Some(match name {
        "make_symbolic" => What::Object { address: 0, size: Size::At(1), name: Some(2) },
        "range" => What::Range { from: Some(0), to: 1, name: Some(2), kind: RangeKind::Klee },
        "choose" => range(None, 0, None),
        "assume" => What::Assume(0),
        "silent_exit" => What::Discard,
        "abort" => fail(Failure::Abort, &[]),
        "assert_fail" => fail(Failure::Assertion, &assert_words()),
        "report_error" => fail(
            Failure::Abort,
            &[Word::Text(2), Word::Plain(" at "), Word::Text(0), Word::Plain(":"), Word::Number(1)],
        ),
        "warning" | "warning_once" | "print_expr" | "print_range" => What::Say(0),
        "check_memory_access" => What::CheckAccess { address: 0, size: 1 },
        "get_obj_size" => What::ObjectSize(0),
        "get_valuef" | "get_valued" | "get_valuel" | "get_valuell" | "get_value_i32" | "get_value_i64" => {
            What::Concrete(0)
        }
        // The same in all engines, for a run on the plain module must be the same.
        "is_symbolic" | "is_replay" | "get_errno" => What::Constant(0),
        "prefer_cex"
        | "posix_prefer_cex"
        | "set_forking"
        | "open_merge"
        | "close_merge"
        | "mark_global"
        | "define_fixed_object"
        | "alias_function"
        | "alias_undefine_function"
        | "disable_memory_state"
        | "enable_memory_state"
        | "stack_trace" => What::Constant(0),
        _ => What::Number { kind: word(name, result)?, name: Some(0) },
    })
}

/// `__VERIFIER_nondet_X`, `nondet_X`: a number of a type that the name says, or the result.
fn nondet(name: &str, signature: &Signature) -> Option<What> {
    if let ("memory", [_, _]) = (name, &signature.params[..]) {
        return Some(What::Object { address: 0, size: Size::At(1), name: None });
    }
    if let ("int128" | "uint128", None, [_]) = (name, signature.results.first(), &signature.params[..]) {
        // Too wide for wasm: the caller passes the place for it.
        return Some(What::Object { address: 0, size: Size::Known(16), name: None });
    }
    let result = signature.results.first().copied()?;
    let kind = word(name, Some(result)).unwrap_or(NumberKind::of(result));
    kind.width().map(|_| What::Number { kind, name: None })
}

/// `__WASP_symb_T(name)`, `owi_T()` of C programs that are not linked with those tools' own libraries.
fn wasp(name: &str, result: Option<ValType>) -> Option<What> {
    let name = name.strip_prefix("symb_").unwrap_or(name);
    Some(match name {
        "assume" => What::Assume(0),
        "assert" => What::Assert { condition: 0, text: None },
        "alloc" | "dealloc" => What::Same(0),
        "is_symbolic" => What::Constant(0),
        "range" => range(Some(0), 1, None),
        "label_set" => What::Label(1),
        "open_scope" => What::OpenScope { name: 0, length: None },
        "close_scope" => What::CloseScope,
        "abort" => What::Discard,
        "exit" => What::Exit(0),
        _ => match name.strip_prefix("named_") {
            Some(name) => What::Number { kind: word(name, result)?, name: Some(0) },
            None => What::Number { kind: word(name, result)?, name: None },
        },
    })
}

/// Owi's imports.
fn owi(name: &str, result: Option<ValType>) -> Option<What> {
    Some(match name {
        "assume" => What::Assume(0),
        "assert" => What::Assert { condition: 0, text: None },
        "range_symbol" => range(Some(0), 1, None),
        "in_replay_mode" | "cov_label_is_covered" => What::Constant(0),
        "print_char" => What::Print(0),
        "cov_label_set" => What::Label(1),
        "open_scope_null_terminated" | "open_scope" => What::OpenScope { name: 0, length: None },
        "open_scope_of_length" => What::OpenScope { name: 0, length: Some(1) },
        "close_scope" => What::CloseScope,
        "alloc" | "dealloc" => What::Same(0),
        "abort" => What::Discard,
        "exit" => What::Exit(0),
        "i32_symbol_constant" => What::Same(0),
        _ => {
            let kind = name.strip_suffix("_symbol")?;
            // Narrow ones have no sign here, other than in C.
            let kind = match kind.strip_prefix("invisible_").unwrap_or(kind) {
                "i8" | "char" => "u8",
                "i16" => "u16",
                kind => kind,
            };
            What::Number { kind: word(kind, result)?, name: None }
        }
    })
}

/// The kind of number that a word for a type means, where that has this wasm type.
fn word(word: &str, result: Option<ValType>) -> Option<NumberKind> {
    let (bytes, signed) = match word {
        "bool" | "_Bool" => return Some(NumberKind::Bool),
        "float" | "f32" => return (result? == ValType::F32).then_some(NumberKind::F32),
        "double" | "f64" => return (result? == ValType::F64).then_some(NumberKind::F64),
        "char" | "schar" | "signed_char" | "i8" | "int8" | "s8" | "int8_t" => (1, true),
        "uchar" | "unsigned_char" | "u8" | "uint8" | "uint8_t" => (1, false),
        "short" | "i16" | "int16" | "s16" | "int16_t" => (2, true),
        "ushort" | "unsigned_short" | "u16" | "uint16" | "uint16_t" => (2, false),
        "int" | "i32" | "int32" | "s32" | "int32_t" | "long" | "longlong" | "long_long" | "i64" | "int64"
        | "s64" | "int64_t" | "loff_t" => (width(result?)?, true),
        "uint" | "unsigned" | "unsigned_int" | "u32" | "uint32" | "uint32_t" | "ulong" | "unsigned_long"
        | "ulonglong" | "unsigned_long_long" | "u64" | "uint64" | "uint64_t" | "size" | "size_t"
        | "sector_t" | "pointer" | "pchar" | "pthread_t" => (width(result?)?, false),
        _ => return None,
    };
    matches!(result?, ValType::I32 | ValType::I64).then(|| NumberKind::integer(bytes, signed))?
}

/// How many bytes an integer of this type has.
fn width(ty: ValType) -> Option<u64> {
    match ty {
        ValType::I32 => Some(4),
        ValType::I64 => Some(8),
        _ => None,
    }
}

fn range(from: Option<usize>, to: usize, name: Option<usize>) -> What {
    What::Range { from, to, name, kind: RangeKind::Lenient }
}

fn fail(kind: Failure, texts: &[Word]) -> What {
    What::Fail { kind, texts: texts.to_vec() }
}

/// The arguments of C's own `__assert_fail`: expression, file, line, function.
fn assert_words() -> [Word; 5] {
    [Word::Text(0), Word::Plain(" at "), Word::Text(1), Word::Plain(":"), Word::Number(2)]
}
