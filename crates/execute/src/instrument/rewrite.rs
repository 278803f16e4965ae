//! Rewrites the module around the instrumented functions: types, imports, memories, the global, exports.

use super::layout::{
    FLAGS, HOST, HostFunction, Layout, MEMORY, PLACE, TAINT, flags_name, function_name, global_name, own_name,
};
use super::write::Written;
use coax_program::{Extern, Program};
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    BranchHints, CodeSection, ConstExpr, EntityType, ExportKind, ExportSection, GlobalSection, GlobalType,
    ImportSection, MemorySection, Module, SectionId, TypeSection, ValType,
};

pub(super) type Reencoded<T> = Result<T, reencode::Error>;

/// Rewrites indices, and adds what the instrumented module has more.
pub(super) struct Rewriter<'p> {
    pub(super) program: &'p Program,
    pub(super) layout: &'p Layout,
    /// The instrumented functions, in order, once they are written.
    pub(super) functions: Vec<Written>,
    /// Sections that we add to and that are written already.
    done: [bool; ADDED.len()],
}

/// The sections that we add something to, in the order of a module.
const ADDED: [SectionId; 5] =
    [SectionId::Type, SectionId::Import, SectionId::Memory, SectionId::Global, SectionId::Export];

/// The order of sections in a module.
const ORDER: [SectionId; 13] = [
    SectionId::Type,
    SectionId::Import,
    SectionId::Function,
    SectionId::Table,
    SectionId::Memory,
    SectionId::Tag,
    SectionId::Global,
    SectionId::Export,
    SectionId::Start,
    SectionId::Element,
    SectionId::DataCount,
    SectionId::Code,
    SectionId::Data,
];

/// The globals that can change and are numbers.
pub(crate) fn mutable_numbers(program: &Program) -> impl Iterator<Item = u32> {
    let is_number = |global: &coax_program::Global| {
        let ty = global.ty.content_type;
        global.ty.mutable
            && matches!(
                ty,
                wasmparser::ValType::I32
                    | wasmparser::ValType::I64
                    | wasmparser::ValType::F32
                    | wasmparser::ValType::F64
            )
    };
    (0..).zip(&program.globals).filter(move |(_, global)| is_number(global)).map(|(index, _)| index)
}

fn rank(section: SectionId) -> Option<usize> {
    ORDER.iter().position(|&other| other == section)
}

impl<'p> Rewriter<'p> {
    pub(super) fn new(program: &'p Program, layout: &'p Layout) -> Self {
        Rewriter { program, layout, functions: Vec::new(), done: [false; ADDED.len()] }
    }

    /// The instrumented module.
    pub(super) fn module(mut self, functions: Vec<Written>) -> Reencoded<Vec<u8>> {
        self.functions = functions;
        let mut module = Module::new();
        let program = self.program;
        self.parse_core_module(&mut module, wasmparser::Parser::new(0), &program.wasm)?;
        Ok(module.finish())
    }

    fn mark(&mut self, section: SectionId) {
        if let Some(index) = ADDED.iter().position(|&added| added == section) {
            self.done[index] = true;
        }
    }

    fn add_types(&mut self, types: &mut TypeSection) -> Reencoded<()> {
        for function in HostFunction::all() {
            let (params, results) = function.arity();
            types.ty().function(vec![ValType::I64; params], vec![ValType::I64; results]);
        }
        for results in &self.layout.block_types {
            let results: Vec<ValType> =
                results.iter().map(|&ty| self.val_type(ty)).collect::<Result<_, _>>()?;
            types.ty().function([], results);
        }
        self.mark(SectionId::Type);
        Ok(())
    }

    fn add_imports(&mut self, imports: &mut ImportSection) -> Reencoded<()> {
        for (index, function) in HostFunction::all().enumerate() {
            imports.import(HOST, &function.name(), EntityType::Function(self.layout.types + index as u32));
        }
        if self.layout.imported_memories > 0 {
            let program = self.program;
            let first = program.imports.iter().find(|import| matches!(import.kind, Extern::Memory(0)));
            let first = first.expect("imported memories come first");
            let ty = self.memory_type(program.memories[0].ty)?;
            imports.import(&first.module, &flags_name(&first.name), EntityType::Memory(ty));
        }
        self.mark(SectionId::Import);
        Ok(())
    }

    fn add_memories(&mut self, memories: &mut MemorySection) -> Reencoded<()> {
        if self.layout.has_memory && self.layout.imported_memories == 0 {
            let ty = self.memory_type(self.program.memories[0].ty)?;
            memories.memory(ty);
        }
        self.mark(SectionId::Memory);
        Ok(())
    }

    fn add_globals(&mut self, globals: &mut GlobalSection) {
        let ty = GlobalType { val_type: ValType::I64, mutable: true, shared: false };
        for _ in [self.layout.taint_global, self.layout.place_global] {
            globals.global(ty, &ConstExpr::i64_const(0));
        }
        for size in self.layout.passive_sizes() {
            globals.global(ty, &ConstExpr::i64_const(size as i64));
        }
        self.mark(SectionId::Global);
    }

    fn add_exports(&mut self, exports: &mut ExportSection) {
        exports.export(TAINT, ExportKind::Global, self.layout.taint_global);
        exports.export(PLACE, ExportKind::Global, self.layout.place_global);
        if self.layout.has_memory {
            exports.export(MEMORY, ExportKind::Memory, 0);
            exports.export(FLAGS, ExportKind::Memory, self.layout.flags_memory);
            for export in &self.program.exports {
                if matches!(export.kind, Extern::Memory(0)) {
                    exports.export(&flags_name(&export.name), ExportKind::Memory, self.layout.flags_memory);
                }
            }
        }
        // Any function can be the entry.
        for func in self.layout.imported_functions..self.program.functions.len() as u32 {
            exports.export(&function_name(func), ExportKind::Func, self.layout.function(func));
        }
        if self.layout.variant.sees_calls() {
            for global in mutable_numbers(self.program) {
                exports.export(&global_name(global), ExportKind::Global, global);
            }
        }
        self.mark(SectionId::Export);
    }

    /// Writes a section that the plain module does not have.
    fn add_section(&mut self, section: SectionId, module: &mut Module) -> Reencoded<()> {
        match section {
            SectionId::Type => {
                let mut types = TypeSection::new();
                self.add_types(&mut types)?;
                module.section(&types);
            }
            SectionId::Import => {
                let mut imports = ImportSection::new();
                self.add_imports(&mut imports)?;
                module.section(&imports);
            }
            SectionId::Memory => {
                let mut memories = MemorySection::new();
                self.add_memories(&mut memories)?;
                module.section(&memories);
            }
            SectionId::Global => {
                let mut globals = GlobalSection::new();
                self.add_globals(&mut globals);
                module.section(&globals);
            }
            _ => {
                let mut exports = ExportSection::new();
                self.add_exports(&mut exports);
                module.section(&exports);
            }
        }
        Ok(())
    }

    /// All checks are unlikely to succeed.
    fn add_hints(&self, module: &mut Module) {
        let mut hints = BranchHints::new();
        let first = self.layout.function(self.layout.imported_functions);
        for (index, function) in self.functions.iter().enumerate() {
            if !function.hints.is_empty() {
                hints.function_hints(first + index as u32, function.hints.iter().copied());
            }
        }
        module.section(&hints);
    }
}

impl Reencode for Rewriter<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Reencoded<u32> {
        Ok(self.layout.function(function))
    }

    fn memory_index(&mut self, memory: u32) -> Reencoded<u32> {
        Ok(self.layout.memory(memory))
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_type_section(self, types, section)?;
        self.add_types(types)
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_import_section(self, imports, section)?;
        self.add_imports(imports)
    }

    fn parse_memory_section(
        &mut self,
        memories: &mut MemorySection,
        section: wasmparser::MemorySectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_memory_section(self, memories, section)?;
        self.add_memories(memories)
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: wasmparser::GlobalSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_global_section(self, globals, section)?;
        self.add_globals(globals);
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_export_section(self, exports, section)?;
        self.add_exports(exports);
        Ok(())
    }

    fn parse_export(&mut self, exports: &mut ExportSection, export: wasmparser::Export<'_>) -> Reencoded<()> {
        let name = own_name(export.name);
        utils::parse_export(self, exports, wasmparser::Export { name: &name, ..export })
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Reencoded<()> {
        let next = match before {
            Some(section) => match rank(section) {
                Some(rank) => rank,
                None => return Ok(()),
            },
            None => ORDER.len(),
        };
        for (index, &section) in ADDED.iter().enumerate() {
            if !self.done[index] && rank(section) < Some(next) {
                self.add_section(section, module)?;
            }
        }
        if before == Some(SectionId::Code) {
            self.add_hints(module);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        _section: wasmparser::CodeSectionReader<'_>,
    ) -> Reencoded<()> {
        for function in &self.functions {
            code.function(&function.code);
        }
        Ok(())
    }

    /// Names and debug information are those of the plain module, and stay there.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: wasmparser::CustomSectionReader<'_>,
    ) -> Reencoded<()> {
        Ok(())
    }
}
