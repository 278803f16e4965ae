//! Terms and the nodes they name. All are `Copy` and small: a node is 16 bytes, a term (even an optional one) 4.

use crate::{Binary, Unary};
use std::num::NonZeroU32;

/// A term of an arena. Operands always have smaller indices than the terms made of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(NonZeroU32);

impl Term {
    /// The term with this index.
    pub(crate) fn at(index: usize) -> Term {
        let id = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        Term(id.expect("an arena holds fewer than 2^32 - 1 terms"))
    }

    /// The position in the arena, from 0 on.
    #[inline]
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// An optional term as a number, 0 for none: for those who pack it with something else.
    #[inline]
    pub fn pack(term: Option<Term>) -> u32 {
        term.map_or(0, |term| term.0.get())
    }

    /// What was packed.
    #[inline]
    pub fn unpack(number: u32) -> Option<Term> {
        NonZeroU32::new(number).map(Term)
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "t{}", self.index())
    }
}

/// An unknown value with a name, numbered in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    /// The number, from 0 on.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An unknown function with a name, numbered in the order of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function(pub(crate) u32);

impl Function {
    /// The number, from 0 on.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A finite map from keys to terms; see [`crate::Terms::table`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table(pub(crate) u32);

/// The arguments of an application; see [`crate::Terms::arguments`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    pub(crate) start: u32,
    pub(crate) count: u32,
}

/// What a term is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A constant; bits above the width are zero.
    Const {
        /// How many bits.
        width: u8,
        /// The value.
        bits: u64,
    },
    /// An unknown value.
    Symbol(Symbol),
    /// An operator with one operand.
    Unary(Unary, Term),
    /// An operator with two operands.
    Binary(Binary, Term, Term),
    /// If the first (a condition) holds the second, else the third.
    Ite(Term, Term, Term),
    /// Some of a term's bits.
    Extract {
        /// The lowest bit taken.
        low: u8,
        /// How many.
        width: u8,
        /// Of this term.
        term: Term,
    },
    /// A term with zeros above.
    ZeroExtend {
        /// Of the result.
        width: u8,
        /// What is widened.
        term: Term,
    },
    /// A term with copies of its sign bit above.
    SignExtend {
        /// Of the result.
        width: u8,
        /// What is widened.
        term: Term,
    },
    /// Two terms side by side, the first in the upper bits.
    Concat(Term, Term),
    /// The table's value for the key that equals the index; 0 if there is none.
    Lookup {
        /// Which key.
        index: Term,
        /// Where.
        table: Table,
    },
    /// An unknown function of some arguments.
    Apply {
        /// Which function.
        function: Function,
        /// Of these.
        arguments: Arguments,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_and_nodes_are_small() {
        assert_eq!(size_of::<Option<Term>>(), 4);
        assert_eq!(size_of::<Node>(), 16);
    }
}
