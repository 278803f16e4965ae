//! Where code came from.

use crate::entity::{Arena, id};

id!(
    /// A compile unit.
    Unit, "unit");

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Frame {
    /// The function, demangled; inlined functions have frames of their own.
    pub function: Option<String>,
    /// The file as the compiler knew it: absolute if it said so.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
}

/// A compile unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitData {
    /// Its source file (or crate), as the compiler was given it.
    pub name: String,
    /// Where the compiler ran.
    pub directory: String,
}

/// The debug information of a module.
#[derive(Debug, Default)]
pub struct DebugInfo {
    /// The compile units.
    pub units: Arena<Unit, UnitData>,
}

impl DebugInfo {
    /// The source frames of a byte of the module, innermost first; none if nothing is known.
    pub fn frames(&self, _offset: u32) -> Vec<Frame> {
        Vec::new()
    }
}
