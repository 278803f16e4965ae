//! Constant data is known by its contents. If it has no name of its own (string literals, tables of a
//! `switch`, Rust's constants) by them alone, since the number in its symbol changes whenever another one
//! is added before it.

use super::digest::{Digest, Part};
use super::linking::{Linking, Symbol};
use crate::program::Program;
use wasmparser::RelocationType;

/// Completes the names of constants by their contents.
pub(super) fn with_contents(program: &Program, linking: &Linking<'_>, names: Vec<String>) -> Vec<String> {
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
    /// Whether the name is final or, where constants point to each other in a circle, about to be.
    done: Vec<bool>,
}

impl Contents<'_> {
    fn visit(&mut self, symbol: usize, depth: usize) {
        let Some(done) = self.done.get_mut(symbol).filter(|done| depth <= MAX_DEPTH && !**done) else {
            return;
        };
        *done = true;
        let Symbol::Data { name, constant, range, .. } = self.linking.symbols[symbol] else { return };
        let Some((start, end)) = range.filter(|(start, end)| start < end) else { return };
        // `.L` is LLVM's prefix for symbols that nobody needs to know.
        let nameless = name.starts_with(".L");
        if !nameless && !constant {
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
        if !(nameless && self.is_panic_location(start, end)) {
            digest.add(Part::Bytes, bytes(self.wasm, at, end));
        }
        let name = if nameless { "" } else { &self.names[symbol] };
        self.names[symbol] = format!("{name} contents {:032x}", digest.finish());
    }

    /// Whether this looks like a `core::panic::Location`: file, its length, line, column. What a function
    /// does before it panics does not depend on where in its file it stands. (Only asked of nameless data:
    /// rustc makes locations so, while a constant of the user's that looks alike has a name.)
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
