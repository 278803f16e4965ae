//! Telling the user's code from what the compiler brought along (libc, libc++, std, registry crates).
//!
//! C and C++ objects name their compile units exactly, so the answer is exact. Rust has one unit per crate and
//! codegen unit, with names that change; there the directories of the user's packages decide.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::PathBuf;

use gimli::{EndianSlice, LittleEndian};
use serde::{Deserialize, Serialize};
use wasmparser::{Parser, Payload};

/// Which parts of a module the user wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserCode {
    /// The compile units that are the user's.
    pub units: UserUnits,
    /// Directories of headers and sources that came with a compiler or from a registry: code that was
    /// instantiated or inlined from them is not the user's, though its unit is.
    pub foreign: Vec<PathBuf>,
}

/// The compile units that are the user's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UserUnits {
    /// All: nothing is known about the module.
    All,
    /// Exactly these.
    Listed(BTreeSet<SourceUnit>),
    /// Those that were compiled in one of these directories.
    Under(Vec<PathBuf>),
}

/// A compile unit as DWARF identifies it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SourceUnit {
    /// `DW_AT_name`.
    pub name: String,
    /// `DW_AT_comp_dir`.
    pub directory: String,
}

impl UserCode {
    /// Everything is the user's.
    pub fn all() -> UserCode {
        UserCode { units: UserUnits::All, foreign: Vec::new() }
    }
}

/// The compile units that a module's or object's DWARF lists; none if it has none or it is damaged.
pub(crate) fn units_of(wasm: &[u8]) -> BTreeSet<SourceUnit> {
    let mut sections = Vec::new();
    for payload in Parser::new(0).parse_all(wasm).map_while(Result::ok) {
        if let Payload::CustomSection(section) = payload {
            sections.push((section.name(), section.data()));
        }
    }
    let find = |id: gimli::SectionId| -> Result<EndianSlice<'_, LittleEndian>, gimli::Error> {
        let data = sections.iter().find(|(name, _)| *name == id.name()).map_or(&[][..], |(_, data)| data);
        Ok(EndianSlice::new(data, LittleEndian))
    };
    let Ok(dwarf) = gimli::Dwarf::load(find) else { return BTreeSet::new() };
    let mut units = BTreeSet::new();
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let text = |bytes: Option<EndianSlice<'_, LittleEndian>>| {
            bytes.map(|bytes| bytes.to_string_lossy()).unwrap_or(Cow::Borrowed("")).into_owned()
        };
        units.insert(SourceUnit { name: text(unit.name), directory: text(unit.comp_dir) });
    }
    units
}
