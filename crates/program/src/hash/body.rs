//! The hash of one function body.

use super::data::{add_symbol, bytes};
use super::digest::{Digest, Part};
use super::identity::Identities;
use super::linking::Linking;
use std::ops::Range;
use wasmparser::{BinaryReader, BlockType, Catch, FunctionBody, Operator};

/// Hashes a function body, operator by operator.
pub(super) struct BodyHash<'a> {
    pub wasm: &'a [u8],
    pub identities: &'a Identities,
    pub linking: Option<&'a Linking<'a>>,
    pub digest: Digest,
}

impl BodyHash<'_> {
    /// Adds the locals and operators of the body in this range.
    pub fn add_body(&mut self, range: Range<u32>) -> wasmparser::Result<()> {
        let reader = BinaryReader::new(bytes(self.wasm, range.start, range.end), range.start as usize);
        let mut operators = FunctionBody::new(reader).get_operators_reader()?;
        let mut at = operators.original_position() as u32;
        self.digest.add(Part::Bytes, bytes(self.wasm, range.start, at));
        while !operators.eof() {
            let operator = operators.read()?;
            let end = operators.original_position() as u32;
            self.operator(&operator, at..end);
            at = end;
        }
        Ok(())
    }

    /// Adds an operator: indices by what they stand for, all else by its bytes.
    fn operator(&mut self, operator: &Operator<'_>, range: Range<u32>) {
        let Identities { functions, types, globals, tables, tags, .. } = self.identities;
        match *operator {
            Operator::Call { function_index: index }
            | Operator::ReturnCall { function_index: index }
            | Operator::RefFunc { function_index: index } => self.indices(range, &[(functions, index)]),
            Operator::CallIndirect { type_index, table_index }
            | Operator::ReturnCallIndirect { type_index, table_index } => {
                self.indices(range, &[(types, type_index), (tables, table_index)]);
            }
            // Position-independent code takes addresses from globals that only the linker knows.
            Operator::GlobalGet { global_index: index } | Operator::GlobalSet { global_index: index }
                if self.relocations(&range).is_empty() =>
            {
                self.indices(range, &[(globals, index)]);
            }
            Operator::Block { blockty: BlockType::FuncType(index) }
            | Operator::Loop { blockty: BlockType::FuncType(index) }
            | Operator::If { blockty: BlockType::FuncType(index) } => self.indices(range, &[(types, index)]),
            Operator::Throw { tag_index } => self.indices(range, &[(tags, tag_index)]),
            Operator::TryTable { ref try_table } => {
                match try_table.ty {
                    BlockType::FuncType(index) => self.indices(range, &[(types, index)]),
                    ty => {
                        self.indices(range, &[]);
                        self.digest.add(Part::Bytes, format!("{ty:?}").as_bytes());
                    }
                }
                for catch in &try_table.catches {
                    self.catch(catch);
                }
            }
            Operator::TableGet { table }
            | Operator::TableSet { table }
            | Operator::TableSize { table }
            | Operator::TableGrow { table }
            | Operator::TableFill { table } => self.indices(range, &[(tables, table)]),
            Operator::TableCopy { dst_table, src_table } => {
                self.indices(range, &[(tables, dst_table), (tables, src_table)]);
            }
            _ => self.bytes(range),
        }
    }

    fn catch(&mut self, catch: &Catch) {
        let (kind, tag, label) = match *catch {
            Catch::One { tag, label } => (0, Some(tag), label),
            Catch::OneRef { tag, label } => (1, Some(tag), label),
            Catch::All { label } => (2, None, label),
            Catch::AllRef { label } => (3, None, label),
        };
        self.digest.add(Part::Bytes, &[kind]);
        self.digest.add(Part::Bytes, &label.to_le_bytes());
        if let Some(tag) = tag {
            self.identity(&self.identities.tags, tag);
        }
    }

    /// Adds an operator whose immediates are all indices.
    fn indices(&mut self, range: Range<u32>, indices: &[(&[String], u32)]) {
        // Prefixed operators have a second byte; all of those that have indices fit.
        let length = if bytes(self.wasm, range.start, range.end).first() == Some(&0xfc) { 2 } else { 1 };
        self.digest.add(Part::Bytes, bytes(self.wasm, range.start, range.start + length));
        for &(names, index) in indices {
            self.identity(names, index);
        }
    }

    fn identity(&mut self, names: &[String], index: u32) {
        let name = names.get(index as usize).map(String::as_bytes).unwrap_or_default();
        self.digest.add(Part::Identity, name);
    }

    /// Adds an operator byte by byte, save those bytes that stand for a symbol.
    fn bytes(&mut self, range: Range<u32>) {
        let mut at = range.start;
        let relocations = self.linking.map(|linking| linking.relocations(&range)).unwrap_or_default();
        for relocation in relocations {
            self.digest.add(Part::Bytes, bytes(self.wasm, at, relocation.offset));
            add_symbol(&mut self.digest, relocation, &self.identities.symbols);
            at = relocation.offset + relocation.ty.extent() as u32;
        }
        self.digest.add(Part::Bytes, bytes(self.wasm, at, range.end));
    }

    fn relocations(&self, range: &Range<u32>) -> &[wasmparser::RelocationEntry] {
        self.linking.map(|linking| linking.relocations(range)).unwrap_or_default()
    }
}
