//! Where the instrumented module has what the instrumenter adds, and facts about the plain one.

use super::Variant;
use super::write::MOST_VALUES;
use crate::Error;
use coax_program::{Extern, Program, Signature};
use wasm_encoder::BlockType;
use wasmparser::{DataKind, ElementItems, ElementKind, Operator, Parser, Payload, TypeRef, ValType};

/// The name of the module that the host's functions are imported from.
pub(crate) const HOST: &str = "coax:host";
/// The export of the global that says what is on its way.
pub(crate) const TAINT: &str = "coax:taint";
/// The export of the global that says where the host was called.
pub(crate) const PLACE: &str = "coax:place";
/// The export of the first memory.
pub(crate) const MEMORY: &str = "coax:memory";
/// The export of its flags.
pub(crate) const FLAGS: &str = "coax:flags";

/// The name by which a memory's flags are imported and exported beside the memory.
pub(crate) fn flags_name(memory: &str) -> String {
    format!("{FLAGS}:{memory}")
}

/// The name by which any function is exported, if calls can start anywhere.
pub(crate) fn function_name(func: u32) -> String {
    format!("coax:function:{func}")
}

/// The name by which a global is exported, if calls can start anywhere.
pub(crate) fn global_name(global: u32) -> String {
    format!("coax:global:{global}")
}

/// The name that an export of the program has in the instrumented module: it must not be taken for one of ours.
pub(crate) fn own_name(export: &str) -> String {
    let prefix = if export.starts_with("coax:") { "coax:own:" } else { "" };
    format!("{prefix}{export}")
}

/// A function of the host's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum HostFunction {
    /// A boundary with so many values: `(sym, function and boundary, values…) -> sym`.
    Boundary(usize),
    /// One more value for the next boundary.
    Stash,
    /// `(kind and offset, destination, source or value, length)` of a bulk memory operator.
    Bulk,
    /// A result of a call that is skipped.
    Supplied,
}

impl HostFunction {
    /// All, in the order of their imports.
    pub(crate) fn all() -> impl Iterator<Item = HostFunction> {
        (0..=MOST_VALUES).map(HostFunction::Boundary).chain([
            HostFunction::Stash,
            HostFunction::Bulk,
            HostFunction::Supplied,
        ])
    }

    fn number(self) -> u32 {
        match self {
            HostFunction::Boundary(values) => values as u32,
            HostFunction::Stash => MOST_VALUES as u32 + 1,
            HostFunction::Bulk => MOST_VALUES as u32 + 2,
            HostFunction::Supplied => MOST_VALUES as u32 + 3,
        }
    }

    pub(crate) fn name(self) -> String {
        match self {
            HostFunction::Boundary(values) => format!("boundary{values}"),
            HostFunction::Stash => "stash".into(),
            HostFunction::Bulk => "bulk".into(),
            HostFunction::Supplied => "supplied".into(),
        }
    }

    /// How many i64 it takes, and returns.
    pub(crate) fn arity(self) -> (usize, usize) {
        match self {
            HostFunction::Boundary(values) => (values + 2, 1),
            HostFunction::Stash => (1, 0),
            HostFunction::Bulk => (4, 0),
            HostFunction::Supplied => (1, 1),
        }
    }
}

/// Where things are.
pub(crate) struct Layout {
    /// How many functions the plain module imports.
    pub(crate) imported_functions: u32,
    /// How many types it has.
    pub(crate) types: u32,
    /// The types of function results, several values at a time, that blocks need.
    pub(crate) block_types: Vec<Vec<ValType>>,
    /// For each function type, the type of a block with its results.
    results_blocks: Vec<BlockType>,
    /// How many memories it imports.
    pub(crate) imported_memories: u32,
    /// Whether it has a memory.
    pub(crate) has_memory: bool,
    /// Index of the flags.
    pub(crate) flags_memory: u32,
    /// Type of an address in each memory.
    pub(crate) address_types: Vec<ValType>,
    /// Index of the global that says what is on its way.
    pub(crate) taint_global: u32,
    /// Index of the global with the offset of the last call that may have been one of the host.
    pub(crate) place_global: u32,
    /// How much the host is told.
    pub(crate) variant: Variant,
    /// Facts about the module that are not in the program.
    facts: Facts,
}

/// A data or element segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SegmentIndex {
    Data(u32),
    Element(u32),
}

/// Facts about a module that are not in the program.
#[derive(Default)]
struct Facts {
    /// For each table, whether its indices are 64 bits wide.
    tables64: Vec<bool>,
    /// The passive segments, in order, and their sizes. All others are as if dropped.
    passive: Vec<(SegmentIndex, u64)>,
}

impl Layout {
    pub(crate) fn new(program: &Program, variant: Variant) -> Result<Self, Error> {
        // What the instrumented module may call, the program may not.
        let reserved = program.imports.iter().filter(|import| import.module == HOST);
        let reserved: Vec<String> =
            reserved.map(|import| format!("`{}.{}`", import.module, import.name)).collect();
        if !reserved.is_empty() {
            return Err(Error::UnknownImports(reserved));
        }
        let imported = |kind: fn(&Extern) -> bool| {
            program.imports.iter().filter(|import| kind(&import.kind)).count() as u32
        };
        let types = program.types.len() as u32;
        let mut block_types: Vec<Vec<ValType>> = Vec::new();
        let results_blocks =
            program.types.iter().map(|ty| results_block(ty, types, &mut block_types)).collect();
        let imported_memories = imported(|kind| matches!(kind, Extern::Memory(_)));
        let memories = program.memories.len() as u32;
        let address_type = |memory: &coax_program::Memory| match memory.ty.memory64 {
            true => ValType::I64,
            false => ValType::I32,
        };
        let address_types = program.memories.iter().map(address_type).collect();
        Ok(Layout {
            imported_functions: imported(|kind| matches!(kind, Extern::Func(_))),
            types,
            block_types,
            results_blocks,
            imported_memories,
            has_memory: memories > 0,
            // Imported beside an imported memory, otherwise defined after all others.
            flags_memory: if imported_memories > 0 { imported_memories } else { memories },
            address_types,
            taint_global: program.globals.len() as u32,
            place_global: program.globals.len() as u32 + 1,
            variant,
            facts: Facts::new(&program.wasm).map_err(|error| Error::Instrument(error.to_string()))?,
        })
    }

    /// Index of a function of the host's.
    pub(crate) fn host(&self, function: HostFunction) -> u32 {
        self.imported_functions + function.number()
    }

    /// Index of a function of the plain module in the instrumented one.
    pub(crate) fn function(&self, plain: u32) -> u32 {
        if plain < self.imported_functions { plain } else { plain + HostFunction::all().count() as u32 }
    }

    /// Index of a function of the instrumented module in the plain one.
    pub(crate) fn plain_function(&self, instrumented: u32) -> u32 {
        match instrumented < self.imported_functions {
            true => instrumented,
            false => instrumented - HostFunction::all().count() as u32,
        }
    }

    /// Index of a memory of the plain module in the instrumented one.
    pub(crate) fn memory(&self, plain: u32) -> u32 {
        if self.imported_memories > 0 && plain >= self.imported_memories { plain + 1 } else { plain }
    }

    /// Whether an operator of the plain module may call a function of the host's.
    pub(crate) fn may_call_host(&self, operator: &Operator<'_>) -> bool {
        match *operator {
            Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
                function_index < self.imported_functions
            }
            Operator::CallIndirect { .. } | Operator::ReturnCallIndirect { .. } => {
                self.imported_functions > 0
            }
            _ => false,
        }
    }

    pub(crate) fn table_index_type(&self, table: u32) -> ValType {
        if self.facts.tables64[table as usize] { ValType::I64 } else { ValType::I32 }
    }

    /// The initial sizes of the passive segments: each has a global, after the other two, with what is left of it.
    pub(crate) fn passive_sizes(&self) -> impl Iterator<Item = u64> {
        self.facts.passive.iter().map(|&(_, size)| size)
    }

    /// The global with what is left of a segment; none if there never was anything.
    pub(crate) fn segment_global(&self, segment: SegmentIndex) -> Option<u32> {
        let index = self.facts.passive.iter().position(|&(other, _)| other == segment)?;
        Some(self.place_global + 1 + index as u32)
    }

    /// The type of a block that leaves a function's results.
    pub(crate) fn results_block(&self, type_index: u32) -> BlockType {
        self.results_blocks[type_index as usize]
    }
}

fn results_block(ty: &Signature, types: u32, block_types: &mut Vec<Vec<ValType>>) -> BlockType {
    match ty.results[..] {
        [] => BlockType::Empty,
        [ValType::I32] => BlockType::Result(wasm_encoder::ValType::I32),
        [ValType::I64] => BlockType::Result(wasm_encoder::ValType::I64),
        _ => {
            let known = block_types.iter().position(|results| *results == ty.results);
            let index = known.unwrap_or_else(|| {
                block_types.push(ty.results.clone());
                block_types.len() - 1
            });
            BlockType::FunctionType(types + HostFunction::all().count() as u32 + index as u32)
        }
    }
}

impl Facts {
    fn new(wasm: &[u8]) -> Result<Self, wasmparser::BinaryReaderError> {
        let mut facts = Facts::default();
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        if let TypeRef::Table(ty) = import?.ty {
                            facts.tables64.push(ty.table64);
                        }
                    }
                }
                Payload::TableSection(section) => {
                    for table in section {
                        facts.tables64.push(table?.ty.table64);
                    }
                }
                Payload::ElementSection(section) => {
                    for (index, element) in (0..).zip(section) {
                        let element = element?;
                        let count = match element.items {
                            ElementItems::Functions(items) => items.count(),
                            ElementItems::Expressions(_, items) => items.count(),
                        };
                        if let ElementKind::Passive = element.kind {
                            facts.passive.push((SegmentIndex::Element(index), count.into()));
                        }
                    }
                }
                Payload::DataSection(section) => {
                    for (index, data) in (0..).zip(section) {
                        let data = data?;
                        if let DataKind::Passive = data.kind {
                            facts.passive.push((SegmentIndex::Data(index), data.data.len() as u64));
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(facts)
    }
}
