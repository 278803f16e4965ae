//! SMT-LIB 2.6 scripts: read, carried out by the solver stack, answered as the standard says.
//!
//! Bit-vectors of up to 64 bits, arrays and functions of them, floats of 32 and 64 bits become terms. What does not, wider ones or
//! quantifiers for example, is told to a child process as it was written, if there is one. What SMT-LIB leaves open, such as the integer that
//! a NaN is converted to, stays open: it is a function of which nothing is known.

mod array;
mod elaborate;
mod floats;
mod get;
pub(crate) mod literal;
mod logic;
mod operators;
mod outcome;
mod print;
mod problem;
mod run;
mod sort;
mod state;
pub(crate) mod syntax;

pub use outcome::{Outcome, RunError, Solvers, Verdict};
pub use run::run_script;
pub use syntax::{Position, ScriptError};
