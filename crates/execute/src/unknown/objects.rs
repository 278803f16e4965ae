//! What is certainly not part of the same thing: the stack, each static variable, and all the rest.

use coax_program::Program;
use coax_program::addresses::Addresses;
use std::ops::Range;

/// Where the stack and static variables are, as far as the module tells.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub stack: Option<Range<u64>>,
    /// In order; none if the linker's relocations are not there.
    variables: Vec<Range<u64>>,
}

impl Objects {
    pub(super) fn new(program: &Program, stack: Option<Range<u64>>) -> Objects {
        let variables = Addresses::read(program).map(|addresses| addresses.variables).unwrap_or_default();
        Objects { stack, variables }
    }

    /// Whether two addresses are in different ones, or only one of them in one. Two blocks of the heap, or two variables of one frame, are not told apart.
    pub(super) fn are_apart(&self, one: u64, other: u64) -> bool {
        let is_on_stack = |address: u64| self.stack.as_ref().is_some_and(|stack| stack.contains(&address));
        is_on_stack(one) != is_on_stack(other) || self.variable_at(one) != self.variable_at(other)
    }

    fn variable_at(&self, address: u64) -> Option<usize> {
        let number = self.variables.partition_point(|variable| variable.end <= address);
        self.variables.get(number).is_some_and(|variable| variable.contains(&address)).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_apart_from_each_other_and_from_the_rest() {
        let objects = Objects { stack: Some(0..64), variables: vec![64..80, 80..96, 112..128] };
        for (one, other) in [(0, 63), (64, 79), (112, 127), (96, 111), (100, 4096)] {
            assert!(!objects.are_apart(one, other), "{one} and {other}");
        }
        for (one, other) in [(63, 64), (79, 80), (95, 96), (111, 112), (127, 128), (0, 4096), (64, 112)] {
            assert!(objects.are_apart(one, other) && objects.are_apart(other, one), "{one} and {other}");
        }
    }
}
