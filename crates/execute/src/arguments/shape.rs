//! How the values of a function's parameters are made, from what the source says of their types.

use super::NumberKind;
use super::Room;
use super::abi;
use crate::Entry;
use coax_program::Program;
use coax_program::debug_info::{Composite, Member, Type, TypeId, Types};
use std::cell::Cell;

/// How many elements of an array become fields of their own.
const MOST_ELEMENTS: u64 = 256;
/// How many objects a function's parameters lead to; pointers beyond are null.
const MOST_OBJECTS: usize = 128;
/// How deeply structures are in each other.
const MOST_NESTED: usize = 32;
/// How large an object can be, and how many bytes at one place of it are input.
const MOST_BYTES: u64 = 1 << 24;
const MOST_INLINE: u64 = 1 << 12;
/// How many types are looked at for one function: bad DWARF can nest structures without end.
const MOST_STEPS: u32 = 20_000;
/// What a pointer to something unknown leads to.
const UNKNOWN_BYTES: u64 = 16;

/// How the parameters of a function are made.
#[derive(Clone, Debug, Default)]
pub struct Shapes {
    /// One for each wasm parameter.
    pub params: Vec<ParamShape>,
    /// What is not done, one sentence each.
    pub notes: Vec<String>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct ParamShape {
    /// Its name, if the source has one.
    pub name: Option<String>,
    /// How it is made.
    pub shape: Shape,
}

/// How a value is made.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A number; the second is what it begins with.
    Number(NumberKind, u64),
    /// A pointer to a string that ends with zero.
    Text(Room),
    /// A pointer to elements, as many as a length beside it says if there is one.
    Buffer(Room, Box<Layout>),
    /// How many elements of this size another parameter, or field of the same object, leads to.
    Length {
        /// The other's name.
        of: String,
        /// The size of an element.
        element: u64,
        /// What kind of number it is.
        kind: NumberKind,
        /// Whether it must be so: no symbol.
        fixed: bool,
    },
    /// A pointer to an object.
    Pointer {
        /// Where its memory comes from.
        room: Room,
        /// What is in it.
        to: Box<Layout>,
        /// Whether the source rules null out.
        never_null: bool,
    },
    /// A pointer that is null: nothing can be made for it.
    Null,
    /// Bytes in the object itself.
    Inline(u64),
}

/// What is in an object.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Its size.
    pub bytes: u64,
    /// Its parts; all else is zero.
    pub fields: Vec<FieldShape>,
    /// What the source calls its type.
    pub type_name: Option<String>,
}

/// A part of an object.
#[derive(Clone, Debug)]
pub struct FieldShape {
    /// Its name within the object: `next`, `inner.x`, `items[2]`. If it is empty, it is called as the object is.
    pub name: String,
    /// Where it begins.
    pub at: u64,
    /// How it is made.
    pub shape: Shape,
}

impl Shapes {
    /// How far structures that refer to others of their kind are followed.
    pub const DEPTH: usize = 3;

    /// How the parameters of this entry are made, with chains of at most so many objects. Without debug information, they are numbers.
    pub fn of(program: &Program, entry: &Entry, depth: usize) -> Shapes {
        let signature = program.signature(entry.func);
        if entry.is_libfuzzer() && signature.params.len() == 2 {
            return libfuzzer();
        }
        let source = program.functions[entry.source_function(program)].defined();
        let types = program.debug.types();
        let function = source.and_then(|defined| types.function(defined.range.start));
        let unit = source.and_then(|defined| defined.unit).map(|unit| &program.debug.units[unit]);
        let is_rust = unit.is_some_and(|unit| unit.language == "Rust");
        let mut maker = Maker { types: &types, depth, objects: 0, steps: Cell::new(0), notes: Vec::new() };
        let found = function.and_then(|function| abi::params(&mut maker, &function, signature, is_rust));
        let numbers = || {
            let number = |&ty| ParamShape { name: None, shape: Shape::Number(NumberKind::of(ty), 0) };
            signature.params.iter().map(number).collect()
        };
        Shapes { params: found.unwrap_or_else(numbers), notes: maker.notes }
    }
}

/// What libFuzzer gives to a fuzz target.
fn libfuzzer() -> Shapes {
    let bytes = Layout { bytes: 1, ..Layout::default() };
    let length = Shape::Length { of: "data".into(), element: 1, kind: NumberKind::U32, fixed: false };
    let params = vec![
        ParamShape { name: Some("data".into()), shape: Shape::Buffer(Room::Pages, Box::new(bytes)) },
        ParamShape { name: None, shape: length },
    ];
    Shapes { params, notes: Vec::new() }
}

impl Shape {
    /// How many bytes it takes as a field.
    fn bytes(&self) -> u64 {
        match self {
            Shape::Number(kind, _) | Shape::Length { kind, .. } => kind.bytes().unwrap_or(0),
            Shape::Inline(bytes) => *bytes,
            Shape::Text(_) | Shape::Buffer(..) | Shape::Pointer { .. } | Shape::Null => 4,
        }
    }
}

impl Layout {
    /// Whether it is a single byte without a meaning of its own: many of them are text.
    pub fn is_byte(&self) -> bool {
        self.bytes == 1
    }
}

/// Makes shapes from types.
pub(super) struct Maker<'a> {
    pub(super) types: &'a Types<'a>,
    depth: usize,
    objects: usize,
    steps: Cell<u32>,
    pub(super) notes: Vec<String>,
}

/// One of several parameters or members that stand beside each other.
pub(super) struct Beside {
    pub(super) name: String,
    pub(super) ty: TypeId,
}

impl Maker<'_> {
    /// The shapes of scalars that stand beside each other: a pointer may have its length there. `path` is what they are called in
    /// messages.
    pub(super) fn beside(&mut self, all: &[Beside], depth: Option<usize>, path: &str) -> Vec<Option<Shape>> {
        let depth = depth.unwrap_or(self.depth);
        let lengths = self.lengths(all);
        let mut shapes = Vec::new();
        for (index, one) in all.iter().enumerate() {
            let of = lengths.iter().find(|&&(_, length)| length == index).map(|&(buffer, _)| buffer);
            let has_length = lengths.iter().any(|&(buffer, _)| buffer == index);
            let path = if path.is_empty() { one.name.clone() } else { format!("{path}.{}", one.name) };
            shapes.push(match of {
                Some(buffer) => self.length(one, &all[buffer]),
                None => self.scalar(one.ty, has_length, depth, &path),
            });
        }
        shapes
    }

    /// Which of these is the length of which.
    fn lengths(&self, all: &[Beside]) -> Vec<(usize, usize)> {
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
            let by_place = |other: &Beside| self.element_bytes(to) == 1 && self.is_size(other.ty);
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

    fn length(&self, length: &Beside, buffer: &Beside) -> Option<Shape> {
        let Type::Pointer { to, .. } = self.types.get(buffer.ty) else { return None };
        let Type::Integer { bytes, signed, .. } = self.types.get(length.ty) else { return None };
        let element = if length.name.to_lowercase().contains("byte") { 1 } else { self.element_bytes(to) };
        let kind = NumberKind::integer(bytes, signed)?;
        Some(Shape::Length { of: buffer.name.clone(), element, kind, fixed: false })
    }

    /// A number or pointer; none if it is something else.
    pub(super) fn scalar(&mut self, ty: TypeId, has_length: bool, depth: usize, path: &str) -> Option<Shape> {
        match self.types.get(ty) {
            Type::Integer { bytes, signed, .. } => {
                NumberKind::integer(bytes, signed).map(|kind| Shape::Number(kind, 0))
            }
            Type::Boolean { bytes: 1 } => Some(Shape::Number(NumberKind::Bool, 0)),
            Type::Boolean { bytes } => NumberKind::integer(bytes, false).map(|kind| Shape::Number(kind, 0)),
            Type::Float { bytes: 4 } => Some(Shape::Number(NumberKind::F32, 0)),
            Type::Float { bytes: 8 } => Some(Shape::Number(NumberKind::F64, 0)),
            Type::Enumeration { bytes, signed, values } => {
                let has_zero = values.is_empty() || values.iter().any(|&(_, value)| value == 0);
                let first = if has_zero { 0 } else { values[0].1 as u64 };
                NumberKind::integer(bytes, signed).map(|kind| Shape::Number(kind, first))
            }
            Type::Pointer { to, constant, reference } => {
                Some(self.pointer(to, constant, reference, has_length, depth, path))
            }
            _ => None,
        }
    }

    fn pointer(
        &mut self,
        to: Option<TypeId>,
        constant: bool,
        never_null: bool,
        has_length: bool,
        depth: usize,
        path: &str,
    ) -> Shape {
        let room = if constant { Room::Pages } else { Room::Heap };
        let pointee = to.map(|to| self.types.get(to));
        if pointee == Some(Type::Function) {
            self.note(format!("`{path}` is a pointer to a function, which coax does not make: it is null"));
            return Shape::Null;
        }
        // Of what is not followed, a reference must still lead to something.
        if (depth == 0 && !never_null) || self.objects >= MOST_OBJECTS {
            return Shape::Null;
        }
        let bytes = |count| Box::new(Layout { bytes: count, ..Layout::default() });
        let Some((to, pointee)) = to.zip(pointee) else {
            return if has_length { Shape::Buffer(room, bytes(1)) } else { opaque(room, UNKNOWN_BYTES) };
        };
        match pointee {
            Type::Integer { bytes: 1, signed: true, character: true } if !has_length => Shape::Text(room),
            Type::Integer { bytes: 1, character: true, .. } if !has_length && constant => Shape::Text(room),
            Type::Integer { bytes: 1, .. } => Shape::Buffer(room, bytes(1)),
            Type::Unknown => opaque(room, UNKNOWN_BYTES),
            _ if self.types.size(to).is_none_or(|bytes| bytes > MOST_BYTES) => {
                self.note(format!("`{path}` leads to something of unknown or enormous size: it is null"));
                Shape::Null
            }
            _ => {
                self.objects += 1;
                let layout = Box::new(self.layout(to, depth.saturating_sub(1), path));
                match has_length {
                    true => Shape::Buffer(room, layout),
                    false => Shape::Pointer { room, to: layout, never_null },
                }
            }
        }
    }

    /// What an object of this type consists of.
    pub(super) fn layout(&mut self, ty: TypeId, depth: usize, path: &str) -> Layout {
        let mut fields = Vec::new();
        let bytes = self.types.size(ty).unwrap_or(0);
        let type_name = match self.types.get(ty) {
            Type::Structure(composite) | Type::Union(composite) => composite.name,
            _ => None,
        };
        self.fields(ty, 0, "", depth, path, MOST_NESTED, &mut fields);
        let bytes = bytes.min(MOST_BYTES);
        // Trust in debug information ends where fields lie outside or on top of each other.
        fields.sort_by_key(|field| field.at);
        let mut end = 0;
        fields.retain(|field| {
            let until =
                field.at.checked_add(field.shape.bytes()).filter(|&until| field.at >= end && until <= bytes);
            end = until.unwrap_or(end);
            until.is_some()
        });
        Layout { bytes, fields, type_name }
    }

    #[allow(clippy::too_many_arguments, reason = "a step of one recursion")]
    fn fields(
        &mut self,
        ty: TypeId,
        at: u64,
        name: &str,
        depth: usize,
        path: &str,
        left: usize,
        fields: &mut Vec<FieldShape>,
    ) {
        let Some(left) = self.step(left) else { return };
        let field = |shape| FieldShape { name: name.to_owned(), at, shape };
        match self.types.get(ty) {
            Type::Structure(composite) => self.structure(&composite, at, name, depth, path, left, fields),
            Type::Union(composite) => fields.push(field(Shape::Inline(composite.bytes.min(MOST_INLINE)))),
            Type::Array { of, count } => {
                let (count, size) = (count.unwrap_or(0), self.types.size(of).unwrap_or(0));
                if matches!(self.types.get(of), Type::Integer { bytes: 1, .. }) && count > 0 {
                    fields.push(field(Shape::Inline(count.min(MOST_INLINE))));
                    return;
                }
                if count > MOST_ELEMENTS {
                    self.note(format!(
                        "of the {count} elements of `{path}.{name}` the first {MOST_ELEMENTS} are input"
                    ));
                }
                for index in 0..count.min(MOST_ELEMENTS) {
                    self.fields(
                        of,
                        at.saturating_add(index.saturating_mul(size)),
                        &format!("{name}[{index}]"),
                        depth,
                        path,
                        left,
                        fields,
                    );
                }
            }
            Type::Float { bytes: bytes @ 16 } | Type::Integer { bytes: bytes @ 16, .. } => {
                fields.push(field(Shape::Inline(bytes)))
            }
            _ => {
                let full = format!("{path}.{name}");
                fields.extend(self.scalar(ty, false, depth, &full).map(field));
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a step of one recursion")]
    fn structure(
        &mut self,
        composite: &Composite,
        at: u64,
        name: &str,
        depth: usize,
        path: &str,
        left: usize,
        fields: &mut Vec<FieldShape>,
    ) {
        let inner = |member: &str| match (name, member) {
            (name, "") => name.to_owned(),
            ("", member) => member.to_owned(),
            (name, member) => format!("{name}.{member}"),
        };
        if let Some(sequence) = self.sequence(composite, depth, path) {
            fields.extend(sequence.into_iter().map(|field| FieldShape {
                name: inner(&field.name),
                at: at.saturating_add(field.at),
                ..field
            }));
            return;
        }
        if composite.has_variants {
            self.note(format!(
                "`{path}` has variants, of which coax makes only the one whose bytes are all zero"
            ));
            return;
        }
        self.bit_fields(composite, at, name, fields);
        let members: Vec<&Member> = composite.members.iter().filter(|member| member.bits.is_none()).collect();
        let beside: Vec<Beside> = members
            .iter()
            .map(|member| Beside { name: inner(member.name.as_deref().unwrap_or_default()), ty: member.ty })
            .collect();
        let shapes = self.beside(&beside, Some(depth), path);
        for ((member, shape), Beside { name, .. }) in members.into_iter().zip(shapes).zip(&beside) {
            match shape {
                Some(shape) => {
                    fields.push(FieldShape { name: name.clone(), at: at.saturating_add(member.at), shape })
                }
                None => self.fields(member.ty, at.saturating_add(member.at), name, depth, path, left, fields),
            }
        }
    }

    /// Bytes that bit-fields share are input as they are.
    fn bit_fields(&mut self, composite: &Composite, at: u64, name: &str, fields: &mut Vec<FieldShape>) {
        let mut runs: Vec<(u64, u64, String)> = Vec::new();
        for member in &composite.members {
            let Some((bit, width)) = member.bits else { continue };
            let (begin, end) = (bit / 8, bit.saturating_add(width).div_ceil(8));
            let own = member.name.clone().unwrap_or_default();
            match runs.last_mut() {
                Some((_, until, names)) if begin < *until => {
                    *until = end.max(*until);
                    *names = format!("{names}|{own}");
                }
                _ => runs.push((begin, end, own)),
            }
        }
        for (begin, end, own) in runs {
            let name = if name.is_empty() { own } else { format!("{name}.{own}") };
            fields.push(FieldShape {
                name,
                at: at.saturating_add(begin),
                shape: Shape::Inline(end.saturating_sub(begin).min(MOST_INLINE)),
            });
        }
    }

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
        let shape = self.elements(element, room, depth, path);
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
            let shape = Shape::Length { of: String::new(), element: size, kind, fixed };
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
        if composite.has_variants {
            return None;
        }
        for member in &composite.members {
            let own = member.name.as_deref().unwrap_or_default();
            let name = if name.is_empty() { own.to_owned() } else { format!("{name}.{own}") };
            let at = at.checked_add(member.at)?;
            match self.types.get(member.ty) {
                Type::Structure(inner) => self.leaves(&inner, at, &name, left, leaves)?,
                Type::Array { of, count: Some(1) } => leaves.push(Leaf { name, at, ty: of }),
                Type::Array { count: Some(0), .. } => {}
                Type::Union(_) | Type::Array { .. } | Type::Function | Type::Unknown => return None,
                _ if member.bits.is_some() => return None,
                _ => leaves.push(Leaf { name, at, ty: member.ty }),
            }
        }
        leaves.sort_by_key(|leaf| leaf.at);
        Some(())
    }

    /// One level deeper, if that is not too deep and not too much altogether.
    fn step(&self, left: usize) -> Option<usize> {
        self.steps.set(self.steps.get().saturating_add(1));
        left.checked_sub(1).filter(|_| self.steps.get() <= MOST_STEPS)
    }

    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// A number or pointer in a structure.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) name: String,
    pub(super) at: u64,
    pub(super) ty: TypeId,
}

fn opaque(room: Room, bytes: u64) -> Shape {
    let field = FieldShape { name: String::new(), at: 0, shape: Shape::Inline(bytes) };
    let to = Box::new(Layout { bytes, fields: vec![field], type_name: None });
    Shape::Pointer { room, to, never_null: false }
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
