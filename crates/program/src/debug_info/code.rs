//! Where the code of a module lies, as DWARF counts: in bytes from the start of the code section's
//! contents (the count of functions is byte 0, so no code is at address 0).
//!
//! The linker drops functions but not their DWARF, whose addresses become tombstones (-1, -2; in older
//! versions 0 plus an offset). So an address range counts only if it lies within one function body.
//!
//! If code was put in front of that which DWARF knows, a section of the module says how much: address 0 is moved by that.

use std::ops::Range;
use wasmparser::{Parser, Payload};

/// The section that says by how many bytes code has moved since its debug information was written.
const CODE_MOVED: &str = "coax.code-moved";

/// The function bodies of a module.
#[derive(Debug, Default)]
pub(super) struct CodeLayout {
    /// Offset in the module of address 0.
    start: u32,
    /// The addresses of each body, ascending.
    pub bodies: Vec<Range<u32>>,
}

/// The index of a body among [`CodeLayout::bodies`].
pub(super) type BodyIndex = usize;

impl CodeLayout {
    /// Finds the bodies and hands the other sections that have a name to `custom`.
    pub fn read<'a>(wasm: &'a [u8], mut custom: impl FnMut(&'a str, &'a [u8])) -> CodeLayout {
        let mut layout = CodeLayout::default();
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(wasm).map_while(Result::ok) {
            match payload {
                Payload::CodeSectionStart { range, .. } => layout.start = range.start as u32,
                Payload::CodeSectionEntry(body) => bodies.push(body.range()),
                Payload::CustomSection(section) if section.name() == CODE_MOVED => {
                    let moved = section.data().try_into().map_or(0, u32::from_le_bytes);
                    layout.start = layout.start.saturating_add(moved);
                }
                Payload::CustomSection(section) => custom(section.name(), section.data()),
                _ => {}
            }
        }
        let address = |offset: usize| layout.address(offset as u32);
        layout.bodies =
            bodies.iter().filter_map(|body| Some(address(body.start)?..address(body.end)?)).collect();
        layout
    }

    /// The address of a byte of the module.
    pub fn address(&self, offset: u32) -> Option<u32> {
        offset.checked_sub(self.start)
    }

    /// The body that holds this address.
    pub fn body_at(&self, address: u32) -> Option<BodyIndex> {
        let index = self.bodies.partition_point(|body| body.end <= address);
        self.bodies.get(index)?.contains(&address).then_some(index)
    }

    /// The body that holds this whole range of addresses, and whether the range ends with it, as every
    /// range does that a compiler emits for a function: a body may be claimed wrongly, but never to its end.
    pub fn body_of(&self, range: &Range<u64>) -> Option<(BodyIndex, bool)> {
        let start = u32::try_from(range.start).ok()?;
        let index = self.body_at(start)?;
        let end = u64::from(self.bodies[index].end);
        (range.start < range.end && range.end <= end).then_some((index, range.end == end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_belongs_to_the_body_that_holds_all_of_it() {
        let layout = CodeLayout { start: 100, bodies: vec![2..10, 11..20] };
        assert_eq!(layout.body_of(&(2..10)), Some((0, true)));
        assert_eq!(layout.body_of(&(3..9)), Some((0, false)));
        assert_eq!(layout.body_of(&(12..20)), Some((1, true)));
        for tombstone in [0..8, 2..12, 10..11, 5..5, 0xffff_ffff..0x1_0000_0007, u64::MAX - 1..u64::MAX] {
            assert_eq!(layout.body_of(&tombstone), None, "{tombstone:?}");
        }
    }
}
