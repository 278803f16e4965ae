//! Lookups: the value that a finite table has for an index. Reads through symbolic addresses become these.
//!
//! A table has sorted, distinct keys and is interned by its content. A key that no entry has means 0.

use crate::consing::{Index, mix};
use crate::{Algebra, Node, Range, Table, Term, Terms};

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
        tables.index.insert(id, hash);
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

    /// How many keys are in the range.
    fn keys_in(&self, table: Table, range: Range) -> usize {
        self.table_entries(table).iter().filter(|entry| range.contains(entry.0)).count()
    }

    /// Whether every value of the range is a key.
    pub(crate) fn covers(&self, table: Table, range: Range) -> bool {
        range.count() == Some(self.keys_in(table, range) as u64)
    }

    /// The table's value for the key that equals the index, 0 if there is none.
    pub fn lookup(&mut self, index: Term, table: Table) -> Term {
        let range = self.range(index);
        let entries = self.table_entries(table);
        match self.node(index) {
            Node::Const { bits, .. } => return self.table_value(table, bits),
            Node::ZeroExtend { term, .. } => return self.lookup(term, table),
            Node::Ite(condition, then, otherwise) => {
                if let (Some(x), Some(y)) = (self.as_constant(then), self.as_constant(otherwise)) {
                    let (x, y) = (self.table_value(table, x), self.table_value(table, y));
                    return self.ite(condition, x, y);
                }
            }
            _ => {}
        }
        let useful = self.keys_in(table, range);
        if useful == 0 {
            return self.constant(self.table_width(table), 0);
        }
        if useful < entries.len() {
            let entries = entries.iter().copied().filter(|entry| range.contains(entry.0)).collect();
            let table = self.table(entries);
            return self.lookup(index, table);
        }
        let (first_key, first) = entries[0];
        let covers = range.count() == Some(useful as u64);
        if covers && entries.iter().all(|entry| entry.1 == first) {
            return first;
        }
        let other = match entries {
            [_] => self.constant(self.table_width(table), 0),
            [_, (_, second)] if covers => *second,
            _ => return self.intern(Node::Lookup { index, table }),
        };
        let key = self.constant(self.width_of(index), first_key);
        let is_first = self.eq(index, key);
        self.ite(is_first, first, other)
    }

    fn table_value(&mut self, table: Table, key: u64) -> Term {
        let width = self.table_width(table);
        self.table_get(table, key).unwrap_or_else(|| self.constant(width, 0))
    }
}
