//! Rust's slices, strings and vectors, and what structures consist of.

use super::make::{MOST_NESTED, Maker};
use super::shape::{FieldShape, Layout, Shape};
use super::{NumberKind, Room};
use coax_program::debug_info::{Composite, Type, TypeId};

/// A number or pointer in a structure.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) name: String,
    pub(super) at: u64,
    pub(super) ty: TypeId,
}

impl Maker<'_> {
    /// Rust's slices, strings and vectors: a pointer with a length, and what a vector could hold without another allocation.
    pub(super) fn sequence(
        &mut self,
        composite: &Composite,
        depth: usize,
        path: &str,
    ) -> Option<Vec<FieldShape>> {
        let is_slice = composite.members.iter().any(|member| member.name.as_deref() == Some("data_ptr"));
        let name = composite.name.as_deref()?;
        let is_vector = name == "String" || name.starts_with("Vec<");
        if !is_slice && !is_vector {
            return None;
        }
        let mut leaves = Vec::new();
        self.leaves(composite, 0, "", MOST_NESTED, &mut leaves)?;
        let is_pointer = |leaf: &&Leaf| matches!(self.types.get(leaf.ty), Type::Pointer { .. });
        let pointer = leaves.iter().find(is_pointer)?.clone();
        let Type::Pointer { to, constant, .. } = self.types.get(pointer.ty) else { return None };
        let room =
            if is_slice && (constant || !name.starts_with("alloc")) { Room::Pages } else { Room::Heap };
        // A vector's own pointer is to bytes, whatever it holds.
        let held = composite.type_params.iter().find(|(name, _)| is_vector && name == "T");
        let element = held.map(|&(_, ty)| ty).or(to);
        let mut shape = self.elements(element, room, depth, path);
        if let Shape::Buffer(_, element) = &mut shape {
            element.is_utf8 = name == "String" || name.ends_with("str") || name.contains("<str");
        }
        let size = match &shape {
            Shape::Buffer(_, layout) => layout.bytes.max(1),
            _ => 1,
        };
        let mut fields = vec![FieldShape { name: String::new(), at: pointer.at, shape }];
        for leaf in leaves.iter().filter(|leaf| leaf.at != pointer.at) {
            let Type::Integer { bytes, signed, .. } = self.types.get(leaf.ty) else { return None };
            let fixed = leaf.name.contains("cap");
            let kind = NumberKind::integer(bytes, signed)?;
            let own = if fixed { "capacity" } else { "length" };
            let shape = Shape::Length { of: String::new(), element: size, kind, fixed, also: Vec::new() };
            fields.push(FieldShape { name: own.into(), at: leaf.at, shape });
        }
        Some(fields)
    }

    fn elements(&mut self, element: Option<TypeId>, room: Room, depth: usize, path: &str) -> Shape {
        let layout = match element.map(|element| (element, self.types.get(element))) {
            None | Some((_, Type::Integer { bytes: 1, .. } | Type::Unknown)) => {
                Layout { bytes: 1, ..Layout::default() }
            }
            Some((element, _)) => self.layout(element, depth.saturating_sub(1), path),
        };
        Shape::Buffer(room, Box::new(layout))
    }

    /// The numbers and pointers that a structure consists of, by place; none if there is something else in it.
    pub(super) fn leaves(
        &self,
        composite: &Composite,
        at: u64,
        name: &str,
        left: usize,
        leaves: &mut Vec<Leaf>,
    ) -> Option<()> {
        let left = self.step(left)?;
        if composite.variants.is_some() || composite.is_by_reference {
            return None;
        }
        for member in &composite.members {
            let own = member.name.as_deref().unwrap_or_default();
            let name = if name.is_empty() { own.to_owned() } else { format!("{name}.{own}") };
            let at = at.checked_add(member.at)?;
            match self.types.get(member.ty) {
                Type::Structure(inner) => self.leaves(&inner, at, &name, left, leaves)?,
                // C passes what has a single member as that member.
                Type::Union(inner) if inner.members.len() == 1 => {
                    self.leaves(&inner, at, &name, left, leaves)?
                }
                Type::Array { of, count: Some(1) } => leaves.push(Leaf { name, at, ty: of }),
                Type::Array { count: Some(0), .. } => {}
                Type::Union(_) | Type::Array { .. } | Type::Function | Type::Unknown => return None,
                _ if member.bits.is_some()
                    && (composite.members.len() > 1
                        || self.types.size(member.ty) != Some(composite.bytes)) =>
                {
                    return None;
                }
                _ => leaves.push(Leaf { name, at, ty: member.ty }),
            }
        }
        leaves.sort_by_key(|leaf| leaf.at);
        Some(())
    }
}
