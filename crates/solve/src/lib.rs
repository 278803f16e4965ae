//! The solver stack: questions about terms, and their answers.
//!
//! A [`Query`] asks for values of the symbols such that a goal holds under assumptions. A [`Layer`] answers with one
//! method. Layers that make a question smaller hand it on to the next, those that decide come last; `stack.rs` puts
//! them in order. The crate knows nothing of wasm, and every model is checked by evaluating the question.

mod blast;
#[cfg(test)]
mod brute_force;
mod budget;
mod child;
mod layers;
mod marks;
mod opaque;
mod portfolio;
#[cfg(any(test, feature = "problems"))]
pub mod problems;
mod query;
pub mod questions;
mod random;
mod record;
mod ring;
pub mod smtlib;
mod stack;
mod tally;
mod transcript;
mod undo;
pub mod validity;
mod walk;

pub use blast::Blast;
pub(crate) use budget::Looks;
pub use budget::{Budget, Spent};
pub use child::{Child, ChildOptions, end_solvers};
pub use query::{Answer, Layer, Query, Reason};
pub use random::Random;
pub use record::Record;
pub use stack::{Nothing, Stack, StackOptions};
pub use tally::{Counts, Tally};
pub use walk::{Fitness, Options as WalkOptions, Walk};
