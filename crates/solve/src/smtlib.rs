//! SMT-LIB 2.6 scripts.

pub(crate) mod literal;
pub(crate) mod syntax;
