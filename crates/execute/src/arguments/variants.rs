//! Rust's enums: a tag that is a symbol, where every variant can be made from numbers; `Option`s of pointers as pointers that may be null.
//!
//! An object whose tag and contents do not fit would be one that no safe program has. So whatever is not understood is refused.

use super::NumberKind;
use super::make::Maker;
use super::shape::{FieldShape, Shape};
use coax_program::debug_info::{Composite, Member, Type, Variants};
use std::ops::RangeInclusive;

/// What the tag is called among an object's fields.
const TAG: &str = "tag";
/// What the bytes are called that several variants use, each in its way.
const CONTENTS: &str = "contents";

/// A variant, and how what it holds is made.
struct Made {
    value: Option<u64>,
    fields: Vec<FieldShape>,
}

impl Maker<'_> {
    /// The parts of an enum that begins at 0; none if coax does not make such.
    pub(super) fn enumeration(
        &mut self,
        composite: &Composite,
        depth: usize,
        path: &str,
        left: usize,
    ) -> Option<Vec<FieldShape>> {
        let Variants { tag, all } = composite.variants.as_ref()?;
        let Some(tag) = tag else {
            return all.iter().map(|variant| self.held(&variant.member, depth, path, left)).next();
        };
        let Type::Integer { bytes, .. } = self.types.get(tag.ty) else { return None };
        let kind = NumberKind::integer(bytes, false)?;
        let is_option = all.len() == 2 && all.iter().any(|variant| variant.value == Some(0));
        // What leads to others of its kind ends here.
        if depth == 0 && is_option && all.iter().any(|variant| variant.value.is_none()) && bytes == 4 {
            return Some(vec![FieldShape { name: String::new(), at: tag.at, shape: Shape::Null }]);
        }
        let mut made = Vec::new();
        for variant in all {
            made.push(Made { value: variant.value, fields: self.held(&variant.member, depth, path, left) });
        }
        let has_default = made.iter().any(|variant| variant.value.is_none());
        match has_default {
            true => niche(made, tag.at, kind),
            false => tagged(made, tag.at, kind),
        }
    }

    /// The parts of one variant.
    fn held(&mut self, member: &Member, depth: usize, path: &str, left: usize) -> Vec<FieldShape> {
        let mut fields = Vec::new();
        self.fields(member.ty, member.at, "", depth, path, left, &mut fields);
        fields
    }
}

/// A tag of its own: any of the values, with contents that every variant can take.
fn tagged(made: Vec<Made>, at: u64, kind: NumberKind) -> Option<Vec<FieldShape>> {
    let is_free = |field: &FieldShape| is_free(&field.shape);
    if !made.iter().all(|variant| variant.fields.iter().all(is_free)) {
        return None;
    }
    let values: Vec<u64> = made.iter().filter_map(|variant| variant.value).collect();
    let first = if values.contains(&0) { 0 } else { *values.first()? };
    let ranges = values.into_iter().map(|value| value..=value).collect();
    let tag = FieldShape { name: TAG.into(), at, shape: Shape::Choice(kind, first, joined(ranges)) };
    let mut holding: Vec<Vec<FieldShape>> =
        made.into_iter().map(|variant| variant.fields).filter(|fields| !fields.is_empty()).collect();
    let is_same = |fields: &[FieldShape]| {
        let places = |fields: &[FieldShape]| {
            fields.iter().map(|field| (field.at, field.shape.bytes())).collect::<Vec<_>>()
        };
        holding.first().is_some_and(|first| places(first) == places(fields))
    };
    let contents = match holding.iter().all(|fields| is_same(fields)) {
        true => holding.pop().unwrap_or_default(),
        false => {
            let fields = || holding.iter().flatten();
            let begin = fields().map(|field| field.at).min()?;
            let end = fields().map(|field| field.at.saturating_add(field.shape.bytes())).max()?;
            vec![FieldShape { name: CONTENTS.into(), at: begin, shape: Shape::Inline(end - begin) }]
        }
    };
    Some([tag].into_iter().chain(contents).collect())
}

/// A tag that is a value which the contents of one variant never have; the other variants hold nothing.
fn niche(made: Vec<Made>, at: u64, kind: NumberKind) -> Option<Vec<FieldShape>> {
    let (holding, empty): (Vec<Made>, Vec<Made>) =
        made.into_iter().partition(|variant| variant.value.is_none());
    let [Made { mut fields, .. }] = <[Made; 1]>::try_from(holding).ok()?;
    if empty.iter().any(|variant| !variant.fields.is_empty()) {
        return None;
    }
    let place =
        fields.iter().position(|field| field.at == at && Some(field.shape.bytes()) == kind.bytes())?;
    let values = empty.iter().filter_map(|variant| variant.value).map(|value| value..=value);
    let is_null = empty.len() == 1 && empty[0].value == Some(0);
    let FieldShape { name, at, shape } = fields.remove(place);
    let shape = match shape {
        Shape::Choice(_, first, ranges) => {
            Shape::Choice(kind, first, joined(ranges.into_iter().chain(values).collect()))
        }
        Shape::Number(NumberKind::Bool, first) => {
            Shape::Choice(kind, first, joined([0..=1].into_iter().chain(values).collect()))
        }
        Shape::Pointer { room, to, .. } if is_null => Shape::Pointer { room, to, never_null: false },
        shape @ (Shape::Buffer(..) | Shape::Null | Shape::Callback(_)) if is_null => shape,
        // What a vector can hold is never so much: it is always there.
        shape @ Shape::Length { fixed: true, .. } => shape,
        _ => return None,
    };
    fields.insert(place, FieldShape { name, at, shape });
    Some(fields)
}

/// Whether all bits that have its place are a value of it.
pub(super) fn is_free(shape: &Shape) -> bool {
    matches!(shape, Shape::Inline(_)) || matches!(shape, Shape::Number(kind, _) if *kind != NumberKind::Bool)
}

/// The same ranges, in order, those that touch made one.
fn joined(mut ranges: Vec<RangeInclusive<u64>>) -> Vec<RangeInclusive<u64>> {
    ranges.sort_by_key(|range| *range.start());
    let mut joined: Vec<RangeInclusive<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(1) => {
                *last = *last.start()..=(*last.end()).max(*range.end());
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// The numbers that an enumeration without contents can be.
pub(super) fn choices(values: &[(String, i64)], kind: NumberKind) -> Vec<RangeInclusive<u64>> {
    let bits = values.iter().map(|&(_, value)| kind.number(value as u64).bits());
    joined(bits.map(|bits| bits..=bits).collect())
}
