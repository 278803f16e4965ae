//! The compile units of a module: what their own entries say, before anything in them is read.

use super::{Bytes, Dwarf, DwarfEntry, DwarfUnit, UnitData};
use std::ops::Range;

/// What a unit's own entry says.
pub(super) struct UnitEntry {
    pub place: gimli::DebugInfoOffset,
    pub data: UnitData,
    /// The code it claims; `None` if it does not say, so that its functions must be asked.
    pub ranges: Option<Vec<Range<u64>>>,
}

impl UnitEntry {
    /// Reads it.
    pub fn read<'a>(dwarf: &Dwarf<'a>, header: gimli::UnitHeader<Bytes<'a>>) -> gimli::Result<UnitEntry> {
        let place = header.debug_info_offset().ok_or(gimli::Error::MissingUnitDie)?;
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        let root = entries.next_dfs()?.ok_or(gimli::Error::MissingUnitDie)?;
        let text = |name| {
            let bytes = root.attr_value(name).and_then(|value| dwarf.attr_string(&unit, value).ok());
            bytes.map(|bytes| bytes.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let language = match root.attr_value(gimli::DW_AT_language) {
            Some(gimli::AttributeValue::Language(language)) => language.static_string().unwrap_or_default(),
            _ => "",
        };
        let data = UnitData {
            name: text(gimli::DW_AT_name),
            directory: text(gimli::DW_AT_comp_dir),
            producer: text(gimli::DW_AT_producer),
            language: language.trim_start_matches("DW_LANG_").to_string(),
        };
        let says = root.attr(gimli::DW_AT_ranges).is_some() || root.attr(gimli::DW_AT_high_pc).is_some();
        let ranges = if says { Some(address_ranges(dwarf, &unit, root)?) } else { None };
        Ok(UnitEntry { place, data, ranges })
    }
}

/// The addresses that an entry claims, tombstones and all.
pub(super) fn address_ranges<'a>(
    dwarf: &Dwarf<'a>,
    unit: &DwarfUnit<'a>,
    entry: &DwarfEntry<'a>,
) -> gimli::Result<Vec<Range<u64>>> {
    if let Some(list) = entry.attr_value(gimli::DW_AT_ranges) {
        let mut ranges = Vec::new();
        if let Some(mut list) = dwarf.attr_ranges(unit, list)? {
            while let Some(range) = list.next()? {
                ranges.push(range.begin..range.end);
            }
        }
        return Ok(ranges);
    }
    let address = |value| dwarf.attr_address(unit, value);
    let Some(start) = entry.attr_value(gimli::DW_AT_low_pc) else { return Ok(Vec::new()) };
    let Some(end) = entry.attr_value(gimli::DW_AT_high_pc) else { return Ok(Vec::new()) };
    let Some(start) = address(start)? else { return Ok(Vec::new()) };
    let end = match end {
        gimli::AttributeValue::Udata(size) => Some(start.saturating_add(size)),
        end => address(end)?,
    };
    Ok(end.map(|end| start..end).into_iter().collect())
}
