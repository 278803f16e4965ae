//! What a WebAssembly program is: functions in SSA, control flow, calls, sites, source lines.
//!
//! [`Program::parse`] takes a module apart; everything else here is about the result. Knows nothing of
//! terms, engines or compilers.

pub mod addresses;
pub mod calls;
pub mod cfg;
pub mod debug_info;
mod directions;
pub mod dot;
mod ends;
pub mod entity;
mod error;
pub mod hash;
pub mod ir;
mod lift;
pub mod line_code;
pub mod names;
pub mod ops;
mod parse;
mod program;
mod scope;
mod site;
mod ssa;
pub mod text;
pub mod verify;

pub use ends::{EXITS, Ends};
pub use error::Error;
pub use line_code::LineCode;
pub use parse::FEATURES;
pub use program::*;
pub use scope::Scope;
pub use site::*;
