//! The reference interpreter: small, slow, obviously right.
//!
//! It runs the SSA of a [`Program`](coax_program::Program) and gets every value by making the term of the operator and
//! evaluating it on the run's input, never by arithmetic of its own. So the spec testsuite, run on it, judges
//! [`crate::semantics`] and the terms themselves, and the path it records is what the instrumented engine's is compared with.
//!
//! ```text
//! let mut interpreter = Interpreter::new(Limits::default());
//! let x = interpreter.input("x", 32, 5);                        // a symbol, and its value in this run
//! let instance = interpreter.instantiate(program, &[], host)?;
//! let function = interpreter.function(instance, func);
//! let results = interpreter.call(function, &[Value::Number(x)], host);
//! interpreter.path()                                            // what was decided because of x
//! ```
//!
//! Everything that instances can share (functions, memories, tables, globals, tags) lives in one store and is named by its
//! place there, so instances import from each other freely and a call never recurses in Rust.

mod bulk;
mod constant;
mod execute;
mod frame;
mod host;
mod instantiate;
mod interpreter;
mod linear;
mod link;
mod load_store;
mod module;
mod moment;
mod simd;
mod store;
mod tables;
mod unwind;
mod value;

pub use host::{Context, Host, NoHost, Step};
pub use instantiate::Refused;
pub use interpreter::{Interpreter, Limits, Stop};
pub use moment::{Known, Moment};
pub use store::{ExnId, FuncId, GlobalId, HostFunction, Instance, Item, MemoryId, TableId, TagId};
pub use value::Value;
