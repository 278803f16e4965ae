//! The solver stack: questions about terms, and their answers.
//!
//! A [`Query`] asks for values of the symbols such that a goal holds under assumptions. A [`Layer`] answers with one
//! method. Layers that make a question smaller hand it on to the next, those that decide come last; `stack.rs` puts
//! them in order. The crate knows nothing of wasm, and every model is checked by evaluating the question.

mod blast;
mod budget;
mod layers;
mod marks;
mod query;
mod stack;
pub mod stream;
mod tally;

pub use blast::Blast;
pub use budget::{Budget, Spent};
pub use query::{Answer, Layer, Query, Reason};
pub use stack::{Nothing, Stack};
pub use tally::{Counts, Tally};
