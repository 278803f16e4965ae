//! A module with more exports: any function can be the entry, and parameters that are pointers need the memory and the program's allocator.
//!
//! Nothing but the export section changes, and perhaps the start section goes. All that follows it moves by the same number of bytes.

use crate::entry::{Entry, Plans};
use crate::instrument::{MEMORY, function_name};
use coax_program::{Extern, Func, Program};
use std::borrow::Cow;
use wasm_encoder::{ExportKind, ExportSection, Module, RawSection, SectionId};
use wasmparser::{BinaryReaderError, ExternalKind, Parser, Payload};

/// What a run needs of a module beyond what it exports.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Missing {
    functions: Vec<Func>,
    /// Whether it needs the first memory.
    memory: bool,
}

impl Missing {
    /// What a run of this entry needs.
    pub(crate) fn new(program: &Program, entry: &Entry, plans: &Plans) -> Missing {
        let is_exported = |kind: Extern| program.exports.iter().any(|export| export.kind == kind);
        let mut functions = entry.called(plans);
        functions.retain(|&func| !is_exported(Extern::Func(func)));
        functions.sort();
        functions.dedup();
        let calls_host = program.imports.iter().any(|import| matches!(import.kind, Extern::Func(_)));
        let has_memory = !program.memories.is_empty();
        let memory = (plans.use_memory() || (calls_host && has_memory)) && !is_exported(Extern::Memory(0));
        Missing { functions, memory }
    }

    /// The same, with the first memory in any case.
    pub(crate) fn with_memory(mut self, program: &Program) -> Missing {
        self.memory |= !program.exports.iter().any(|export| export.kind == Extern::Memory(0));
        self
    }

    /// The same, with a function in any case.
    pub(crate) fn with_function(mut self, program: &Program, func: Func) -> Missing {
        if !program.exports.iter().any(|export| export.kind == Extern::Func(func)) {
            self.functions.push(func);
            self.functions.sort();
            self.functions.dedup();
        }
        self
    }

    /// The module with them, and by how many bytes its code has moved. `first_memory` is the index of the program's first memory in it, and
    /// functions with code have indices that are greater by `moved_functions`.
    pub(crate) fn add<'w>(
        &self,
        program: &Program,
        wasm: &'w [u8],
        first_memory: u32,
        moved_functions: u32,
    ) -> Result<(Cow<'w, [u8]>, u32), BinaryReaderError> {
        if *self == Missing::default() {
            return Ok((wasm.into(), 0));
        }
        let extended = add(wasm, &self.exports(program, first_memory, moved_functions), Start::Kept)?;
        let moved = code_start(&extended)? - code_start(wasm)?;
        Ok((extended.into(), moved))
    }

    /// The exports that it takes; see [`Missing::add`].
    pub(crate) fn exports(
        &self,
        program: &Program,
        first_memory: u32,
        moved_functions: u32,
    ) -> Vec<(String, ExportKind, u32)> {
        let index = |func: Func| match program.functions[func].defined() {
            Some(_) => func.0 + moved_functions,
            None => func.0,
        };
        let functions = self
            .functions
            .iter()
            .map(|&func| (function_export(program, func), ExportKind::Func, index(func)));
        let memory = self.memory.then(|| (memory_export(program), ExportKind::Memory, first_memory));
        functions.chain(memory).collect()
    }
}

/// Whether a module keeps its start section.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    Kept,
    Dropped,
}

/// The name by which a function is exported, perhaps only where that is [`Missing`].
pub(crate) fn function_export(program: &Program, func: Func) -> String {
    own_export(program, Extern::Func(func)).unwrap_or_else(|| free_name(program, function_name(func.0)))
}

/// The name by which the first memory is exported, perhaps only where that is [`Missing`].
pub(crate) fn memory_export(program: &Program) -> String {
    own_export(program, Extern::Memory(0)).unwrap_or_else(|| free_name(program, MEMORY.to_owned()))
}

fn own_export(program: &Program, kind: Extern) -> Option<String> {
    program.exports.iter().find(|export| export.kind == kind).map(|export| export.name.clone())
}

fn free_name(program: &Program, mut name: String) -> String {
    while program.exports.iter().any(|export| export.name == name) {
        name.push('\'');
    }
    name
}

/// A module with more exports.
pub(crate) fn add(
    wasm: &[u8],
    more: &[(String, ExportKind, u32)],
    start: Start,
) -> Result<Vec<u8>, BinaryReaderError> {
    let mut module = Module::new();
    let mut exports = Some(ExportSection::new());
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        if let Payload::ExportSection(section) = payload {
            let mut own = exports.take().unwrap_or_default();
            for export in section {
                let export = export?;
                own.export(export.name, kind(export.kind), export.index);
            }
            write(&mut module, own, more);
            continue;
        }
        let Some((id, range)) = payload.as_section() else { continue };
        // These sections come after exports, and all that come after those.
        let is_later =
            [SectionId::Start, SectionId::Element, SectionId::DataCount, SectionId::Code, SectionId::Data];
        if is_later.into_iter().any(|later| later as u8 == id)
            && let Some(own) = exports.take()
        {
            write(&mut module, own, more);
        }
        if id == SectionId::Start as u8 && start == Start::Dropped {
            continue;
        }
        module.section(&RawSection { id, data: &wasm[range] });
    }
    if let Some(own) = exports {
        write(&mut module, own, more);
    }
    Ok(module.finish())
}

fn write(module: &mut Module, mut exports: ExportSection, more: &[(String, ExportKind, u32)]) {
    for (name, kind, index) in more {
        exports.export(name, *kind, *index);
    }
    module.section(&exports);
}

fn kind(kind: ExternalKind) -> ExportKind {
    match kind {
        ExternalKind::Func | ExternalKind::FuncExact => ExportKind::Func,
        ExternalKind::Table => ExportKind::Table,
        ExternalKind::Memory => ExportKind::Memory,
        ExternalKind::Global => ExportKind::Global,
        ExternalKind::Tag => ExportKind::Tag,
    }
}

/// Where the code of a module begins.
fn code_start(wasm: &[u8]) -> Result<u32, BinaryReaderError> {
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::CodeSectionStart { range, .. } = payload? {
            return Ok(range.start as u32);
        }
    }
    Ok(0)
}
