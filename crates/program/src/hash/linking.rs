//! What the linker leaves behind with `--emit-relocs`: the symbols, and which bytes of code and data
//! stand for them.

use crate::program::{Func, Program};
use std::ops::Range;
use wasmparser::{
    BinaryReader, DefinedDataSymbol, KnownCustom, Linking as Subsection, Parser, Payload, RelocationEntry,
    RelocationType, SymbolFlags, SymbolInfo,
};

/// A symbol of the linker.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Symbol<'a> {
    Func(Func),
    Data {
        name: &'a str,
        /// Whether other files cannot see it, so that they may use the name as well.
        local: bool,
        /// Whether no code may write there.
        constant: bool,
        /// Where its bytes are in the module; `None` if they are not there: zero, or made by the linker.
        range: Option<(u32, u32)>,
        /// How many bytes it has; `None` if the linker made it.
        size: Option<u32>,
    },
    /// A global, table, tag or section: by name, else by number.
    Other {
        kind: &'static str,
        name: Option<&'a str>,
        index: u32,
    },
}

/// The symbols of a module and the bytes that stand for them.
#[derive(Debug, Default)]
pub(crate) struct Linking<'a> {
    pub symbols: Vec<Symbol<'a>>,
    /// Functions that only their own file can see.
    pub local_functions: Vec<Func>,
    /// Bytes that stand for symbols, by their offset in the module.
    relocations: Vec<RelocationEntry>,
}

impl<'a> Linking<'a> {
    /// Reads the linker's sections. `None` if they are missing, damaged or, because another tool rewrote
    /// the module after the linker, speak of other bytes than those that are there.
    pub fn read(program: &'a Program) -> Option<Linking<'a>> {
        let mut sections = Sections::default();
        for payload in Parser::new(0).parse_all(&program.wasm) {
            sections.take(payload.ok()?)?;
        }
        let relocations = sections.relocations.take()?;
        let mut linking = Linking { relocations, ..Linking::default() };
        for symbol in sections.symbols.take()? {
            if let SymbolInfo::Func { flags, index, .. } = symbol
                && flags.contains(SymbolFlags::BINDING_LOCAL)
            {
                linking.local_functions.push(Func(index));
            }
            linking.symbols.push(live_symbol(symbol, &sections));
        }
        linking.relocations.sort_by_key(|relocation| relocation.offset);
        linking.agrees_with(&program.wasm).then_some(linking)
    }

    /// All relocations, by their offset in the module.
    pub fn all(&self) -> &[RelocationEntry] {
        &self.relocations
    }

    /// The relocations within a range of the module.
    pub fn relocations(&self, range: &Range<u32>) -> &[RelocationEntry] {
        let start = self.relocations.partition_point(|relocation| relocation.offset < range.start);
        let end = self.relocations.partition_point(|relocation| relocation.offset < range.end);
        &self.relocations[start..end]
    }

    /// Whether every call that has a relocation calls the function that the relocation names.
    fn agrees_with(&self, wasm: &[u8]) -> bool {
        self.relocations.iter().all(|relocation| {
            let Some(bytes) = wasm.get(relocation.offset as usize..) else { return false };
            let symbol = self.symbols.get(relocation.index as usize);
            match (relocation.ty, symbol) {
                (RelocationType::FunctionIndexLeb, Some(Symbol::Func(func))) => {
                    BinaryReader::new(bytes, 0).read_var_u32().is_ok_and(|index| index == func.0)
                }
                (RelocationType::TypeIndexLeb, _) => true,
                (_, symbol) => symbol.is_some() && relocation.ty.extent() <= bytes.len(),
            }
        })
    }
}

fn live_symbol<'a>(symbol: SymbolInfo<'a>, sections: &Sections<'_>) -> Symbol<'a> {
    match symbol {
        SymbolInfo::Func { index, .. } => Symbol::Func(Func(index)),
        SymbolInfo::Data { flags, name, symbol } => Symbol::Data {
            name,
            local: flags.contains(SymbolFlags::BINDING_LOCAL),
            constant: symbol.is_some_and(|symbol| sections.is_constant(symbol.index)),
            range: symbol.and_then(|symbol| data_range(symbol, &sections.segments)),
            size: symbol.map(|symbol| symbol.size),
        },
        SymbolInfo::Global { name, index, .. } => Symbol::Other { kind: "global", name, index },
        SymbolInfo::Table { name, index, .. } => Symbol::Other { kind: "table", name, index },
        SymbolInfo::Event { name, index, .. } => Symbol::Other { kind: "tag", name, index },
        SymbolInfo::Section { section, .. } => Symbol::Other { kind: "section", name: None, index: section },
    }
}

fn data_range(symbol: DefinedDataSymbol, segments: &[Range<u32>]) -> Option<(u32, u32)> {
    let segment = segments.get(symbol.index as usize)?;
    let start = segment.start.checked_add(symbol.offset)?;
    let end = start.checked_add(symbol.size)?;
    (end <= segment.end).then_some((start, end))
}

/// The sections as they come.
#[derive(Default)]
struct Sections<'a> {
    code_start: u32,
    data_start: u32,
    /// Where the bytes of each data segment are in the module.
    segments: Vec<Range<u32>>,
    segment_names: Vec<&'a str>,
    symbols: Option<Vec<SymbolInfo<'a>>>,
    /// With offsets in the module. There are none without those of the code.
    relocations: Option<Vec<RelocationEntry>>,
}

impl<'a> Sections<'a> {
    fn take(&mut self, payload: Payload<'a>) -> Option<()> {
        match payload {
            Payload::CodeSectionStart { range, .. } => self.code_start = range.start as u32,
            Payload::DataSection(data) => {
                self.data_start = data.range().start as u32;
                for segment in data {
                    let segment = segment.ok()?;
                    let end = segment.range.end as u32;
                    self.segments.push(end - segment.data.len() as u32..end);
                }
            }
            Payload::CustomSection(section) => match (section.name(), section.as_known()) {
                (_, KnownCustom::Linking(linking)) => {
                    for subsection in linking.subsections() {
                        self.subsection(subsection.ok()?)?;
                    }
                }
                ("reloc.CODE", KnownCustom::Reloc(section)) => self.relocate(section, self.code_start)?,
                ("reloc.DATA", KnownCustom::Reloc(section)) => self.relocate(section, self.data_start)?,
                _ => {}
            },
            _ => {}
        }
        Some(())
    }

    fn subsection(&mut self, subsection: Subsection<'a>) -> Option<()> {
        match subsection {
            Subsection::SymbolTable(symbols) => {
                self.symbols = Some(symbols.into_iter().collect::<Result<_, _>>().ok()?);
            }
            Subsection::SegmentInfo(segments) => {
                let names = segments.into_iter().map(|segment| segment.map(|segment| segment.name));
                self.segment_names = names.collect::<Result<_, _>>().ok()?;
            }
            _ => {}
        }
        Some(())
    }

    fn is_constant(&self, segment: u32) -> bool {
        let name = self.segment_names.get(segment as usize);
        name.is_some_and(|name| name.starts_with(".rodata") || name.starts_with(".data.rel.ro"))
    }

    fn relocate(&mut self, section: wasmparser::RelocSectionReader<'a>, start: u32) -> Option<()> {
        let all = self.relocations.get_or_insert_default();
        for relocation in section.entries() {
            let relocation = relocation.ok()?;
            all.push(RelocationEntry { offset: relocation.offset.checked_add(start)?, ..relocation });
        }
        Some(())
    }
}
