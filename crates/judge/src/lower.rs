//! Lowers SSA back to wasm, so that wasmtime can say whether the SSA is right.
//!
//! The module stays as it was; only its code is replaced (`coax_execute::lower`). Every operator is executed by wasmtime itself. So what is
//! judged is our SSA construction and nothing else.

mod record;

pub use record::Layout;

use coax_execute::lower::{self, BlockTypes, Error, Notes};
use coax_program::Program;
use record::Recorder;
use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder};
use wasm_encoder::{CodeSection, ExportSection, MemorySection, Module, SectionId, TypeSection};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, ExportSectionReader, MemorySectionReader, Parser,
    TypeSectionReader,
};

/// A lowered program may need this many times more steps for the same; one that needs more differs.
pub const STEPS_FACTOR: u64 = 50;

/// The module with its code lowered from SSA.
pub fn lower(program: &Program) -> Result<Vec<u8>, Error> {
    replace_code(program, None)
}

/// The same, with a memory more, exported as [`Layout::MEMORY`], in which the code notes the directions
/// that it takes.
pub fn lower_recording(program: &Program, layout: &Layout) -> Result<Vec<u8>, Error> {
    replace_code(program, Some(Recorder { program, layout }))
}

fn replace_code(program: &Program, recorder: Option<Recorder<'_>>) -> Result<Vec<u8>, Error> {
    let mut types = BlockTypes::new(program.types.len());
    let mut code = CodeSection::new();
    for (func, function) in program.functions.iter() {
        if let Some(defined) = function.defined() {
            let notes = recorder.as_ref().map(|recorder| recorder as &dyn Notes);
            code.function(&lower::function(program, func, &defined.body, &mut types, notes)?);
        }
    }
    let mut module = Module::new();
    let mut replacement = ReplaceCode { code, types, recorder, memory: false, export: false };
    replacement.parse_core_module(&mut module, Parser::new(0), &program.wasm)?;
    Ok(module.finish())
}

/// Copies a module, but with other code.
struct ReplaceCode<'a> {
    code: CodeSection,
    types: BlockTypes,
    recorder: Option<Recorder<'a>>,
    /// Whether the recorder's memory is in the module by now, and its export.
    memory: bool,
    export: bool,
}

impl Reencode for ReplaceCode<'_> {
    type Error = std::convert::Infallible;

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        RoundtripReencoder.parse_type_section(types, section)?;
        for results in &self.types.added {
            types.ty().function([], results.iter().copied());
        }
        Ok(())
    }

    fn parse_memory_section(
        &mut self,
        memories: &mut MemorySection,
        section: MemorySectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        RoundtripReencoder.parse_memory_section(memories, section)?;
        self.add_memory(memories);
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        RoundtripReencoder.parse_export_section(exports, section)?;
        self.add_export(exports);
        Ok(())
    }

    /// Adds the recorder's sections if the module has none of their kind.
    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Result<(), reencode::Error> {
        use SectionId::{Custom, Export, Function, Global, Import, Memory, Table, Tag, Type};
        if !self.memory && !matches!(before, Some(Custom | Type | Import | Function | Table | Memory)) {
            let mut memories = MemorySection::new();
            self.add_memory(&mut memories);
            module.section(&memories);
        }
        if !self.export
            && !matches!(
                before,
                Some(Custom | Type | Import | Function | Table | Memory | Tag | Global | Export)
            )
        {
            let mut exports = ExportSection::new();
            self.add_export(&mut exports);
            module.section(&exports);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        _section: CodeSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        *code = std::mem::take(&mut self.code);
        Ok(())
    }

    /// Names of locals and offsets into the code mean nothing any more.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: CustomSectionReader<'_>,
    ) -> Result<(), reencode::Error> {
        Ok(())
    }
}

impl ReplaceCode<'_> {
    fn add_memory(&mut self, memories: &mut MemorySection) {
        if let Some(recorder) = self.recorder {
            memories.memory(recorder.memory_type());
        }
        self.memory = true;
    }

    fn add_export(&mut self, exports: &mut ExportSection) {
        if let Some(recorder) = self.recorder {
            exports.export(Layout::MEMORY, wasm_encoder::ExportKind::Memory, recorder.memory_index());
        }
        self.export = true;
    }
}
