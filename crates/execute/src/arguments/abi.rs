//! Which wasm parameters the parameters of the source become.
//!
//! C and C++ pass a structure of one number as that number, any other by a pointer to a copy. Rust passes what consists of two numbers, such as
//! a slice, as two parameters, small structures as an integer, and others by pointer; functions that are `extern "C"` follow C. A result that
//! is no number is written to where a hidden first parameter points to. DWARF does not say which rules hold, but only the right ones
//! give the types that the function really has; if none do, what is left is what DWARF says about locals.

use super::lengths::Counting;
use super::make::{Beside, Maker};
use super::shape::{FieldShape, Layout, ParamShape, Shape};
use super::variants::is_free;
use super::{NumberKind, Room};
use coax_program::Signature;
use coax_program::debug_info::{FunctionType, Parameter, Type, TypeId};
use wasmparser::ValType;

/// How large a result can be.
const MOST_RESULT: u64 = 1 << 24;

/// Whose rules.
#[derive(Clone, Copy, PartialEq)]
enum Rules {
    C,
    Rust,
}

/// The shapes of all wasm parameters; none if they do not fit what the source says.
pub(super) fn params(
    maker: &mut Maker<'_>,
    function: &FunctionType,
    signature: &Signature,
    is_rust: bool,
) -> Option<Vec<ParamShape>> {
    let result_bytes = function.result.and_then(|result| maker.types.size(result)).unwrap_or(0);
    if result_bytes > MOST_RESULT {
        return None;
    }
    let hidden = (signature.results.is_empty() && result_bytes > 0).then(|| hidden_result(result_bytes));
    let rules = if is_rust { &[Rules::Rust, Rules::C][..] } else { &[Rules::C] };
    for &rules in rules {
        let before = maker.notes.len();
        maker.refusal = None;
        let groups: Option<Vec<Group>> = pass_all(maker, &function.params, rules).into_iter().collect();
        let passed = groups.map(|groups| hidden.clone().into_iter().chain(groups.into_iter().flatten()));
        let passed: Option<Group> = passed.map(Iterator::collect);
        if let Some(all) = passed.filter(|all| all.iter().map(|(ty, _)| ty).eq(&signature.params)) {
            return Some(all.into_iter().map(|(_, shape)| shape).collect());
        }
        maker.notes.truncate(before);
    }
    let rules = if is_rust { Rules::Rust } else { Rules::C };
    by_locals(maker, &function.params, signature, hidden, rules)
}

/// The wasm parameters that one parameter of the source becomes.
type Group = Vec<(ValType, ParamShape)>;

/// Where a function writes a result that is no number.
fn hidden_result(bytes: u64) -> (ValType, ParamShape) {
    let to = Box::new(Layout { bytes, ..Layout::default() });
    let shape = Shape::Pointer { room: Room::Pages, to, never_null: true };
    (ValType::I32, ParamShape { name: Some("result".into()), shape })
}

/// What each parameter becomes, as far as that is known.
fn pass_all(maker: &mut Maker<'_>, params: &[Parameter], rules: Rules) -> Vec<Option<Group>> {
    let name =
        |(index, param): (usize, &Parameter)| param.name.clone().unwrap_or_else(|| format!("param{index}"));
    let beside: Vec<Beside> = params
        .iter()
        .enumerate()
        .map(|(index, param)| Beside { name: name((index, param)), ty: param.ty })
        .collect();
    let shapes = maker.beside(&beside, None, "");
    let mut groups = Vec::new();
    for (Beside { name, ty }, shape) in beside.iter().zip(shapes) {
        groups.push(match shape {
            Some(shape) => Some(vec![(passed_as(&shape), ParamShape { name: Some(name.clone()), shape })]),
            None => pass_aggregate(maker, name, *ty, rules),
        });
    }
    groups
}

fn passed_as(shape: &Shape) -> ValType {
    match shape {
        Shape::Number(kind, _) | Shape::Choice(kind, ..) | Shape::Length { kind, .. } => {
            kind.passed_as().unwrap_or(ValType::I32)
        }
        _ => ValType::I32,
    }
}

fn pass_aggregate(
    maker: &mut Maker<'_>,
    name: &str,
    ty: TypeId,
    rules: Rules,
) -> Option<Vec<(ValType, ParamShape)>> {
    let named = |name: String, shape: Shape| (passed_as(&shape), ParamShape { name: Some(name), shape });
    let bytes = match maker.types.size(ty) {
        Some(bytes) => bytes,
        // All that C++ passes otherwise is described.
        None => return maker.refuse_unknown(name).map(|shape| vec![named(name.to_owned(), shape)]),
    };
    let composite = match maker.types.get(ty) {
        Type::Integer { bytes: 16, .. } | Type::Float { bytes: 16 } => {
            let half = |half: &str| named(format!("{name}.{half}"), Shape::Number(NumberKind::U64, 0));
            return Some(vec![half("low"), half("high")]);
        }
        Type::Structure(composite) | Type::Union(composite) if bytes > 0 => Some(composite),
        _ if bytes == 0 => return Some(Vec::new()),
        _ => None,
    };
    if let Some(composite) = &composite {
        let mut leaves = Vec::new();
        let is_union = matches!(maker.types.get(ty), Type::Union(_));
        let is_plain = maker.leaves(composite, 0, "", 32, &mut leaves).is_some()
            && (!is_union || composite.members.len() == 1);
        if composite.variants.is_some() && rules == Rules::Rust {
            return pass_enum(maker, name, ty, bytes);
        }
        if is_plain && leaves.len() == 1 && maker.types.size(leaves[0].ty) == Some(bytes) {
            let shape = maker.scalar(leaves[0].ty, Counting::No, 1, name)?;
            return Some(vec![named(format!("{name}.{}", leaves[0].name), shape)]);
        }
        if is_plain && leaves.len() == 2 && rules == Rules::Rust {
            if let Some(sequence) = maker.sequence(composite, maker.depth, name) {
                return Some(sequence.into_iter().map(|field| pair_part(name, field)).collect());
            }
            let part = |maker: &mut Maker<'_>, index: usize| {
                let shape = maker.scalar(leaves[index].ty, Counting::No, 1, name)?;
                Some(named(format!("{name}.{}", leaves[index].name), shape))
            };
            return Some(vec![part(maker, 0)?, part(maker, 1)?]);
        }
    }
    if rules == Rules::Rust && bytes <= 4 {
        let layout = maker.layout(ty, maker.depth, name);
        if let (Some(composite), false) =
            (&composite, layout.fields.iter().all(|field| is_free(&field.shape)))
        {
            maker.refuse(name, composite, "passed as one number, some of whose values it does not have");
        }
        return Some(vec![named(name.to_owned(), Shape::Number(NumberKind::U32, 0))]);
    }
    let to = Box::new(maker.layout(ty, maker.depth, name));
    Some(vec![named(name.to_owned(), Shape::Pointer { room: Room::Pages, to, never_null: true })])
}

/// An enum: a number if it is nothing else, a tag and a number, or a pointer to a copy.
fn pass_enum(maker: &mut Maker<'_>, name: &str, ty: TypeId, bytes: u64) -> Option<Group> {
    let layout = maker.layout(ty, maker.depth, name);
    let is_number = |field: &FieldShape| !matches!(field.shape, Shape::Inline(_));
    let is_whole = layout.fields.iter().all(is_number)
        && match &layout.fields[..] {
            [only] => only.shape.bytes() == bytes,
            [_, _] => true,
            _ => false,
        };
    let part = |field: FieldShape| {
        let full = if field.name.is_empty() { name.to_owned() } else { format!("{name}.{}", field.name) };
        match field.shape {
            Shape::Length { .. } => pair_part(name, field),
            shape => (passed_as(&shape), ParamShape { name: Some(full), shape }),
        }
    };
    if is_whole {
        return Some(layout.fields.into_iter().map(part).collect());
    }
    if bytes <= 4 {
        return None;
    }
    let shape = Shape::Pointer { room: Room::Pages, to: Box::new(layout), never_null: true };
    Some(vec![(ValType::I32, ParamShape { name: Some(name.to_owned()), shape })])
}

/// A field of a slice as a parameter of its own.
fn pair_part(name: &str, field: FieldShape) -> (ValType, ParamShape) {
    let (name, shape) = match field.shape {
        Shape::Length { element, kind, fixed, also, .. } => {
            (None, Shape::Length { of: name.to_owned(), element, kind, fixed, also })
        }
        shape => (Some(name.to_owned()), shape),
    };
    (passed_as(&shape), ParamShape { name, shape })
}

/// What is known of parameters that are in a local of their own, or follow one that is; the others are numbers. (Compilers say nothing
/// of some parameters.)
fn by_locals(
    maker: &mut Maker<'_>,
    params: &[Parameter],
    signature: &Signature,
    hidden: Option<(ValType, ParamShape)>,
    rules: Rules,
) -> Option<Vec<ParamShape>> {
    let number = |&ty| ParamShape { name: None, shape: Shape::Number(NumberKind::of(ty), 0) };
    let mut all: Vec<ParamShape> = signature.params.iter().map(number).collect();
    let mut next = hidden.iter().len();
    let mut known = next;
    if let Some((place, (_, shape))) = all.first_mut().zip(hidden) {
        *place = shape;
    }
    for (param, group) in params.iter().zip(pass_all(maker, params, rules)) {
        let begin = param.local.map_or(next, |local| local as usize);
        let Some(group) = group.filter(|_| begin >= next) else { continue };
        let fits = signature.params.get(begin..begin + group.len());
        if fits.is_none_or(|types| !types.iter().eq(group.iter().map(|(ty, _)| ty))) {
            continue;
        }
        next = begin + group.len();
        known += group.len();
        for (place, (_, shape)) in all[begin..].iter_mut().zip(group) {
            *place = shape;
        }
    }
    drop_lengths_of_nothing(&mut all);
    if known < all.len() {
        maker.note(
            "the debug information does not say what all parameters are, so some are plain numbers".into(),
        );
    }
    (known > 0).then_some(all)
}

/// A length whose buffer was not placed is a number like others.
fn drop_lengths_of_nothing(all: &mut [ParamShape]) {
    let names: Vec<Option<String>> = all.iter().map(|param| param.name.clone()).collect();
    let is_there = |name: &String| names.contains(&Some(name.clone()));
    for param in all {
        let length = match &mut param.shape {
            Shape::Pointer { to, .. } if to.fields.len() == 1 => &mut to.fields[0].shape,
            shape => shape,
        };
        if let Shape::Length { of, kind, also, .. } = length {
            also.retain(|counted| is_there(&counted.name));
            if !is_there(of) {
                *length = Shape::Number(*kind, 0);
            }
        }
    }
}
