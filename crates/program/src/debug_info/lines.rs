//! The line table of a unit: which source position each address came from.

use super::code::{BodyIndex, CodeLayout};
use super::path;
use super::{Bytes, Dwarf, DwarfUnit};
use std::ops::Range;

/// A place in a source file of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    /// Index into [`Lines::files`].
    pub file: u32,
    /// 0 where the compiler says that no line is to blame.
    pub line: u32,
    /// 0 where unknown.
    pub column: u32,
}

/// From this address on, until the next row, code came from this position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub address: u32,
    pub position: Position,
}

/// The line table of a unit.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Paths by file number.
    pub files: Vec<String>,
    /// The rows of all bodies that the unit owns, ascending.
    rows: Vec<Row>,
}

impl Lines {
    /// Reads the rows of those bodies that `owns` accepts.
    pub fn read(
        dwarf: &Dwarf<'_>,
        unit: &DwarfUnit<'_>,
        code: &CodeLayout,
        owns: impl Fn(BodyIndex) -> bool,
    ) -> gimli::Result<Lines> {
        let Some(program) = unit.line_program.clone() else { return Ok(Lines::default()) };
        let files = files(dwarf, unit);
        let mut sequences = Vec::new();
        let mut rows: Vec<Row> = Vec::new();
        let mut state = program.rows();
        while let Some((_, row)) = state.next_row()? {
            if row.end_sequence() {
                let sequence = std::mem::take(&mut rows);
                let Some(first) = sequence.first() else { continue };
                if let Some((body, complete)) = code.body_of(&(u64::from(first.address)..row.address()))
                    && owns(body)
                {
                    sequences.push((body, !complete, sequence));
                }
            } else if let Ok(address) = u32::try_from(row.address()) {
                rows.push(Row { address, position: position(row) });
            }
        }
        // One sequence per body: the complete one, as the other belongs to code that was dropped.
        sequences.sort_by_key(|(body, incomplete, _)| (*body, *incomplete));
        sequences.dedup_by_key(|(body, ..)| *body);
        Ok(Lines { files, rows: sequences.into_iter().flat_map(|(.., rows)| rows).collect() })
    }

    /// The rows of a body.
    pub fn rows(&self, body: &Range<u32>) -> &[Row] {
        let start = self.rows.partition_point(|row| row.address < body.start);
        let end = self.rows.partition_point(|row| row.address < body.end);
        &self.rows[start..end]
    }

    /// The file with this number.
    pub fn file(&self, file: u32) -> Option<&str> {
        self.files.get(file as usize).map(String::as_str)
    }
}

/// The paths of all files that a unit mentions, by number; numbers without a file have an empty path.
pub(super) fn files(dwarf: &Dwarf<'_>, unit: &DwarfUnit<'_>) -> Vec<String> {
    let Some(program) = &unit.line_program else { return Vec::new() };
    let header = program.header();
    let text = |value: gimli::AttributeValue<Bytes<'_>>| match dwarf.attr_string(unit, value) {
        Ok(bytes) => bytes.to_string_lossy().into_owned(),
        Err(_) => String::new(),
    };
    let compiled_in = unit.comp_dir.map(|bytes| bytes.to_string_lossy().into_owned()).unwrap_or_default();
    // Before version 5 file numbers start at 1, and 0 is the unit itself.
    let count = header.file_names().len() as u64 + u64::from(header.version() <= 4);
    (0..count)
        .map(|number| {
            let Some(file) = header.file(number) else { return String::new() };
            let directory = file.directory(header).map(text).unwrap_or_default();
            path::join(&path::join(&compiled_in, &directory), &text(file.path_name()))
        })
        .collect()
}

fn position(row: &gimli::LineRow) -> Position {
    let number = |value: u64| u32::try_from(value).unwrap_or(0);
    Position {
        file: number(row.file_index()),
        line: row.line().map_or(0, |line| number(line.get())),
        column: match row.column() {
            gimli::ColumnType::LeftEdge => 0,
            gimli::ColumnType::Column(column) => number(column.get()),
        },
    }
}
