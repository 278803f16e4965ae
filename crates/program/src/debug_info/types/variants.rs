//! Variants: what a Rust enum consists of. A tag, which may share its place with what a variant holds, says which one is there.

use super::read::{for_children, number, pointee};
use super::{Member, Types, Variant, Variants};
use crate::debug_info::{DwarfEntry, DwarfUnit};
use std::rc::Rc;

impl<'d> Types<'d> {
    /// The variants that an entry of this kind has.
    pub(super) fn variants(&self, unit: &Rc<DwarfUnit<'d>>, part: &DwarfEntry<'d>) -> Variants {
        let mut variants = Variants::default();
        for_children(unit, part, |child| match child.tag() {
            gimli::DW_TAG_member => variants.tag = self.variant_member(unit, child),
            gimli::DW_TAG_variant => {
                let value = number(child, gimli::DW_AT_discr_value);
                let mut member = None;
                for_children(unit, child, |inner| {
                    member = self.variant_member(unit, inner).or(member.take())
                });
                variants.all.extend(member.map(|member| Variant { value, member }));
            }
            _ => {}
        });
        variants
    }

    fn variant_member(&self, unit: &Rc<DwarfUnit<'d>>, entry: &DwarfEntry<'d>) -> Option<Member> {
        let at = number(entry, gimli::DW_AT_data_member_location)?;
        Some(Member { name: self.name(unit, entry), at, ty: pointee(unit, entry)?, bits: None })
    }
}
