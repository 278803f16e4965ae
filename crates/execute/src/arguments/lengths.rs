//! Which number is the length of which buffer: by its name, or because it follows a pointer to bytes.

use super::NumberKind;
use super::make::{Beside, Maker};
use super::shape::Shape;
use coax_program::debug_info::{Type, TypeId};

impl Maker<'_> {
    /// Which of these is the length of which.
    pub(super) fn lengths(&self, all: &[Beside]) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        let is_free =
            |index: usize, found: &[(usize, usize)]| found.iter().all(|&(_, length)| length != index);
        for (index, buffer) in all.iter().enumerate() {
            let Type::Pointer { to, .. } = self.types.get(buffer.ty) else { continue };
            if matches!(to.map(|to| self.types.get(to)), Some(Type::Function)) {
                continue;
            }
            let after = index + 1;
            let is_length =
                |other: &Beside| self.is_integer(other.ty) && says_length(&other.name, &buffer.name);
            // What stands behind a string may be any number, unless it is of the type that sizes have.
            let is_text = matches!(
                to.map(|to| self.types.get(to)),
                Some(Type::Integer { bytes: 1, signed: true, character: true })
            );
            let may_be_length = |other: &Beside| {
                self.is_size(other.ty) && (!is_text || self.types.is_called(other.ty, "size_t"))
            };
            let by_place = |other: &Beside| self.element_bytes(to) == 1 && may_be_length(other);
            let before = index.checked_sub(1).filter(|&before| {
                self.is_integer(all[before].ty) && says_count(&all[before].name) && is_free(before, &found)
            });
            let next = all.get(after).filter(|other| is_length(other) || by_place(other)).map(|_| after);
            found.extend(next.or(before).map(|length| (index, length)));
        }
        found
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Integer { bytes: 2..=8, .. })
    }

    fn is_size(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Integer { bytes: 4 | 8, signed: false, character: false })
    }

    fn element_bytes(&self, to: Option<TypeId>) -> u64 {
        to.and_then(|to| self.types.size(to)).unwrap_or(1).max(1)
    }

    pub(super) fn length(&self, length: &Beside, buffer: &Beside) -> Option<Shape> {
        let Type::Pointer { to, .. } = self.types.get(buffer.ty) else { return None };
        let Type::Integer { bytes, signed, .. } = self.types.get(length.ty) else { return None };
        let element = if length.name.to_lowercase().contains("byte") { 1 } else { self.element_bytes(to) };
        let kind = NumberKind::integer(bytes, signed)?;
        Some(Shape::Length { of: buffer.name.clone(), element, kind, fixed: false })
    }
}

/// Whether a name says that this is the length of what stands before it.
fn says_length(name: &str, buffer: &str) -> bool {
    let last = |name: &str| name.rsplit(['.', ']']).next().unwrap_or_default().to_lowercase();
    let (name, buffer) = (last(name), last(buffer));
    let is = ["n", "len", "length", "size", "count", "cnt", "num", "sz", "nmemb", "nelem", "nbytes", "bytes"];
    let ends = ["len", "length", "size", "count", "_n", "_num", "_sz", "_cnt", "bytes"];
    let begins = ["n_", "num_", "len_", "size_", "count_"];
    is.contains(&name.as_str())
        || ends.iter().any(|end| name.ends_with(end))
        || begins.iter().any(|begin| name.starts_with(begin))
        || (!buffer.is_empty() && name == format!("n{buffer}"))
}

/// Whether a name says that this is the number of things that stand after it.
fn says_count(name: &str) -> bool {
    let last = name.rsplit(['.', ']']).next().unwrap_or_default().to_lowercase();
    matches!(last.as_str(), "argc" | "n" | "len" | "length" | "count" | "num" | "nmemb")
}
