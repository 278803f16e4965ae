//! Which number is the length of which pointers: by its name, by its place, or both.
//!
//! ```text
//! const void *data, unsigned len       behind the pointer
//! int n, int *values                   before it
//! int *a, int key, int n               behind it, with other numbers between
//! void *dst, const void *src, size_t n one for several that are alike
//! char *a, char *b, int alen, int blen by the pointer's name
//! void *out, size_t *out_len           a pointer to the length
//! char *text, size_t len, size_t cap   the second one is as large as the first
//! ```
//!
//! What is no length is at worst taken for one: then an object has as many elements as that number says, which no function can mind that does not look at it.
//! Where a pointer may be to a single thing or to a string, [`Counting`] sees to it that there is one, or that the string has an end.

mod names;

use super::make::{Beside, Maker};
use super::shape::{FieldShape, Layout, Shape};
use super::{Counted, NumberKind, Room};
use coax_program::debug_info::{Type, TypeId};
use names::{
    Affinity, affinity, is_about_something_else, says_bytes, says_capacity, says_context, says_length,
    says_room, says_size,
};

/// How the length of a pointer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    /// There is none.
    No,
    /// It may be the length of a string, which ends with zero in any case.
    Text,
    /// Elements.
    Elements,
    /// Bytes, whatever the elements are.
    Bytes,
}

/// A length and what it counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tie {
    /// The number, or the pointer to it.
    pub(super) length: usize,
    /// The pointers, the nearest first.
    pub(super) counted: Vec<usize>,
    /// Whether it only says how much room there is: another number is the length.
    pub(super) is_capacity: bool,
    pub(super) counting: Counting,
}

/// What one of several things that stand beside each other may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A pointer to something that may be several.
    Data,
    /// A number whose name says that it is a length.
    Length,
    /// A number that may be one if it follows bytes.
    Size,
    /// A pointer to a number whose name says that it is a length.
    LengthPointer,
    /// A number that is something else.
    Number,
    Other,
}

/// Finds out which lengths are whose.
struct Ties<'m, 'a> {
    maker: &'m Maker<'a>,
    all: &'m [Beside],
    roles: Vec<Role>,
    found: Vec<Tie>,
}

impl Maker<'_> {
    /// Which of these are the lengths of which.
    pub(super) fn ties(&self, all: &[Beside], in_structure: bool) -> Vec<Tie> {
        let roles = all.iter().map(|one| self.role(one)).collect();
        let mut ties = Ties { maker: self, all, roles, found: Vec::new() };
        ties.by_name();
        ties.in_rows();
        ties.behind();
        ties.capacities(in_structure);
        ties.before();
        ties.found
    }

    fn role(&self, one: &Beside) -> Role {
        match self.types.get(one.ty) {
            Type::Pointer { to: None, .. } if says_context(&one.name) => Role::Other,
            Type::Pointer { to: None, .. } => Role::Data,
            Type::Pointer { to: Some(to), reference: false, .. } => match self.types.get(to) {
                Type::Function | Type::Unknown => Role::Other,
                Type::Structure(_) | Type::Union(_) if says_context(&one.name) => Role::Other,
                Type::Integer { bytes: 2..=8, character: false, .. } if says_size(&one.name) => {
                    Role::LengthPointer
                }
                _ => Role::Data,
            },
            Type::Integer { bytes: 1..=8, signed, character } => {
                let is_size = self.types.is_called(one.ty, "size_t");
                match (says_length(&one.name), one.name.is_empty() || is_about_something_else(&one.name)) {
                    _ if says_room(&one.name) => Role::Size,
                    // `uint8_t` is a character, too.
                    (true, _) if !(character && signed) => Role::Length,
                    (_, false) if is_size || self.is_unsigned_word(one.ty) => Role::Size,
                    _ => Role::Number,
                }
            }
            Type::Float { .. } | Type::Boolean { .. } | Type::Enumeration { .. } => Role::Number,
            _ => Role::Other,
        }
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Integer { bytes: 1..=8, signed, character } if !(signed && character))
    }

    fn is_unsigned_word(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Integer { bytes: 4 | 8, signed: false, character: false })
    }

    fn pointee(&self, pointer: TypeId) -> Option<Type> {
        let Type::Pointer { to, .. } = self.types.get(pointer) else { return None };
        to.map(|to| self.types.get(to))
    }

    /// Whether what a pointer leads to is one byte, or nobody knows how many.
    fn is_to_bytes(&self, pointer: TypeId) -> bool {
        matches!(self.pointee(pointer), None | Some(Type::Integer { bytes: 1, .. }))
    }

    /// Whether it leads to C's `char`, which is neither of the other two kinds of it.
    fn is_to_text(&self, pointer: TypeId) -> bool {
        let Type::Pointer { to: Some(to), .. } = self.types.get(pointer) else { return false };
        matches!(self.types.get(to), Type::Integer { bytes: 1, signed: true, character: true })
            && !self.types.is_called(to, "signed char")
    }

    /// How this one of several that a length counts is made.
    pub(super) fn counting(&self, place: usize, ties: &[Tie], all: &[Beside]) -> Counting {
        let Some(tie) = ties.iter().find(|tie| tie.counted.contains(&place)) else { return Counting::No };
        match tie.counted[0] == place || !self.is_to_text(all[place].ty) {
            true => tie.counting,
            // The length may be that of the other one only.
            false => Counting::Text,
        }
    }

    /// How the parameter or member `length` counts what these shapes are, which have one in common; a plain number if they cannot have another length.
    pub(super) fn length(
        &self,
        one: &Beside,
        tie: &Tie,
        all: &[Beside],
        shapes: &[Option<Shape>],
    ) -> Option<Shape> {
        let counted = tie.counted.iter().filter_map(|&place| {
            let element = shapes[place].as_ref()?.element()?;
            Some(Counted { name: all[place].name.clone(), element })
        });
        let mut counted: Vec<Counted> = counted.collect();
        let (ty, is_inner) = match self.types.get(one.ty) {
            Type::Pointer { to: Some(to), .. } => (to, true),
            _ => (one.ty, false),
        };
        let Type::Integer { bytes, signed, .. } = self.types.get(ty) else { return None };
        let kind = NumberKind::integer(bytes, signed)?;
        if counted.is_empty() {
            return None;
        }
        let Counted { name: of, element } = counted.remove(0);
        let says_other_unit = tie.counting == Counting::Bytes && element > 1;
        let element = if says_other_unit { 1 } else { element };
        let fixed = tie.is_capacity || says_other_unit;
        let length = Shape::Length { of, element, kind, fixed, also: counted };
        Some(if is_inner { pointer_to(length, bytes) } else { length })
    }
}

/// A pointer to a length.
fn pointer_to(length: Shape, bytes: u64) -> Shape {
    let field = FieldShape { name: String::new(), at: 0, shape: length };
    let to = Box::new(Layout { bytes, fields: vec![field], ..Layout::default() });
    Shape::Pointer { room: Room::Heap, to, never_null: false }
}

impl Ties<'_, '_> {
    fn is_tied(&self, place: usize) -> bool {
        self.found.iter().any(|tie| tie.length == place || tie.counted.contains(&place))
    }

    fn is_free(&self, place: usize, roles: &[Role]) -> bool {
        roles.contains(&self.roles[place]) && !self.is_tied(place)
    }

    /// Whether a pointer can have this length: one to pointers has none that is written back.
    fn may_have(&self, pointer: usize, length: usize) -> bool {
        let is_to_pointers = matches!(self.maker.pointee(self.all[pointer].ty), Some(Type::Pointer { .. }));
        !(is_to_pointers && self.roles[length] == Role::LengthPointer)
    }

    fn tie(&mut self, length: usize, counted: Vec<usize>) {
        let counting = self.counting(length, &counted);
        self.found.push(Tie { length, counted, is_capacity: false, counting });
    }

    fn counting(&self, length: usize, counted: &[usize]) -> Counting {
        let (one, first) = (&self.all[length], counted[0]);
        let is_clear = says_size(&one.name) || self.maker.types.is_called(one.ty, "size_t");
        let is_behind = length > first;
        let is_near =
            length.abs_diff(first) == 1 || affinity(&one.name, &self.all[first].name) != Affinity::None;
        match self.maker.is_to_text(self.all[first].ty) {
            true if !(is_clear && is_behind && is_near) => Counting::Text,
            _ if says_bytes(&one.name) => Counting::Bytes,
            _ => Counting::Elements,
        }
    }

    /// Lengths that are called after their pointers.
    fn by_name(&mut self) {
        for length in 0..self.all.len() {
            if !self.is_free(length, &[Role::Length, Role::LengthPointer, Role::Size, Role::Number])
                || !self.maker.is_integer(self.all[length].ty) && self.roles[length] != Role::LengthPointer
            {
                continue;
            }
            let name = &self.all[length].name;
            let best = (0..self.all.len())
                .filter(|&place| self.is_free(place, &[Role::Data]) && self.may_have(place, length))
                .map(|place| {
                    (affinity(name, &self.all[place].name), std::cmp::Reverse(place.abs_diff(length)), place)
                })
                .filter(|(affinity, ..)| *affinity != Affinity::None)
                .max();
            if let Some((.., place)) = best {
                self.tie(length, vec![place]);
            }
        }
    }

    /// Several pointers, and as many lengths behind them.
    fn in_rows(&mut self) {
        let run = |from: usize, is_it: &dyn Fn(usize) -> bool| {
            (from..self.all.len()).take_while(|&place| is_it(place)).count()
        };
        let mut pairs = Vec::new();
        for start in 0..self.all.len() {
            if start > 0 && self.is_free(start - 1, &[Role::Data]) {
                continue;
            }
            let pointers = run(start, &|place| self.is_free(place, &[Role::Data]));
            let lengths = run(start + pointers, &|place| self.is_free(place, &[Role::Length]));
            if pointers >= 2 && pointers == lengths {
                pairs.extend((0..pointers).map(|index| (start + pointers + index, start + index)));
            }
        }
        pairs.into_iter().for_each(|(length, pointer)| self.tie(length, vec![pointer]));
    }

    /// Lengths behind their pointers.
    fn behind(&mut self) {
        for length in 1..self.all.len() {
            if !self.is_free(length, &[Role::Length, Role::LengthPointer, Role::Size]) {
                continue;
            }
            let is_number =
                |place: &usize| matches!(self.roles[*place], Role::Number | Role::Size | Role::Length);
            let last = match self.roles[length] {
                Role::Length => (0..length).rev().find(|place| !is_number(place)),
                _ => Some(length - 1),
            };
            let Some(last) =
                last.filter(|&last| self.is_free(last, &[Role::Data]) && self.may_have(last, length))
            else {
                continue;
            };
            let is_near = last + 1 == length;
            let ty = self.all[last].ty;
            let is_by_place = self.maker.is_to_bytes(ty)
                && (!self.maker.is_to_text(ty)
                    || self.maker.types.is_called(self.all[length].ty, "size_t")
                    || says_room(&self.all[length].name));
            if self.roles[length] == Role::Size && !is_by_place {
                continue;
            }
            // What is not just behind a string may be any number.
            let is_size = says_size(&self.all[length].name)
                || self.maker.types.is_called(self.all[length].ty, "size_t");
            if !is_near && self.maker.is_to_text(ty) && !is_size {
                continue;
            }
            let mut counted = vec![last];
            let alike = (0..last)
                .rev()
                .take_while(|&place| self.is_free(place, &[Role::Data]) && self.are_alike(place, last));
            counted.extend(alike);
            self.tie(length, counted);
        }
    }

    /// Lengths before their pointers.
    fn before(&mut self) {
        for length in 0..self.all.len() {
            if !self.is_free(length, &[Role::Length]) {
                continue;
            }
            let is_number = |place: &usize| matches!(self.roles[*place], Role::Number | Role::Size);
            let first = (length + 1..self.all.len()).find(|place| !is_number(place));
            let Some(first) = first.filter(|&first| self.is_free(first, &[Role::Data])) else { continue };
            if first > length + 1 && !self.is_to_numbers(first) {
                continue;
            }
            let mut counted = vec![first];
            let alike = (first + 1..self.all.len())
                .take_while(|&place| self.is_free(place, &[Role::Data]) && self.are_alike(place, first));
            counted.extend(alike);
            self.tie(length, counted);
        }
    }

    /// Room for more than there is.
    fn capacities(&mut self, in_structure: bool) {
        for place in 0..self.all.len() {
            if self.is_tied(place)
                || !matches!(self.roles[place], Role::Length | Role::Size)
                || !says_capacity(&self.all[place].name, in_structure)
            {
                continue;
            }
            let is_beside = |tie: &&Tie| !tie.is_capacity && tie.length.abs_diff(place) == 1;
            if let Some(tie) = self.found.iter().find(is_beside) {
                let tie = Tie {
                    length: place,
                    counted: tie.counted[..1].to_vec(),
                    is_capacity: true,
                    counting: tie.counting,
                };
                self.found.push(tie);
            }
        }
    }

    fn is_to_numbers(&self, place: usize) -> bool {
        let is_number = |ty: Type| {
            matches!(
                ty,
                Type::Integer { .. } | Type::Float { .. } | Type::Boolean { .. } | Type::Enumeration { .. }
            )
        };
        !self.maker.is_to_text(self.all[place].ty)
            && self.maker.pointee(self.all[place].ty).is_none_or(is_number)
    }

    /// Whether one length may be that of both.
    fn are_alike(&self, one: usize, other: usize) -> bool {
        let (first, second) = (&self.all[one], &self.all[other]);
        let is_same = self.maker.pointee(first.ty) == self.maker.pointee(second.ty);
        is_same && !says_context(&first.name) && !says_context(&second.name)
    }
}
