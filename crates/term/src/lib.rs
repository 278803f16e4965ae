//! Terms: what a value of a program is as a function of its input.
//!
//! A [`Term`] is a small number that names a node in an arena, [`Terms`]. Nodes are hash-consed (the same node is
//! never made twice) and made only by smart constructors, the methods of [`Algebra`], which simplify. Two terms made
//! by the same constructors are the same whatever the order in which anything was made, and so are their hashes.
//!
//! The crate knows bit-vectors of 1 to 64 bits and IEEE floats as their bits; it knows nothing of wasm or of solvers.

mod algebra;
mod apply;
mod arena;
mod compare;
mod compile;
mod concrete;
mod consing;
mod construct;
mod eval;
mod export;
pub mod fold;
mod lookup;
mod names;
mod node;
mod op;
mod op_names;
mod parse;
mod range;
mod range_of;
mod rebuild;
mod simplify;
pub mod smt;
mod text;
mod values;
mod walk;

pub use algebra::Algebra;
pub use arena::{Identity, Terms};
pub use compile::{Compiled, Compiler, Interpreter};
pub use concrete::{Bits, Concrete};
pub use eval::{Evaluator, Functions, Model, NoFunctions};
pub use export::Exported;
pub use fold::mask;
pub use node::{Arguments, Function, Node, Symbol, Table, Term};
pub use op::{Binary, Unary};
pub use parse::{ParseError, Parser};
pub use range::Range;
pub use rebuild::{Import, Substitution};
pub use text::{Display, Shared};
pub use walk::PostOrder;
