//! Shapes from types.
//!
//! What bad DWARF says is followed only so far: sizes, depths and the number of types that are looked at are bounded.

use super::lengths::Counting;
use super::shape::{FieldShape, Layout, Shape};
use super::variants::choices;
use super::{Callback, NumberKind, Room, Rule};
use coax_program::debug_info::{Composite, Member, Type, TypeId, Types};
use std::cell::Cell;

/// How many elements of an array become fields of their own.
const MOST_ELEMENTS: u64 = 256;
/// How many objects a function's parameters lead to; pointers beyond are null.
const MOST_OBJECTS: usize = 128;
/// How deeply structures are in each other.
pub(super) const MOST_NESTED: usize = 32;
/// How large an object can be, and how many bytes at one place of it are input.
const MOST_BYTES: u64 = 1 << 24;
const MOST_INLINE: u64 = 1 << 12;
/// How many types are looked at for one function: bad DWARF can nest structures without end.
const MOST_STEPS: u32 = 20_000;
/// How many elements are made where the source does not say how many there are: rows of an array, an array at the end of a structure.
const ROWS: u64 = 4;
/// What a pointer to something unknown leads to.
const UNKNOWN_BYTES: u64 = 16;

/// Makes shapes from types.
pub(super) struct Maker<'a> {
    pub(super) types: &'a Types<'a>,
    pub(super) depth: usize,
    objects: usize,
    steps: Cell<u32>,
    pub(super) notes: Vec<String>,
    /// Why coax makes no such objects by itself, if there is one that it does not.
    pub(super) refusal: Option<String>,
    /// The functions that pointers lead to.
    pub(super) callbacks: Vec<Callback>,
    is_rust: bool,
    is_cpp: bool,
}

/// One of several parameters or members that stand beside each other.
pub(super) struct Beside {
    pub(super) name: String,
    pub(super) ty: TypeId,
}

impl<'a> Maker<'a> {
    /// A maker that follows chains of so many objects.
    pub(super) fn new(types: &'a Types<'a>, depth: usize, language: &str) -> Self {
        let (steps, notes) = (Cell::new(0), Vec::new());
        Maker {
            types,
            depth,
            objects: 0,
            steps,
            notes,
            refusal: None,
            callbacks: Vec::new(),
            is_rust: language == "Rust",
            is_cpp: language.starts_with("C_plus_plus"),
        }
    }

    /// The shapes of scalars that stand beside each other: a pointer may have its length there. `path` is what they are called in
    /// messages.
    pub(super) fn beside(&mut self, all: &[Beside], depth: Option<usize>, path: &str) -> Vec<Option<Shape>> {
        let depth = depth.unwrap_or(self.depth);
        let ties = self.ties(all, !path.is_empty());
        let full =
            |one: &Beside| if path.is_empty() { one.name.clone() } else { format!("{path}.{}", one.name) };
        let tie_of = |place: usize| ties.iter().find(|tie| tie.length == place);
        let mut shapes: Vec<Option<Shape>> = Vec::new();
        for (place, one) in all.iter().enumerate() {
            let counting = self.counting(place, &ties, all);
            shapes.push(match tie_of(place) {
                Some(_) => None,
                None => self.scalar(one.ty, counting, depth, &full(one)),
            });
        }
        for (place, one) in all.iter().enumerate() {
            let Some(tie) = tie_of(place) else { continue };
            // What could not be made has no length: the number is one like others.
            let length = self.length(one, tie, all, &shapes);
            shapes[place] = length.or_else(|| self.scalar(one.ty, Counting::No, depth, &full(one)));
        }
        shapes
    }

    /// A number or pointer; none if it is something else.
    pub(super) fn scalar(
        &mut self,
        ty: TypeId,
        counting: Counting,
        depth: usize,
        path: &str,
    ) -> Option<Shape> {
        match self.types.get(ty) {
            Type::Integer { bytes: 4, character: true, .. } if self.is_rust => {
                let Rule::Among(ranges) = Rule::character() else { return None };
                Some(Shape::Choice(NumberKind::U32, 0, ranges))
            }
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
                let kind = NumberKind::integer(bytes, signed)?;
                Some(match self.is_rust {
                    true => Shape::Choice(kind, first, choices(&values, kind)),
                    false => Shape::Number(kind, first),
                })
            }
            Type::Pointer { to, constant, reference } => {
                Some(self.pointer(to, constant, reference, counting, depth, path))
            }
            _ => None,
        }
    }

    fn pointer(
        &mut self,
        to: Option<TypeId>,
        constant: bool,
        never_null: bool,
        counting: Counting,
        depth: usize,
        path: &str,
    ) -> Shape {
        let room = if constant { Room::Pages } else { Room::Heap };
        let pointee = to.map(|to| self.types.get(to));
        if let (Some(to), Some(Type::Function)) = (to, &pointee) {
            return match self.callback(to, path) {
                Some(callback) => Shape::Callback(callback),
                None => {
                    self.note(format!(
                        "`{path}` is a pointer to a function, which coax does not make: it is null"
                    ));
                    Shape::Null
                }
            };
        }
        // Of what is not followed, a reference must still lead to something.
        if self.objects >= MOST_OBJECTS {
            let whole = path.split(['.', '[']).next().unwrap_or(path);
            self.note(format!(
                "of what `{whole}` leads to, {MOST_OBJECTS} objects are made; other pointers are null"
            ));
            return Shape::Null;
        }
        if depth == 0 && !never_null {
            return Shape::Null;
        }
        let bytes = |count| Box::new(Layout { bytes: count, ..Layout::default() });
        let has_length = counting != Counting::No;
        let Some((to, pointee)) = to.zip(pointee) else {
            return if has_length { Shape::Buffer(room, bytes(1)) } else { opaque(room, UNKNOWN_BYTES) };
        };
        match pointee {
            Type::Integer { bytes: 1, character: true, .. } if counting == Counting::Text => {
                Shape::Text(room)
            }
            Type::Integer { bytes: 1, signed: true, character: true } if !has_length => Shape::Text(room),
            Type::Integer { bytes: 1, character: true, .. } if !has_length && constant => Shape::Text(room),
            Type::Integer { bytes: 1, .. } => Shape::Buffer(room, bytes(1)),
            Type::Unknown => self.refuse_unknown(path).unwrap_or_else(|| opaque(room, UNKNOWN_BYTES)),
            _ if self.types.size(to).is_none_or(|bytes| bytes > MOST_BYTES) => {
                self.note(format!("`{path}` leads to something of unknown or enormous size: it is null"));
                Shape::Null
            }
            Type::Array { .. } if !has_length => {
                self.objects += 1;
                self.note(format!("`{path}` leads to rows of an array: coax makes {ROWS} of them"));
                let row = self.layout(to, depth.saturating_sub(1), path);
                Shape::Pointer { room, to: Box::new(row.repeated(ROWS)), never_null }
            }
            _ => {
                self.objects += 1;
                let mut layout = self.layout(to, depth.saturating_sub(1), path);
                match has_length && layout.bytes > 0 {
                    true if counting == Counting::Bytes && layout.is_plain() => Shape::Buffer(room, bytes(1)),
                    true => {
                        layout.is_always_there =
                            matches!(pointee, Type::Structure(_) | Type::Union(_) | Type::Pointer { .. });
                        Shape::Buffer(room, Box::new(layout))
                    }
                    false => Shape::Pointer { room, to: Box::new(layout), never_null },
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
        let bytes = bytes.saturating_add(self.flexible(ty, depth, path, &mut fields)).min(MOST_BYTES);
        // Trust in debug information ends where fields lie outside or on top of each other.
        fields.sort_by_key(|field| field.at);
        let mut end = 0;
        fields.retain(|field| {
            let until =
                field.at.checked_add(field.shape.bytes()).filter(|&until| field.at >= end && until <= bytes);
            end = until.unwrap_or(end);
            until.is_some()
        });
        Layout { bytes, fields, type_name, ..Layout::default() }
    }

    /// Some elements for an array without a size at the end of a structure; how many bytes they are.
    fn flexible(&mut self, ty: TypeId, depth: usize, path: &str, fields: &mut Vec<FieldShape>) -> u64 {
        let Type::Structure(composite) = self.types.get(ty) else { return 0 };
        let Some(Member { name: Some(name), at, ty, .. }) = composite.members.last() else { return 0 };
        let Type::Array { of, count: None } = self.types.get(*ty) else { return 0 };
        let size = self.types.size(of).unwrap_or(0);
        self.note(format!(
            "`{path}.{name}` has no size: coax makes {ROWS} elements, and does not know which number counts them"
        ));
        for index in 0..ROWS {
            let at = at.saturating_add(index.saturating_mul(size));
            self.fields(of, at, &format!("{name}[{index}]"), depth, path, MOST_NESTED, fields);
        }
        let end = at.saturating_add(ROWS.saturating_mul(size));
        end.saturating_sub(composite.bytes)
    }

    #[allow(clippy::too_many_arguments, reason = "a step of one recursion")]
    pub(super) fn fields(
        &mut self,
        ty: TypeId,
        at: u64,
        name: &str,
        depth: usize,
        path: &str,
        left: usize,
        fields: &mut Vec<FieldShape>,
    ) {
        let Some(left) = self.step(left) else {
            let whole = path.split(['.', '[']).next().unwrap_or(path);
            self.note(format!(
                "`{whole}` has too many parts: those that coax does not come to are zero and no input"
            ));
            return;
        };
        let field = |shape| FieldShape { name: name.to_owned(), at, shape };
        match self.types.get(ty) {
            Type::Structure(composite) => self.structure(&composite, at, name, depth, path, left, fields),
            Type::Union(composite) => {
                let bytes = self.inline(composite.bytes, path, name);
                fields.push(field(Shape::Inline(bytes)));
            }
            Type::Array { of, count } => {
                let (count, size) = (count.unwrap_or(0), self.types.size(of).unwrap_or(0));
                if matches!(self.types.get(of), Type::Integer { bytes: 1, .. }) && count > 0 {
                    let bytes = self.inline(count, path, name);
                    fields.push(field(Shape::Inline(bytes)));
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
                fields.extend(self.scalar(ty, Counting::No, depth, &full).map(field));
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
            for field in sequence {
                let shape = prefixed(field.shape, &inner);
                fields.push(FieldShape { name: inner(&field.name), at: at.saturating_add(field.at), shape });
            }
            return;
        }
        if composite.variants.is_some() {
            match self.enumeration(composite, depth, path, left) {
                Some(parts) => fields.extend(parts.into_iter().map(|part| FieldShape {
                    name: inner(&part.name),
                    at: at.saturating_add(part.at),
                    shape: prefixed(part.shape, &inner),
                })),
                None => self.refuse(path, composite, "an enum whose variants hold more than numbers"),
            }
            return;
        }
        if composite.is_by_reference {
            self.refuse(path, composite, "a class whose objects only its constructors make");
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

    /// How many of so many bytes are input.
    fn inline(&mut self, bytes: u64, path: &str, name: &str) -> u64 {
        if bytes > MOST_INLINE {
            self.note(format!("of the {bytes} bytes of `{path}.{name}` the first {MOST_INLINE} are input"));
        }
        bytes.min(MOST_INLINE)
    }

    /// One level deeper, if that is not too deep and not too much altogether.
    pub(super) fn step(&self, left: usize) -> Option<usize> {
        self.steps.set(self.steps.get().saturating_add(1));
        left.checked_sub(1).filter(|_| self.steps.get() <= MOST_STEPS)
    }

    /// What a class is that the debug information does not describe: C++'s containers are such. Other languages' types may be anything.
    pub(super) fn refuse_unknown(&mut self, path: &str) -> Option<Shape> {
        if !self.is_cpp {
            return None;
        }
        self.refuse(path, &Composite::default(), "a class that the debug information does not describe");
        Some(opaque(Room::default(), UNKNOWN_BYTES))
    }

    /// Coax makes no such object: what is said first counts.
    pub(super) fn refuse(&mut self, path: &str, composite: &Composite, what: &str) {
        let whole = path.split(['.', '[']).next().unwrap_or(path);
        self.refusal.get_or_insert_with(|| match &composite.name {
            Some(name) => {
                format!("`{whole}` is or leads to `{name}`, {what}: coax does not make it by itself")
            }
            None => format!("`{whole}` is or leads to {what}: coax does not make it by itself"),
        });
    }

    pub(super) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// A length is that of a part beside it, which is called otherwise in a larger object.
fn prefixed(shape: Shape, inner: &dyn Fn(&str) -> String) -> Shape {
    shape.renamed(inner)
}

fn opaque(room: Room, bytes: u64) -> Shape {
    let field = FieldShape { name: String::new(), at: 0, shape: Shape::Inline(bytes) };
    let to = Box::new(Layout { bytes, fields: vec![field], ..Layout::default() });
    Shape::Pointer { room, to, never_null: false }
}
