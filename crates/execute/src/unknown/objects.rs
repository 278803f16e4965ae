//! What belongs together in memory, and what is certainly not behind a pointer: what is beyond the stack, or beyond the static variable that it points to.

use coax_program::Program;
use coax_program::addresses::Addresses;
use std::ops::Range;

/// Functions that read whole words read so far behind the end of what they are given.
const WORD: u64 = 8;

/// Where the stack and static variables are, as far as the module tells.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub stack: Option<Range<u64>>,
    /// None if the linker's relocations are not there.
    addresses: Option<Addresses>,
    /// What memory begins with, in order.
    segments: Vec<Range<u64>>,
}

/// What a byte of memory belongs to, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    Stack,
    /// A static variable, by its number.
    Variable(u32),
    /// Where variables are not known: data that memory begins with, by their number.
    Segment(usize),
    /// None of these: a block of the heap, for instance. They are not told apart.
    Elsewhere,
}

impl Objects {
    pub(super) fn new(program: &Program, stack: Option<Range<u64>>) -> Objects {
        let range = |(at, bytes): (u64, &[u8])| at..at.saturating_add(bytes.len() as u64);
        let mut segments: Vec<Range<u64>> =
            program.first_data().unwrap_or_default().into_iter().map(range).collect();
        segments.sort_by_key(|segment| segment.start);
        Objects { stack, addresses: Addresses::read(program), segments }
    }

    /// What an address belongs to.
    pub(super) fn object_at(&self, address: u64) -> Object {
        if self.stack.as_ref().is_some_and(|stack| stack.contains(&address)) {
            return Object::Stack;
        }
        let object = match &self.addresses {
            Some(addresses) => addresses.variable_at(address).map(Object::Variable),
            None => {
                let after = self.segments.partition_point(|it| it.start <= address);
                let last = after.checked_sub(1).filter(|&last| self.segments[last].contains(&address));
                last.map(Object::Segment)
            }
        };
        object.unwrap_or(Object::Elsewhere)
    }

    /// Whether an address is in another object than what a pointer points to.
    pub(super) fn are_apart(&self, pointer: u64, address: u64) -> bool {
        let (object, other) = (self.object_at(pointer), self.object_at(address));
        match (object, &self.addresses) {
            (Object::Variable(number), Some(addresses)) => {
                let variable = &addresses.variables[number as usize];
                !(variable.start..variable.end.next_multiple_of(WORD)).contains(&address)
            }
            (_, Some(_)) => object != other,
            // A variable may be in several segments, with zeros between.
            (_, None) => (object == Object::Stack) != (other == Object::Stack),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_behind_a_pointer_ends_with_its_variable() {
        let mut addresses = Addresses::default();
        addresses.variables.extend([64..80, 80..90, 112..128]);
        let objects = Objects { stack: Some(0..64), addresses: Some(addresses), segments: Vec::new() };
        for (pointer, address) in [(0, 63), (64, 79), (80, 95), (112, 127), (96, 111), (100, 4096)] {
            assert!(!objects.are_apart(pointer, address), "{address} is behind {pointer}");
        }
        for (pointer, address) in [(63, 64), (79, 80), (80, 96), (112, 128), (111, 112), (0, 4096), (64, 112)]
        {
            assert!(objects.are_apart(pointer, address), "{address} is not behind {pointer}");
        }
        let nothing_known = Objects::default();
        assert!(!nothing_known.are_apart(64, 112));
    }

    #[test]
    fn without_relocations_the_stack_is_apart_and_data_are_told_from_the_heap() {
        let objects = Objects { stack: Some(0..64), addresses: None, segments: vec![64..80, 96..128] };
        assert!(objects.are_apart(0, 64) && objects.are_apart(64, 0));
        assert!(!objects.are_apart(64, 100) && !objects.are_apart(64, 4096));
        assert_eq!(
            [0, 79, 80, 100].map(|at| objects.object_at(at)),
            [Object::Stack, Object::Segment(0), Object::Elsewhere, Object::Segment(1)]
        );
    }
}
