//! What the source says of a function.
//!
//! An entry with code refers to an abstract one, which may refer to the declaration in a class or
//! namespace, each possibly in another unit.

use super::lines;
use super::{Bytes, Dwarf, DwarfEntry, DwarfUnit};
use crate::names;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How far a chain of declarations is followed; bad DWARF can go in circles.
const MAX_ORIGINS: usize = 16;

/// What the source says of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Declaration {
    /// Its full name, demangled.
    pub name: Option<String>,
    /// Its name alone: in Rust with the values of its type parameters, which the full name may lack.
    pub short_name: Option<String>,
    /// Where it is declared.
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// Finds declarations and remembers them.
pub(super) struct Declarations<'d, 'a> {
    pub dwarf: &'d Dwarf<'a>,
    /// By place in `.debug_info`.
    found: BTreeMap<usize, Arc<Declaration>>,
    /// The paths of the files of each unit that was met.
    files: BTreeMap<usize, Vec<String>>,
}

impl<'d, 'a> Declarations<'d, 'a> {
    pub fn new(dwarf: &'d Dwarf<'a>) -> Self {
        Declarations { dwarf, found: BTreeMap::new(), files: BTreeMap::new() }
    }

    /// What is known of an entry. Trouble with part of it leaves that part out.
    pub fn of(&mut self, unit: &DwarfUnit<'a>, entry: &DwarfEntry<'a>) -> Arc<Declaration> {
        // Many calls of one function share their origin, and nothing of an inlined call itself matters.
        let shared = match entry.attr_value(gimli::DW_AT_abstract_origin) {
            Some(gimli::AttributeValue::UnitRef(offset)) => offset.to_debug_info_offset(&unit.header),
            _ => None,
        };
        let Some(gimli::DebugInfoOffset(place)) = shared else {
            return Arc::new(self.follow(unit, entry, MAX_ORIGINS));
        };
        if let Some(known) = self.found.get(&place) {
            return known.clone();
        }
        let declaration = Arc::new(self.follow(unit, entry, MAX_ORIGINS));
        self.found.insert(place, declaration.clone());
        declaration
    }

    fn follow(&mut self, unit: &DwarfUnit<'a>, entry: &DwarfEntry<'a>, left: usize) -> Declaration {
        let text = |name| {
            let bytes = self.dwarf.attr_string(unit, entry.attr_value(name)?).ok()?;
            Some(bytes.to_string_lossy().into_owned())
        };
        let short_name = text(gimli::DW_AT_name);
        let linkage_name = text(gimli::DW_AT_linkage_name).or_else(|| text(gimli::DW_AT_MIPS_linkage_name));
        let here = Declaration {
            name: linkage_name.map(|symbol| names::demangle(&symbol)),
            short_name,
            file: file_number(entry, gimli::DW_AT_decl_file).and_then(|file| self.file(unit, file)),
            line: entry
                .attr_value(gimli::DW_AT_decl_line)
                .and_then(|line| line.udata_value())
                .map(|l| l as u32),
        };
        let origin = entry
            .attr_value(gimli::DW_AT_abstract_origin)
            .or_else(|| entry.attr_value(gimli::DW_AT_specification))
            .filter(|_| left > 0)
            .and_then(|reference| self.origin(unit, reference, left - 1))
            .unwrap_or_default();
        let short_name = here.short_name.or(origin.short_name);
        // A definition's own line is the better one; it may lie in another file than the declaration.
        let (file, line) = match here.line {
            Some(_) => (here.file.or(origin.file), here.line),
            None => (origin.file, origin.line),
        };
        Declaration { name: here.name.or(origin.name).or_else(|| short_name.clone()), short_name, file, line }
    }

    fn origin(
        &mut self,
        unit: &DwarfUnit<'a>,
        reference: gimli::AttributeValue<Bytes<'a>>,
        left: usize,
    ) -> Option<Declaration> {
        match reference {
            gimli::AttributeValue::UnitRef(offset) => {
                let entry = unit.entry(offset).ok()?;
                Some(self.follow(unit, &entry, left))
            }
            gimli::AttributeValue::DebugInfoRef(offset) => {
                let mut headers = self.dwarf.units();
                let mut found = None;
                while let Ok(Some(header)) = headers.next() {
                    if let Some(within) = offset.to_unit_offset(&header) {
                        found = Some((self.dwarf.unit(header).ok()?, within));
                        break;
                    }
                }
                let (other, within) = found?;
                let entry = other.entry(within).ok()?;
                Some(self.follow(&other, &entry, left))
            }
            _ => None,
        }
    }

    fn file(&mut self, unit: &DwarfUnit<'a>, number: u32) -> Option<String> {
        let place = unit.header.debug_info_offset()?.0;
        let files = self.files.entry(place).or_insert_with(|| lines::files(self.dwarf, unit));
        files.get(number as usize).filter(|path| !path.is_empty()).cloned()
    }
}

pub(super) fn file_number(entry: &DwarfEntry<'_>, name: gimli::DwAt) -> Option<u32> {
    match entry.attr_value(name)? {
        gimli::AttributeValue::FileIndex(number) => u32::try_from(number).ok(),
        value => u32::try_from(value.udata_value()?).ok(),
    }
}
