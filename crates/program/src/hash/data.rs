//! Constant data is known by its contents. If it has no name of its own (string literals, tables of a
//! `switch`, Rust's constants) by them alone, since the number in its symbol changes whenever another one
//! is added before it.

use super::digest::{Digest, Part};
use super::linking::{Linking, Symbol};
use crate::program::Program;
use wasmparser::{Parser, Payload, RelocationType};

/// Which data is known by its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Contents {
    OfConstants,
    /// That of variables, too: by what they begin with.
    OfAll,
}

/// Completes the names of data by its contents.
pub(super) fn with_contents(
    program: &Program,
    linking: &Linking<'_>,
    names: Vec<String>,
    contents: Contents,
) -> Vec<String> {
    let mut naming = Naming { wasm: &program.wasm, linking, contents, done: vec![false; names.len()], names };
    for symbol in 0..naming.names.len() {
        naming.visit(symbol, 0);
    }
    naming.names
}

/// A hash of all data, and of all that globals begin with.
pub(super) fn all(program: &Program) -> u128 {
    let mut digest = Digest::new("all data");
    for payload in Parser::new(0).parse_all(&program.wasm).flatten() {
        let range = match payload {
            Payload::DataSection(section) => section.range(),
            Payload::GlobalSection(section) => section.range(),
            _ => continue,
        };
        digest.add(Part::Bytes, bytes(&program.wasm, range.start as u32, range.end as u32));
    }
    digest.finish()
}

/// Deeper chains of constants are known by the symbol's name from there on.
const MAX_DEPTH: usize = 100;

struct Naming<'a> {
    wasm: &'a [u8],
    linking: &'a Linking<'a>,
    contents: Contents,
    names: Vec<String>,
    /// Whether the name is final or, where constants point to each other in a circle, about to be.
    done: Vec<bool>,
}

impl Naming<'_> {
    fn visit(&mut self, symbol: usize, depth: usize) {
        let Some(done) = self.done.get_mut(symbol).filter(|done| depth <= MAX_DEPTH && !**done) else {
            return;
        };
        *done = true;
        let Symbol::Data { name, constant, range, .. } = self.linking.symbols[symbol] else { return };
        let Some((start, end)) = range.filter(|(start, end)| start < end) else { return };
        // `.L` is LLVM's prefix for symbols that nobody needs to know.
        let nameless = name.starts_with(".L");
        if !nameless && !constant && self.contents == Contents::OfConstants {
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
