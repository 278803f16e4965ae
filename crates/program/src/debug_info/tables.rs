//! The lines and functions of one unit, and the frames they give together.

use super::code::{BodyIndex, CodeLayout};
use super::functions::{Functions, ScopeIndex};
use super::lines::{Lines, Position};
use super::{Dwarf, Frame, trap_reason};
use std::ops::Range;

/// See [`Tables::place`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    row: usize,
    scope: Option<ScopeIndex>,
}

/// What is read of a unit when something in it is first asked for.
#[derive(Default)]
pub(super) struct Tables {
    lines: Lines,
    pub functions: Functions,
    /// Why the tables are empty, if that is nobody's wish.
    pub warning: Option<String>,
}

impl Tables {
    /// Reads the tables of the unit whose header is at `place`, for those bodies that `owns` accepts.
    pub fn read(
        dwarf: &Dwarf<'_>,
        place: gimli::DebugInfoOffset,
        code: &CodeLayout,
        owns: impl Fn(BodyIndex) -> bool,
    ) -> gimli::Result<Tables> {
        let unit = dwarf.unit(dwarf.debug_info.header_from_offset(place)?)?;
        let lines = Lines::read(dwarf, &unit, code, &owns)?;
        let functions = Functions::read(dwarf, &unit, code, &owns)?;
        Ok(Tables { lines, functions, warning: None })
    }

    /// The tables of a unit that cannot be read, and why.
    pub fn unreadable(warning: String) -> Tables {
        Tables { warning: Some(warning), ..Tables::default() }
    }

    /// The frames of an address, innermost first.
    pub fn frames(&self, body: &Range<u32>, address: u32) -> Vec<Frame> {
        let innermost = self.functions.innermost(address);
        let mut position = self.position(body, address, innermost);
        let Some(mut index) = innermost else {
            return position.map(|position| self.frame(None, Some(position))).into_iter().collect();
        };
        let mut frames = Vec::new();
        loop {
            let scope = self.functions.scope(index);
            let name = scope.function.name.as_deref();
            let Some((caller, call)) = scope.caller else {
                frames.push(self.frame(name, position));
                return frames;
            };
            if name.is_some_and(|name| trap_reason(name).is_some()) {
                position = Some(call);
            }
            frames.push(self.frame(name, position));
            position = Some(call);
            index = caller;
        }
    }

    /// What decides the frames of an address in a body: addresses that have the same have the same frames.
    pub fn place(&self, body: &Range<u32>, address: u32) -> Place {
        let row = self.lines.rows(body).partition_point(|row| row.address <= address);
        Place { row, scope: self.functions.innermost(address) }
    }

    /// Whether the compiler itself says which line an address is from, rather than nothing, or a line that stands near.
    pub fn is_attributed(&self, body: &Range<u32>, address: u32) -> bool {
        let rows = self.lines.rows(body);
        let row = rows.partition_point(|row| row.address <= address).checked_sub(1).map(|row| rows[row]);
        let is_trap = |scope: ScopeIndex| {
            self.functions
                .scope(scope)
                .function
                .name
                .as_deref()
                .is_some_and(|name| trap_reason(name).is_some())
        };
        row.is_some_and(|row| row.position.line != 0)
            || self.functions.innermost(address).is_some_and(is_trap)
    }

    /// The position of an address, by the rule at the top of the parent module.
    fn position(&self, body: &Range<u32>, address: u32, scope: Option<ScopeIndex>) -> Option<Position> {
        let rows = self.lines.rows(body);
        let next = rows.partition_point(|row| row.address <= address);
        let (before, after) = rows.split_at(next);
        if let Some(row) = before.last()
            && row.position.line != 0
        {
            return Some(row.position);
        }
        let near = before.iter().rev().chain(after);
        let mut near = near.filter(|row| row.position.line != 0);
        let row = near.find(|row| self.functions.innermost(row.address) == scope)?;
        Some(Position { column: 0, ..row.position })
    }

    fn frame(&self, function: Option<&str>, position: Option<Position>) -> Frame {
        let known = position.filter(|position| position.line != 0);
        Frame {
            function: function.map(str::to_string),
            file: known.and_then(|position| self.lines.file(position.file)).map(str::to_string),
            line: known.map(|position| position.line),
            column: known.map(|position| position.column).filter(|&column| column != 0),
        }
    }
}
