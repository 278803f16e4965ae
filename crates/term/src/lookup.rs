//! Lookups: the value that a finite table has for an index. Reads through symbolic addresses become these.
//!
//! A table has sorted, distinct keys and is interned by its content. A key that no entry has means 0.

use crate::consing::{Index, mix};
use crate::{Node, Range, Table, Term, Terms};

/// All tables of an arena; their entries lie one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    entries: Vec<(u64, Term)>,
    tables: Vec<Header>,
    index: Index,
}

#[derive(Clone, Copy, Debug)]
struct Header {
    end: usize,
    hash: u64,
    width: u8,
    /// Of all values.
    range: Range,
}

impl Tables {
    fn entries(&self, id: usize) -> &[(u64, Term)] {
        let start = if id == 0 { 0 } else { self.tables[id - 1].end };
        &self.entries[start..self.tables[id].end]
    }

    pub(crate) fn clear(&mut self) {
        self.index.clear(self.tables.iter().map(|table| table.hash));
        self.tables.clear();
        self.entries.clear();
    }
}

impl Terms {
    /// The table with these entries.
    ///
    /// # Panics
    /// If there are no entries, the keys are not in strictly ascending order or the values' widths differ.
    pub fn table(&mut self, entries: Vec<(u64, Term)>) -> Table {
        assert!(!entries.is_empty(), "a table has an entry");
        assert!(
            entries.is_sorted_by(|a, b| a.0 < b.0),
            "the keys of a table are in strictly ascending order"
        );
        let width = self.width_of(entries[0].1);
        assert!(entries.iter().all(|e| self.width_of(e.1) == width), "the values of a table have one width");

        let hash = entries
            .iter()
            .fold(u64::from(width), |hash, &(key, value)| mix(mix(hash, key), self.hash(value)));
        let same = |id: usize| self.tables.tables[id].hash == hash && self.tables.entries(id) == entries;
        if let Some(found) = self.tables.index.find(hash, same) {
            return Table(found as u32);
        }
        let range = entries[1..].iter().fold(self.range(entries[0].1), |all, e| all.join(self.range(e.1)));
        let tables = &mut self.tables;
        let id = tables.tables.len();
        tables.entries.extend(entries);
        tables.tables.push(Header { end: tables.entries.len(), hash, width, range });
        tables.index.insert(id, |id| tables.tables[id].hash);
        Table(id as u32)
    }

    /// The entries of a table, by ascending keys.
    pub fn table_entries(&self, table: Table) -> &[(u64, Term)] {
        self.tables.entries(table.0 as usize)
    }

    /// The width of a table's values.
    pub fn table_width(&self, table: Table) -> u8 {
        self.tables.tables[table.0 as usize].width
    }

    pub(crate) fn table_hash(&self, table: Table) -> u64 {
        self.tables.tables[table.0 as usize].hash
    }

    /// Values that some entry of the table can have.
    pub(crate) fn table_range(&self, table: Table) -> Range {
        self.tables.tables[table.0 as usize].range
    }

    /// The entry with this key.
    pub fn table_get(&self, table: Table, key: u64) -> Option<Term> {
        let entries = self.table_entries(table);
        entries.binary_search_by_key(&key, |entry| entry.0).ok().map(|at| entries[at].1)
    }

    /// Whether every value of the range is a key.
    pub(crate) fn covers(&self, table: Table, range: Range) -> bool {
        let entries = self.table_entries(table);
        let inside = entries.iter().filter(|entry| range.contains(entry.0)).count();
        range.count().is_some_and(|count| count == inside as u64)
    }

    /// The table's value for the key that equals the index, 0 if there is none.
    pub fn lookup(&mut self, index: Term, table: Table) -> Term {
        use crate::Algebra;
        let width = self.table_width(table);
        if let Some(key) = self.as_constant(index) {
            return self.table_get(table, key).unwrap_or_else(|| self.constant(width, 0));
        }
        self.intern(Node::Lookup { index, table })
    }
}
