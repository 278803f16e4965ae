//! Data without a name of its own (string literals, tables of a `switch`, Rust's constants) is known by
//! its contents, since the number in its symbol changes whenever another one is added before it.

use super::digest::{Digest, Part};
use super::linking::{Linking, Symbol};
use crate::program::Program;
use wasmparser::RelocationType;

/// Replaces the names of nameless data by their contents.
pub(super) fn replace_nameless(program: &Program, linking: &Linking<'_>, names: Vec<String>) -> Vec<String> {
    let mut contents = Contents { wasm: &program.wasm, linking, done: vec![false; names.len()], names };
    for symbol in 0..contents.names.len() {
        contents.visit(symbol, 0);
    }
    contents.names
}

/// Deeper chains of constants are known by the symbol's name from there on.
const MAX_DEPTH: usize = 100;

struct Contents<'a> {
    wasm: &'a [u8],
    linking: &'a Linking<'a>,
    names: Vec<String>,
    /// Whether the name is final. A constant that points back to one being visited keeps that one's name.
    done: Vec<bool>,
}

impl Contents<'_> {
    fn visit(&mut self, symbol: usize, depth: usize) {
        if std::mem::replace(&mut self.done[symbol], true) || depth > MAX_DEPTH {
            return;
        }
        let Symbol::Data { name, range: Some((start, end)), .. } = self.linking.symbols[symbol] else {
            return;
        };
        // `.L` is LLVM's prefix for symbols that nobody needs to know.
        if !name.starts_with(".L") || start == end {
            return;
        }
        let relocations = self.linking.relocations(&(start..end));
        for relocation in relocations {
            self.visit(relocation.index as usize, depth + 1);
        }
        let mut digest = Digest::new("data");
        let mut at = start;
        for relocation in relocations {
            digest.add(Part::Bytes, bytes(self.wasm, at, relocation.offset));
            add_symbol(&mut digest, relocation, &self.names);
            at = relocation.offset + relocation.ty.extent() as u32;
        }
        if !self.is_panic_location(start, end) {
            digest.add(Part::Bytes, bytes(self.wasm, at, end));
        }
        self.names[symbol] = format!("contents {:032x}", digest.finish());
    }

    /// Whether this is a `core::panic::Location`: file, its length, line, column. What a function does
    /// before it panics does not depend on where in its file it stands.
    fn is_panic_location(&self, start: u32, end: u32) -> bool {
        let [relocation] = self.linking.relocations(&(start..end)) else { return false };
        let file = match self.linking.symbols.get(relocation.index as usize) {
            Some(Symbol::Data { range: Some((start, end)), .. }) => bytes(self.wasm, *start, *end),
            _ => return false,
        };
        // Newer compilers end the file name with a zero byte, which the length does not count.
        let name = file.strip_suffix(b"\0").unwrap_or(file);
        end - start == 16
            && relocation.offset == start
            && relocation.addend == 0
            && bytes(self.wasm, start + 4, end).starts_with(&(name.len() as u32).to_le_bytes())
            && name.ends_with(b".rs")
    }
}

/// Part of the module; nothing if there is no such part.
pub(super) fn bytes(wasm: &[u8], start: u32, end: u32) -> &[u8] {
    wasm.get(start as usize..end as usize).unwrap_or_default()
}

/// Adds what a relocated place stands for.
pub(super) fn add_symbol(digest: &mut Digest, relocation: &wasmparser::RelocationEntry, names: &[String]) {
    let name = names.get(relocation.index as usize).map(String::as_bytes).unwrap_or_default();
    use RelocationType::{TableIndexI32, TableIndexI64, TableIndexRelSleb, TableIndexRelSleb64};
    use RelocationType::{TableIndexSleb, TableIndexSleb64};
    match relocation.ty {
        TableIndexI32 | TableIndexI64 | TableIndexRelSleb | TableIndexRelSleb64 | TableIndexSleb
        | TableIndexSleb64 => digest.add(Part::Pointer, name),
        _ => {
            digest.add(Part::Address, name);
            digest.add(Part::Bytes, &relocation.addend.to_le_bytes());
        }
    }
}
