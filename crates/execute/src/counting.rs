//! The counting module: the program's module, with a note made of each direction that is taken.
//!
//! One more memory has a byte for each function, each direction of a branch or select and each case of a `br_table`. Before an
//! operator with a choice is executed, its condition is copied into a local of ours and the byte that the condition selects is
//! counted up; from 128 on a count is only roughly right, but never 0 again. Behind these are bytes for the calls that may end a run without a
//! trace ([`coax_program::Ends`]): one that returned has its own set. The start function is exported and called by the host, so
//! that the counts outlive its traps. Where an instance can be made new again, the parts of memory that are written are marked, pages can
//! be hidden ([`marks`]), and the globals that change are exported. Nothing else changes: the same values, memory and traps. (Fuel and frames grow; `plain.rs` deals
//! with that.)

pub(crate) mod marks;
pub(crate) mod notes;

use crate::exports::{self, Missing, Start};
use crate::{Coverage, Error, bulk};
use coax_program::{Extern, Func, Program, Site};
use marks::Marks;
use notes::{Notes, Place, Slot};
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ExportKind, Function, GlobalSection, GlobalType, Instruction, MemorySection,
    MemoryType, Module, SectionId, ValType,
};
use wasmparser::BinaryReaderError;

/// The names by which the counting module exports its memory, and the program's start function.
pub(crate) const COUNTS: &str = "coax:counts";
pub(crate) const START: &str = "coax:start";
/// What stands before the number of a global that it exports, and the one that says how many pages are hidden.
const GLOBAL: &str = "coax:global";
pub(crate) const HIDDEN: &str = "coax:hidden";
/// What the program's memory is exported as where an instance can be made new again.
pub(crate) const RENEWED: &str = "coax:renewed";

/// The most that engines accept, as the JavaScript interface of wasm has it.
pub(crate) mod most {
    pub(crate) const MEMORIES: usize = 100;
    /// Parameters included.
    pub(crate) const LOCALS: u32 = 50_000;
    pub(crate) const BODY_BYTES: usize = 7_654_321;
}

/// A counting module.
pub(crate) struct Counting {
    /// The module.
    pub(crate) wasm: Vec<u8>,
    /// The size of its memory.
    pub(crate) memory_pages: u64,
    /// What is exported beside what the program exports.
    exports: Vec<(String, ExportKind, u32)>,
    /// The index of the program's first memory.
    pub(crate) first_memory: u32,
    /// How its instances are made new again, if they can be.
    pub(crate) renewal: Option<Renewal>,
    /// What the bytes of its memory mean.
    slots: Vec<Slot>,
    returns: Vec<Site>,
    /// A coverage of this program with nothing covered.
    nothing: Coverage,
}

/// What must be known to make an instance new again.
pub(crate) struct Renewal {
    /// Where in the counting memory the marks of written parts begin.
    pub(crate) marks: usize,
    /// What the globals are exported as that change.
    pub(crate) globals: Vec<String>,
}

impl Counting {
    /// Makes the counting module of a program.
    pub(crate) fn new(program: &Program) -> Result<Self, Error> {
        let imported = |kind: fn(&Extern) -> bool| {
            program.imports.iter().filter(|import| kind(&import.kind)).count() as u32
        };
        if program.memories.len() >= most::MEMORIES {
            let reason = format!("the module has {} memories and counting needs one more", most::MEMORIES);
            return Err(Error::NoCoverage(reason));
        }
        let notes = Notes::new(program);
        let (slots, bytes) = (notes::count(program), notes.len());
        let can_be_renewed = marks::can_be_renewed(program);
        let memory_pages = pages(bytes + if can_be_renewed { marks::PARTS } else { 0 });
        let mut rewriter = Rewriter {
            program,
            notes,
            marks: can_be_renewed.then_some(bytes),
            memory: imported(|kind| matches!(kind, Extern::Memory(_))),
            memory_type: MemoryType {
                minimum: memory_pages,
                maximum: Some(memory_pages),
                memory64: false,
                shared: false,
                page_size_log2: None,
            },
            has_memory: false,
            has_global: !can_be_renewed,
            next_func: Func(imported(|kind| matches!(kind, Extern::Func(_)))),
        };
        let mut module = Module::new();
        rewriter.parse_core_module(&mut module, wasmparser::Parser::new(0), &program.wasm).map_err(
            |error| match error {
                reencode::Error::UserError(NoRoom(reason)) => Error::NoCoverage(reason),
                error => Error::Counting(error.to_string()),
            },
        )?;
        let Rewriter { notes, memory, .. } = rewriter;
        let (noted, returns) = notes.returns();
        assert_eq!(noted.len(), slots, "every slot that is noted was counted before");
        let mut exports = vec![(COUNTS.to_owned(), ExportKind::Memory, memory)];
        exports.extend(program.start.map(|start| (START.to_owned(), ExportKind::Func, start.0)));
        exports.extend(can_be_renewed.then(|| (RENEWED.to_owned(), ExportKind::Memory, memory + 1)));
        let mutable = program.globals.iter().zip(0..).filter(|(global, _)| global.ty.mutable);
        let mutable = mutable.map(|(_, index)| (format!("{GLOBAL}{index}"), index));
        let mut globals: Vec<_> = mutable.filter(|_| can_be_renewed).collect();
        globals.extend(can_be_renewed.then(|| (HIDDEN.to_owned(), program.globals.len() as u32)));
        exports.extend(globals.iter().map(|(name, index)| (name.clone(), ExportKind::Global, *index)));
        let globals = globals.into_iter().map(|(name, _)| name).collect();
        Ok(Counting {
            wasm: module.finish(),
            slots: noted,
            returns,
            renewal: can_be_renewed.then_some(Renewal { marks: bytes, globals }),
            memory_pages,
            exports,
            first_memory: u32::from(memory == 0),
            nothing: Coverage::new(program),
        })
    }

    /// The module without a start section and with what a run needs.
    pub(crate) fn with_exports(
        &self,
        program: &Program,
        missing: &Missing,
    ) -> Result<Vec<u8>, BinaryReaderError> {
        let mut more = missing.exports(program, self.first_memory, 0);
        more.extend_from_slice(&self.exports);
        exports::add(&self.wasm, &more, Start::Dropped)
    }

    /// How many bytes of its memory say something.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() + self.returns.len()
    }

    /// How many of them, the first ones, count something.
    pub(crate) fn counts(&self) -> usize {
        self.slots.len()
    }

    /// What the contents of its memory say.
    pub(crate) fn coverage(&self, memory: &[u8]) -> Coverage {
        let mut coverage = self.nothing.cleared();
        for (slot, _) in self.slots.iter().zip(memory).filter(|(_, byte)| **byte != 0) {
            match *slot {
                Slot::Entered(func) => coverage.enter(func),
                Slot::Taken(site, direction) => coverage.take(site, direction),
            }
        }
        let returned = memory.get(self.slots.len()..).unwrap_or_default();
        for (&site, _) in self.returns.iter().zip(returned).filter(|(_, byte)| **byte != 0) {
            coverage.note_return(site);
        }
        coverage
    }
}

fn pages(slots: usize) -> u64 {
    (slots as u64).div_ceil(1 << 16).max(1)
}

struct Rewriter<'p> {
    program: &'p Program,
    notes: Notes<'p>,
    /// Where in the counting memory written parts are marked, if they are.
    marks: Option<usize>,
    /// Index of the counting memory: the first that is not imported.
    memory: u32,
    memory_type: MemoryType,
    /// Whether it is written, and so is the global for hidden pages, if there is one.
    has_memory: bool,
    has_global: bool,
    /// The function whose body comes next.
    next_func: Func,
}

/// Why a function cannot be counted.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct NoRoom(String);

type Reencoded<T> = Result<T, reencode::Error<NoRoom>>;

impl Reencode for Rewriter<'_> {
    type Error = NoRoom;

    fn memory_index(&mut self, memory: u32) -> Reencoded<u32> {
        Ok(if memory < self.memory { memory } else { memory + 1 })
    }

    fn parse_memory_section(
        &mut self,
        memories: &mut MemorySection,
        section: wasmparser::MemorySectionReader<'_>,
    ) -> Reencoded<()> {
        self.define_memory(memories);
        utils::parse_memory_section(self, memories, section)
    }

    fn parse_global_section(
        &mut self,
        globals: &mut GlobalSection,
        section: wasmparser::GlobalSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_global_section(self, globals, section)?;
        if !self.has_global {
            self.define_global(globals);
        }
        Ok(())
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Reencoded<()> {
        let too_early =
            [SectionId::Custom, SectionId::Type, SectionId::Import, SectionId::Function, SectionId::Table];
        let is_behind = |section, earlier: &[SectionId]| {
            before.is_none_or(|before| {
                before != section && !too_early.contains(&before) && !earlier.contains(&before)
            })
        };
        if !self.has_memory && is_behind(SectionId::Memory, &[]) {
            let mut memories = MemorySection::new();
            self.define_memory(&mut memories);
            module.section(&memories);
        }
        if !self.has_global && is_behind(SectionId::Global, &[SectionId::Memory, SectionId::Tag]) {
            let mut globals = GlobalSection::new();
            self.define_global(&mut globals);
            module.section(&globals);
        }
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: wasmparser::FunctionBody<'_>,
    ) -> Reencoded<()> {
        let func = self.next_func;
        self.next_func = Func(func.0 + 1);
        code.function(&self.rewrite_body(func, &body)?);
        Ok(())
    }

    /// Names, debug information and branch hints are of no use here; some would be wrong.
    fn parse_custom_section(
        &mut self,
        _module: &mut Module,
        _section: wasmparser::CustomSectionReader<'_>,
    ) -> Reencoded<()> {
        Ok(())
    }
}

impl Rewriter<'_> {
    fn define_memory(&mut self, memories: &mut MemorySection) {
        memories.memory(self.memory_type);
        self.has_memory = true;
    }

    fn define_global(&mut self, globals: &mut GlobalSection) {
        let ty = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        globals.global(ty, &ConstExpr::i32_const(0));
        self.has_global = true;
    }

    fn rewrite_body(&mut self, func: Func, body: &wasmparser::FunctionBody<'_>) -> Reencoded<Function> {
        let program = self.program;
        let mut locals = Vec::new();
        let mut scratch = program.signature(func).params.len() as u32;
        for local in body.get_locals_reader()? {
            let (count, ty) = local?;
            scratch += count;
            locals.push((count, self.val_type(ty)?));
        }
        let more = Place::LOCALS + marks::LOCAL_COUNT;
        if scratch + more > most::LOCALS {
            return Err(
                self.no_room(func, format!("has {scratch} local variables and counting needs {more} more"))
            );
        }
        locals.push((Place::LOCALS, ValType::I32));
        locals.extend(marks::LOCALS);
        let marks = self.marks.map(|begin| Marks {
            memory: self.memory,
            begin: begin as u64,
            locals: scratch + Place::LOCALS,
            program_memory: self.memory + 1,
            hidden: program.globals.len() as u32,
        });
        let mut code = Function::new(locals);
        let place = Place { memory: self.memory, begin: 0, locals: scratch };
        self.notes.enter(func, place, &mut code);
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let (operator, offset) = operators.read_with_offset()?;
            self.notes.before(&operator, offset, place, &mut code);
            if let Some(written) = bulk::memory_written(&operator) {
                let length = scratch + Place::LOCALS + marks::COUNT;
                let memory = (written, self.memory_index(written)?);
                if let Some(check) = bulk::check_length(program, memory, length) {
                    code.instruction(&Instruction::LocalTee(length));
                    check.iter().for_each(|instruction| {
                        code.instruction(instruction);
                    });
                }
            }
            if let Some(marks) = &marks {
                if let Some(instead) = marks.replace(&operator) {
                    instead.iter().for_each(|instruction| {
                        code.instruction(instruction);
                    });
                    continue;
                }
                marks.mark(&operator, &mut code);
            }
            code.instruction(&self.instruction(operator)?);
            self.notes.after(place, &mut code);
        }
        if code.byte_len() > most::BODY_BYTES {
            return Err(self.no_room(func, "is too long to have the counting added to it".into()));
        }
        Ok(code)
    }

    fn no_room(&self, func: Func, what: String) -> reencode::Error<NoRoom> {
        let name = &self.program.functions[func].name;
        reencode::Error::UserError(NoRoom(format!("function `{name}` {what}")))
    }
}
