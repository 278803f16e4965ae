//! A smaller module of which the same is true: operators are left out where the stack allows it, as long as somebody wants
//! what is left.
//!
//! Only code changes. Functions, their types and all exports stay, so the module can be run on the same inputs.

use std::ops::Range;
use wasm_encoder::{CodeSection, ConstExpr, Encode, Module, RawSection};
use wasmparser::{Operator, OperatorsReader, Parser, Payload, ValType, ValidPayload, Validator};

/// Whether a module is still what is looked for.
pub(super) type Wanted<'a> = &'a dyn Fn(&[u8]) -> bool;

/// Makes a valid module smaller, by asking at most so often whether what is left is wanted.
pub(super) fn reduce(wasm: &[u8], mut questions: usize, is_wanted: Wanted<'_>) -> Vec<u8> {
    let mut smallest = wasm.to_vec();
    while questions > 0 {
        let before = smallest.len();
        let Some(functions) = functions(&smallest) else { break };
        for function in (0..functions.len()).rev() {
            for replaced in [leave_out, replace_by_constants] {
                replaced(&mut smallest, function, &mut |module: &[u8]| {
                    questions = questions.saturating_sub(1);
                    questions > 0 && is_wanted(module)
                });
            }
        }
        if smallest.len() == before {
            break;
        }
    }
    smallest
}

type Ask<'a> = &'a mut dyn FnMut(&[u8]) -> bool;

/// A place between two operators.
struct Place {
    /// Where the next operator begins in the module.
    offset: usize,
    /// How many constructs are open.
    depth: u32,
    /// How many values are on the stack.
    height: u32,
    /// The type of the one on top.
    top: Option<ValType>,
    /// Whether a construct has just begun.
    is_start: bool,
}

/// The places of each function, the last before its `end`; none if the module is not valid.
fn functions(wasm: &[u8]) -> Option<Vec<Vec<Place>>> {
    let mut validator = Validator::new_with_features(coax_program::FEATURES);
    let mut functions = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let ValidPayload::Func(to_validate, body) = validator.payload(&payload.ok()?).ok()? {
            let mut state = to_validate.into_validator(Default::default());
            let mut reader = body.get_binary_reader();
            state.read_locals(&mut reader).ok()?;
            let mut places = Vec::new();
            let mut is_start = true;
            let mut reader = OperatorsReader::new(reader);
            while !reader.eof() {
                places.push(Place {
                    offset: reader.original_position(),
                    depth: state.control_stack_height(),
                    height: state.operand_stack_height(),
                    top: state.get_operand_type(0).flatten(),
                    is_start,
                });
                let operator = reader.read().ok()?;
                state.op(places.last()?.offset, &operator).ok()?;
                is_start = matches!(
                    operator,
                    Operator::Block { .. }
                        | Operator::Loop { .. }
                        | Operator::If { .. }
                        | Operator::Else
                        | Operator::TryTable { .. }
                );
            }
            functions.push(places);
        }
    }
    Some(functions)
}

/// The places after one at which the stack is as it was, with so many values more; it is never lower between.
fn balanced(places: &[Place], from: usize, more: u32) -> Vec<usize> {
    let start = &places[from];
    let mut found = Vec::new();
    for (index, place) in places.iter().enumerate().skip(from + 1) {
        if place.depth < start.depth || place.height < start.height {
            break;
        }
        // The other half of an `if` is as deep, but no other place in the same construct.
        if place.depth == start.depth && place.is_start {
            break;
        }
        if place.depth == start.depth && place.height == start.height + more {
            found.push(index);
        }
    }
    found
}

/// Leaves out statements, in halves, quarters and so on of each construct.
fn leave_out(wasm: &mut Vec<u8>, function: usize, ask: Ask<'_>) {
    let mut from = 0;
    while let Some(places) = functions(wasm).map(|mut all| all.swap_remove(function))
        && from < places.len()
    {
        if places[from].is_start {
            let mut size = balanced(&places, from, 0).len();
            while size > 0 {
                leave_out_pieces(wasm, (function, from), size, ask);
                size /= 2;
            }
        }
        from += 1;
    }
}

/// Leaves out pieces of so many statements each of the construct that begins there.
fn leave_out_pieces(wasm: &mut Vec<u8>, (function, from): (usize, usize), size: usize, ask: Ask<'_>) {
    let mut first = 0;
    while let Some(places) = functions(wasm).map(|mut all| all.swap_remove(function)) {
        let mut ends = vec![from];
        ends.extend(balanced(&places, from, 0));
        let Some(&end) = ends.get(first + size) else { break };
        let piece = places[ends[first]].offset..places[end].offset;
        if !replace(wasm, function, piece, &[], ask) {
            first += size;
        }
    }
}

/// Puts a constant in the place of operators that leave one value.
fn replace_by_constants(wasm: &mut Vec<u8>, function: usize, ask: Ask<'_>) {
    let mut from = 0;
    while let Some(places) = functions(wasm).map(|mut all| all.swap_remove(function))
        && from < places.len()
    {
        for end in balanced(&places, from, 1).into_iter().rev().filter(|&end| end > from + 1) {
            let Some(constant) = places[end].top.and_then(zero) else { continue };
            let piece = places[from].offset..places[end].offset;
            if replace(wasm, function, piece, &constant, ask) {
                break;
            }
        }
        from += 1;
    }
}

/// The operator that makes a zero.
fn zero(ty: ValType) -> Option<Vec<u8>> {
    let zero = match ty {
        ValType::I32 => ConstExpr::i32_const(0),
        ValType::I64 => ConstExpr::i64_const(0),
        ValType::F32 => ConstExpr::f32_const(0.0.into()),
        ValType::F64 => ConstExpr::f64_const(0.0.into()),
        ValType::V128 => ConstExpr::v128_const(0),
        ValType::Ref(_) => return None,
    };
    let mut bytes = Vec::new();
    zero.encode(&mut bytes);
    // Without the `end` of the expression.
    bytes.pop();
    Some(bytes)
}

/// Puts other bytes in the place of a part of a function's code, if what comes of it is valid and wanted.
fn replace(wasm: &mut Vec<u8>, function: usize, piece: Range<usize>, by: &[u8], ask: Ask<'_>) -> bool {
    let Some(other) = replaced(wasm, function, piece, by) else { return false };
    let is_valid = Validator::new_with_features(coax_program::FEATURES).validate_all(&other).is_ok();
    let is_better = is_valid && other.len() < wasm.len() && ask(&other);
    if is_better {
        *wasm = other;
    }
    is_better
}

fn replaced(wasm: &[u8], function: usize, piece: Range<usize>, by: &[u8]) -> Option<Vec<u8>> {
    let mut module = Module::new();
    let mut code = CodeSection::new();
    let mut bodies = 0;
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload.ok()?;
        match &payload {
            Payload::CodeSectionStart { count, .. } => bodies = *count,
            Payload::CodeSectionEntry(body) => {
                let range = body.range();
                match code.len() as usize == function {
                    true => {
                        let parts = [&wasm[range.start..piece.start], by, &wasm[piece.end..range.end]];
                        code.raw(&parts.concat());
                    }
                    false => {
                        code.raw(&wasm[range]);
                    }
                }
                if code.len() == bodies {
                    module.section(&code);
                }
            }
            _ => {
                if let Some((id, range)) = payload.as_section() {
                    module.section(&RawSection { id, data: &wasm[range] });
                }
            }
        }
    }
    Some(module.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Source;

    /// How many operators of a kind there are, and how many in all.
    fn count(wasm: &[u8], is_it: fn(&Operator<'_>) -> bool) -> (usize, usize) {
        let (mut found, mut all) = (0, 0);
        for payload in Parser::new(0).parse_all(wasm) {
            if let Payload::CodeSectionEntry(body) = payload.expect("a module") {
                for operator in body.get_operators_reader().expect("operators") {
                    found += usize::from(is_it(&operator.expect("an operator")));
                    all += 1;
                }
            }
        }
        (found, all)
    }

    #[test]
    fn little_more_is_left_than_what_is_wanted() {
        let is_it = |operator: &Operator<'_>| matches!(operator, Operator::CallIndirect { .. });
        let modules = (0..).map(|seed| Source::Data.module(seed, 40).expect("a module for each seed"));
        for wasm in modules.filter(|wasm| count(wasm, is_it).0 > 0).take(5) {
            let reduced = reduce(&wasm, 100_000, &|wasm| count(wasm, is_it).0 > 0);
            let ((found, left), (_, before)) = (count(&reduced, is_it), count(&wasm, is_it));
            // Each function still has its results; the call has its arguments, and something takes what it returns.
            assert!(found > 0 && left * 20 < before, "{found}, with {left} operators of {before}");
        }
    }

    #[test]
    fn no_more_is_asked_than_allowed() {
        let wasm = Source::Data.module(1, 40).expect("a module for each seed");
        let asked = std::cell::Cell::new(0);
        reduce(&wasm, 7, &|_| {
            asked.set(asked.get() + 1);
            false
        });
        assert!(asked.get() <= 7, "{asked:?}");
    }
}
