//! What a result that is no number was, as a pattern of Rust's: `Some(3)`, `Err(_)`.

use coax_program::debug_info::{Composite, Type, TypeId, Types, Variants};

/// How deeply patterns are in each other.
const MOST_NESTED: usize = 4;

/// A pattern that these bytes of a type match; none if nothing about them can be said.
pub(super) fn pattern(types: &Types<'_>, ty: TypeId, bytes: &[u8]) -> Option<String> {
    within(types, ty, bytes, MOST_NESTED)
}

fn within(types: &Types<'_>, ty: TypeId, bytes: &[u8], left: usize) -> Option<String> {
    let left = left.checked_sub(1)?;
    let size = usize::try_from(types.size(ty)?).ok()?;
    let bytes = bytes.get(..size)?;
    match types.get(ty) {
        Type::Boolean { bytes: 1 } => match bytes {
            [0] => Some("false".into()),
            [1] => Some("true".into()),
            _ => None,
        },
        Type::Integer { bytes: 4, character: true, .. } => {
            Some(format!("{:?}", char::from_u32(u32::try_from(unsigned(bytes)?).ok()?)?))
        }
        Type::Integer { signed: false, .. } => unsigned(bytes).map(|value| value.to_string()),
        Type::Integer { signed: true, .. } => {
            let unused = 64 - 8 * u32::try_from(size).ok()?.min(8);
            unsigned(bytes).map(|value| (((value << unused) as i64) >> unused).to_string())
        }
        Type::Structure(composite) => {
            let name = composite.name.as_deref()?;
            match &composite.variants {
                // The prelude has their variants; those of others may need a path.
                Some(variants) if name.starts_with("Option<") || name.starts_with("Result<") => {
                    variant(types, variants, bytes, left)
                }
                None if name.starts_with('(') => {
                    let parts = members(types, &composite, bytes, left);
                    let comma = if parts.len() == 1 { "," } else { "" };
                    Some(format!("({}{comma})", parts.join(", ")))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The variant that is there, with what is known of what it holds.
fn variant(types: &Types<'_>, variants: &Variants, bytes: &[u8], left: usize) -> Option<String> {
    let tag = variants.tag.as_ref()?;
    let begin = usize::try_from(tag.at).ok()?;
    let end = begin.checked_add(usize::try_from(types.size(tag.ty)?).ok()?)?;
    let tag = unsigned(bytes.get(begin..end)?)?;
    let by_tag = variants.all.iter().find(|variant| variant.value == Some(tag));
    let variant = by_tag.or_else(|| variants.all.iter().find(|variant| variant.value.is_none()))?;
    let name = variant.member.name.as_deref()?;
    let Type::Structure(held) = types.get(variant.member.ty) else { return None };
    let contents = bytes.get(usize::try_from(variant.member.at).ok()?..)?;
    let parts = members(types, &held, contents, left);
    Some(if parts.is_empty() { name.to_owned() } else { format!("{name}({})", parts.join(", ")) })
}

/// The patterns of members, in order.
fn members(types: &Types<'_>, composite: &Composite, bytes: &[u8], left: usize) -> Vec<String> {
    let one = |at: u64, ty: TypeId| within(types, ty, bytes.get(usize::try_from(at).ok()?..)?, left);
    let patterns = composite.members.iter().map(|member| one(member.at, member.ty));
    patterns.map(|pattern| pattern.unwrap_or_else(|| "_".into())).collect()
}

/// A number without a sign, of at most 8 bytes.
fn unsigned(bytes: &[u8]) -> Option<u64> {
    (bytes.len() <= 8).then(|| bytes.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte)))
}
