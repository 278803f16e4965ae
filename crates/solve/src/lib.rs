//! The solver stack: questions about terms, and their answers.
//!
//! A [`Query`] asks for values of the symbols such that a goal holds under assumptions. A [`Layer`] answers with one
//! method. Layers that make a question smaller hand it on to the next, those that decide come last; `stack.rs` puts
//! them in order. The crate knows nothing of wasm, and every model is checked by evaluating the question.

mod budget;
#[cfg(any(test, feature = "problems"))]
pub mod problems;
mod query;
mod walk;

pub use budget::{Budget, Spent};
pub use query::{Answer, Layer, Query, Reason};
pub use walk::{Options as WalkOptions, Walk};
