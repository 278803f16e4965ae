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
}

/// What a byte of memory belongs to, as far as that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Object {
    Stack,
    /// A static variable, by its number.
    Variable(u32),
    /// Neither: a block of the heap, for instance. They are not told apart.
    Elsewhere,
}

impl Objects {
    pub(super) fn new(program: &Program, stack: Option<Range<u64>>) -> Objects {
        Objects { stack, addresses: Addresses::read(program) }
    }

    /// What an address belongs to. None if the module does not tell.
    pub(super) fn object_at(&self, address: u64) -> Option<Object> {
        if self.stack.as_ref().is_some_and(|stack| stack.contains(&address)) {
            return Some(Object::Stack);
        }
        let variable = self.addresses.as_ref()?.variable_at(address);
        Some(variable.map_or(Object::Elsewhere, Object::Variable))
    }

    /// Whether an address is in another object than what a pointer points to.
    pub(super) fn are_apart(&self, pointer: u64, address: u64) -> bool {
        let (object, other) = (self.object_at(pointer), self.object_at(address));
        match (object, &self.addresses) {
            (Some(Object::Variable(number)), Some(addresses)) => {
                let variable = &addresses.variables[number as usize];
                !(variable.start..variable.end.next_multiple_of(WORD)).contains(&address)
            }
            _ => object != other,
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
        let objects = Objects { stack: Some(0..64), addresses: Some(addresses) };
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
}
