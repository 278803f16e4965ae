//! Where code came from: DWARF, asked by byte offset in the module.
//!
//! Loading reads only the units' headers and the code they claim; a unit's lines and functions are read
//! when something in it is first asked for, once, and then shared by all threads. Bad DWARF never fails
//! a module: what cannot be read is missing, and [`DebugInfo::warnings`] says so.
//!
//! Which line is to blame is the compiler's word, with two exceptions. Code that the compiler gave line 0
//! takes the line, without column, of the nearest code before it (else after it) in the same inlined call: good enough to
//! show where something is, but that code may be executed where the line is not ([`DebugInfo::is_attributed`]).
//! And a frame that only carries the reason of a trap ([`Frame::trap_reason`]) stands where the trap does.

mod code;
mod declarations;
mod functions;
mod lines;
pub(crate) mod path;
mod tables;
mod types;
mod units;

use crate::entity::{Arena, id};
use code::CodeLayout;
use declarations::Declaration;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;
pub(crate) use tables::Place;
use tables::Tables;
pub use types::{Composite, FunctionType, Member, Parameter, Type, TypeId, Types, Variant, Variants};
use units::UnitEntry;

type Bytes<'a> = gimli::EndianSlice<'a, gimli::LittleEndian>;
type Dwarf<'a> = gimli::Dwarf<Bytes<'a>>;
type DwarfUnit<'a> = gimli::Unit<Bytes<'a>>;
type DwarfEntry<'a> = gimli::DebuggingInformationEntry<Bytes<'a>>;

id!(
    /// A compile unit.
    Unit, "unit");

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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

impl Frame {
    /// If clang made this frame to say why there is a trap: the kind of check and what it found.
    pub fn trap_reason(&self) -> Option<(&str, &str)> {
        trap_reason(self.function.as_deref()?)
    }
}

fn trap_reason(function: &str) -> Option<(&str, &str)> {
    function.strip_prefix("__clang_trap_msg$")?.split_once('$')
}

/// A compile unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitData {
    /// Its source file (or crate), as the compiler was given it.
    pub name: String,
    /// Where the compiler ran.
    pub directory: String,
    /// The compiler, in its own words.
    pub producer: String,
    /// The language as DWARF spells it (`C11`, `C_plus_plus_14`, `Rust`), or empty.
    pub language: String,
}

impl UnitData {
    /// The path of its source file, absolute if the compiler said so.
    pub fn path(&self) -> String {
        path::join(&self.directory, path::unit_file(&self.name))
    }
}

/// The debug information of a module.
#[derive(Default)]
pub struct DebugInfo {
    /// The compile units.
    pub units: Arena<Unit, UnitData>,
    sections: gimli::DwarfSections<Vec<u8>>,
    code: CodeLayout,
    /// The unit of each function body.
    owners: Vec<Option<Unit>>,
    /// What is read on demand.
    tables: Arena<Unit, UnitTables>,
    warnings: Vec<String>,
}

/// Where a unit's entry is, and what was read of it.
struct UnitTables {
    place: gimli::DebugInfoOffset,
    read: OnceLock<Tables>,
}

impl DebugInfo {
    /// Reads the debug information of a module.
    pub fn parse(wasm: &[u8]) -> DebugInfo {
        let mut sections = BTreeMap::new();
        let mut debug = DebugInfo::default();
        debug.code = CodeLayout::read(wasm, |name, bytes| {
            if name.starts_with(".debug_") {
                sections.insert(name, bytes);
            } else if name == "external_debug_info" {
                let warning = "the debug information is in a separate file, which is not read: link without splitting it off";
                debug.warnings.push(warning.to_string());
            }
        });
        // Of what is loaded only these are looked at; locations of variables and macros can be large.
        let wanted = |id: gimli::SectionId| {
            use gimli::SectionId as Id;
            let used = matches!(
                id,
                Id::DebugAbbrev
                    | Id::DebugAddr
                    | Id::DebugInfo
                    | Id::DebugLine
                    | Id::DebugLineStr
                    | Id::DebugRanges
                    | Id::DebugRngLists
                    | Id::DebugStr
                    | Id::DebugStrOffsets
            );
            let bytes = sections.get(id.name()).filter(|_| used);
            Ok::<_, std::convert::Infallible>(bytes.map(|bytes| bytes.to_vec()).unwrap_or_default())
        };
        let Ok(loaded) = gimli::DwarfSections::load(wanted);
        debug.sections = loaded;
        debug.owners = vec![None; debug.code.bodies.len()];
        debug.read_units();
        debug
    }

    /// The source frames of a byte of the module, innermost first; none if nothing is known.
    pub fn frames(&self, offset: u32) -> Vec<Frame> {
        self.find(offset).map(|(tables, body, address)| tables.frames(&body, address)).unwrap_or_default()
    }

    /// What decides the frames of a byte of a function: others of its bytes that have the same have the same frames.
    pub(crate) fn place(&self, offset: u32) -> Option<Place> {
        self.find(offset).map(|(tables, body, address)| tables.place(&body, address))
    }

    /// Whether the compiler itself says which line a byte of the module is from. What begins a block it often leaves to nobody; the
    /// frames of that are of whatever stands before it.
    pub fn is_attributed(&self, offset: u32) -> bool {
        self.find(offset).is_some_and(|(tables, body, address)| tables.is_attributed(&body, address))
    }

    /// The compile unit of the function that holds this byte of the module.
    pub fn unit_of(&self, offset: u32) -> Option<Unit> {
        let body = self.code.body_at(self.code.address(offset)?)?;
        self.owners[body]
    }

    /// The file and line where the function that holds this byte of the module is declared. A function
    /// from a header, or made from a generic of a library, is in the user's unit but declared elsewhere.
    pub fn declared_at(&self, offset: u32) -> Option<(&str, u32)> {
        let function = self.declaration(offset)?;
        Some((function.file.as_deref()?, function.line?))
    }

    /// The name of the function that holds this byte of the module, without where it is declared but,
    /// in Rust, with the values of its type parameters.
    pub(crate) fn short_name(&self, offset: u32) -> Option<&str> {
        self.declaration(offset)?.short_name.as_deref()
    }

    /// What was wrong with the debug information, as far as it was read.
    pub fn warnings(&self) -> Vec<String> {
        let read = self.tables.values().filter_map(|unit| unit.read.get()?.warning.clone());
        self.warnings.iter().cloned().chain(read).collect()
    }

    fn declaration(&self, offset: u32) -> Option<&Declaration> {
        let (tables, body, _) = self.find(offset)?;
        let outermost = tables.functions.outermost(body.start)?;
        Some(&tables.functions.scope(outermost).function)
    }

    fn find(&self, offset: u32) -> Option<(&Tables, Range<u32>, u32)> {
        let address = self.code.address(offset)?;
        let body = self.code.body_at(address)?;
        let unit = self.owners[body]?;
        Some((self.tables(unit), self.code.bodies[body].clone(), address))
    }

    fn tables(&self, unit: Unit) -> &Tables {
        let UnitTables { place, read } = &self.tables[unit];
        read.get_or_init(|| {
            let owns = |body: usize| self.owners[body] == Some(unit);
            Tables::read(&self.dwarf(), *place, &self.code, owns).unwrap_or_else(|error| {
                let name = &self.units[unit].name;
                Tables::unreadable(format!("the debug information of {name} is damaged: {error}"))
            })
        })
    }

    fn dwarf(&self) -> Dwarf<'_> {
        self.sections.borrow(|section| gimli::EndianSlice::new(section, gimli::LittleEndian))
    }

    /// Reads the units' own entries and finds out which bodies they own.
    fn read_units(&mut self) {
        let mut found = Vec::new();
        let mut warnings = Vec::new();
        let dwarf = self.dwarf();
        let mut headers = dwarf.units();
        loop {
            let read = headers.next().and_then(|header| match header {
                None => Ok(None),
                Some(header) => UnitEntry::read(&dwarf, header).map(Some),
            });
            match read {
                Ok(None) => break,
                Ok(Some(unit)) => found.push(unit),
                // A unit that cannot be read is left out; without its length the next one cannot be found,
                // and gimli then ends the list.
                Err(error) => warnings.push(format!("a unit of the debug information is damaged: {error}")),
            }
        }
        self.warnings.extend(warnings);
        let mut claims = Vec::new();
        for UnitEntry { place, data, ranges } in found {
            let unit = self.units.push(data);
            self.tables.push(UnitTables { place, read: OnceLock::new() });
            let ranges =
                ranges.unwrap_or_else(|| match Tables::read(&self.dwarf(), place, &self.code, |_| true) {
                    Ok(tables) => tables.functions.bodies().collect(),
                    Err(_) => Vec::new(),
                });
            let of_body = |range| self.code.body_of(&range).map(|(body, complete)| (body, !complete, unit));
            claims.extend(ranges.into_iter().filter_map(of_body));
        }
        // The complete claim wins; among equals the first unit.
        claims.sort();
        for (body, _, unit) in claims.into_iter().rev() {
            self.owners[body] = Some(unit);
        }
    }
}

impl fmt::Debug for DebugInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DebugInfo").field("units", &self.units).field("warnings", &self.warnings).finish()
    }
}
