//! What a WebAssembly program is: functions in SSA, control flow, calls, sites, source lines.

pub mod debug_info;
pub mod entity;
pub mod hash;
pub mod ir;
mod program;
mod site;

pub use program::*;
pub use site::*;
