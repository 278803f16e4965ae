//! The checking module: the program's module, which looks at the shadow before each access and tells the host of its blocks.
//!
//! Added are: host functions and the shadow, imported behind all else; behind the last function, the bodies of allocator functions (in their own
//! places are wrappers that tell the host) and two helpers. Functions with code move by the number of host functions. Everything else is as it was, and
//! in the same order; `places` knows where each operator came from. It counts what it does as the counting module does, so that what a run covered before
//! an error is known.

use super::body::{Body, Scratch};
use super::helpers::{self, Write};
use super::host::Import;
use super::roles::{self, AllocatorNames, Role};
use super::shadow;
use super::stack::Layout;
use crate::counting::most;
use crate::counting::notes::{self, Notes, Place};
use crate::ending::RawFrame;
use crate::{Error, Value};
use coax_program::{Extern, Func, Program};
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    CodeSection, EntityType, Function, FunctionSection, ImportSection, MemoryType, Module, SectionId,
    TypeSection, ValType,
};
use wasmparser::Operator;

/// So many bytes are much for a block of the heap.
const MUCH: i32 = 1 << 16;

/// A checking module.
pub(crate) struct Checking {
    /// The module.
    pub(crate) wasm: Vec<u8>,
    /// The index of the program's first memory.
    pub(crate) first_memory: u32,
    /// How many bytes of notes it has, as the counting module has them.
    pub(super) counts: usize,
    /// Where the shadow of address 0 is.
    pub(super) base: u64,
    pub(super) layout: Option<Layout>,
    /// The functions of the allocator, by the numbers that the module uses.
    pub(super) roles: Vec<(Func, Role)>,
    imported_functions: u32,
    functions: u32,
    /// For each function with code, where its operators are, and where they are in the plain module.
    places: Vec<Vec<(u32, u32)>>,
}

impl Checking {
    /// Makes the checking module of a program; none if there is nothing that could be checked.
    pub(crate) fn new(program: &Program, allocator: &AllocatorNames) -> Result<Option<Checking>, Error> {
        let roles = roles::find(program, allocator)?;
        let layout = Layout::of(program);
        let fits = program.memories.first().is_some_and(|memory| !memory.ty.memory64 && !memory.ty.shared)
            && program.memories.len() < most::MEMORIES;
        if !fits || (roles.is_empty() && layout.is_none()) {
            return Ok(None);
        }
        let imported = |kind: fn(&Extern) -> bool| {
            program.imports.iter().filter(|import| kind(&import.kind)).count() as u32
        };
        let imported_functions = imported(|kind| matches!(kind, Extern::Func(_)));
        let notes = Notes::new(program);
        let (choices, counts) = (notes::count(program), notes.len());
        let base = shadow::base(counts);
        let mut rewriter = Rewriter {
            program,
            notes,
            base,
            layout,
            roles: &roles,
            imported_functions,
            shadow: imported(|kind| matches!(kind, Extern::Memory(_))),
            has_imports: false,
            has_room: true,
            next_func: Func(imported_functions),
            set_aside: Vec::new(),
            places: Vec::new(),
        };
        let first_memory = u32::from(rewriter.shadow == 0);
        let mut module = Module::new();
        rewriter
            .parse_core_module(&mut module, wasmparser::Parser::new(0), &program.wasm)
            .map_err(|error| Error::Checking(error.to_string()))?;
        if !rewriter.has_room {
            return Ok(None);
        }
        assert_eq!(rewriter.notes.slots.len(), choices, "every count that is noted was counted before");
        let places = rewriter.places;
        Ok(Some(Checking {
            wasm: module.finish(),
            first_memory,
            counts,
            base,
            layout,
            roles,
            imported_functions,
            functions: program.functions.len() as u32,
            places,
        }))
    }

    /// The global that is the stack pointer, and the address below which the stack has overflowed.
    pub(crate) fn stack(&self) -> Option<(u32, u32)> {
        self.layout.map(|layout| (layout.stack_pointer, layout.lowest))
    }

    /// Whether an operator of the plain module is in a function of the allocator.
    pub(crate) fn is_allocators(&self, program: &Program, offset: u32) -> bool {
        let mut codes = self.roles.iter().filter_map(|(func, _)| program.functions[*func].defined());
        codes.any(|defined| defined.range.contains(&offset))
    }

    /// A call that takes much memory from the program's allocator, if it has one.
    pub(crate) fn allocation(&self, program: &Program) -> Option<(Func, Vec<Value>)> {
        self.roles.iter().find_map(|&(func, role)| {
            let Role::Allocate { size, count } = role else { return None };
            // What is neither is an alignment.
            let value = |place| match place {
                _ if place == size => MUCH,
                _ if Some(place) == count => 1,
                _ => 8,
            };
            let params = &program.signature(func).params;
            let are_numbers = params.iter().all(|ty| *ty == wasmparser::ValType::I32);
            are_numbers.then(|| (func, (0..params.len()).map(|place| Value::I32(value(place))).collect()))
        })
    }

    /// The calls of a backtrace of this module as those of the plain one.
    pub(crate) fn plain_frames(&self, frames: &mut Vec<RawFrame>) {
        let moved = Import::ALL.len() as u32;
        let mut is_body = false;
        frames.retain_mut(|frame| {
            let (func, wrapped) = match frame.func.checked_sub(moved) {
                Some(func) if func >= self.functions => {
                    let Some(&(func, _)) = self.roles.get((func - self.functions) as usize) else {
                        return false;
                    };
                    (func.0, true)
                }
                Some(func) if func >= self.imported_functions => (func, false),
                _ => return true,
            };
            // The body of an allocator function is called by its wrapper: one call of the program's.
            let is_wrapper = !wrapped && self.roles.iter().any(|(role, _)| role.0 == func);
            let is_superfluous = is_wrapper && is_body;
            is_body = wrapped;
            frame.func = func;
            frame.offset = match is_wrapper {
                true => None,
                false => frame.offset_in_function.and_then(|offset| self.plain_offset(func, offset)),
            };
            !is_superfluous
        });
    }

    fn plain_offset(&self, func: u32, offset: u32) -> Option<u32> {
        let places = self.places.get((func - self.imported_functions) as usize)?;
        let after = places.partition_point(|&(start, _)| start <= offset);
        places.get(after.checked_sub(1)?).map(|&(_, plain)| plain)
    }
}

struct Rewriter<'p> {
    program: &'p Program,
    notes: Notes<'p>,
    /// Where the shadow of address 0 is.
    base: u64,
    layout: Option<Layout>,
    roles: &'p [(Func, Role)],
    imported_functions: u32,
    /// Index of the shadow: the last of the memories imported.
    shadow: u32,
    /// Whether our imports are written.
    has_imports: bool,
    /// Whether what was added is not more than engines accept.
    has_room: bool,
    /// The function whose body comes next.
    next_func: Func,
    /// Bodies of allocator functions, which come last.
    set_aside: Vec<Function>,
    places: Vec<Vec<(u32, u32)>>,
}

type Reencoded<T> = Result<T, reencode::Error>;

impl Reencode for Rewriter<'_> {
    type Error = std::convert::Infallible;

    fn memory_index(&mut self, memory: u32) -> Reencoded<u32> {
        Ok(if memory < self.shadow { memory } else { memory + 1 })
    }

    fn function_index(&mut self, func: u32) -> Reencoded<u32> {
        Ok(if func < self.imported_functions { func } else { func + Import::ALL.len() as u32 })
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_type_section(self, types, section)?;
        for count in 0..=helpers::MOST_PARAMS {
            types.ty().function(vec![ValType::I32; count], []);
        }
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_import_section(self, imports, section)?;
        self.import(imports);
        Ok(())
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        _after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Reencoded<()> {
        let too_early = matches!(before, Some(SectionId::Custom | SectionId::Type | SectionId::Import));
        if !self.has_imports && !too_early {
            let mut imports = ImportSection::new();
            self.import(&mut imports);
            module.section(&imports);
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: wasmparser::FunctionSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_function_section(self, functions, section)?;
        for (func, _) in self.roles {
            functions.function(self.program.functions[*func].type_index);
        }
        for params in helpers::PARAMS {
            functions.function(self.type_of(params));
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: wasmparser::CodeSectionReader<'_>,
    ) -> Reencoded<()> {
        utils::parse_code_section(self, code, section)?;
        for body in std::mem::take(&mut self.set_aside) {
            code.function(&body);
        }
        let write = self.write();
        code.function(&helpers::check_access(&write));
        code.function(&helpers::check_range(&write));
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        code: &mut CodeSection,
        body: wasmparser::FunctionBody<'_>,
    ) -> Reencoded<()> {
        let func = self.next_func;
        self.next_func = Func(func.0 + 1);
        let role = self.roles.iter().position(|(role, _)| *role == func);
        let function = self.rewrite_body(func, &body, role.is_none())?;
        match role {
            None => code.function(&function),
            Some(number) => {
                self.set_aside.push(function);
                let signature = self.program.signature(func);
                let role = self.roles[number].1;
                code.function(&helpers::wrapper(&self.write(), number as u32, role, signature))
            }
        };
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
    /// The type of our functions with so many parameters.
    fn type_of(&self, params: usize) -> u32 {
        (self.program.types.len() + params) as u32
    }

    fn import(&mut self, imports: &mut ImportSection) {
        for import in Import::ALL {
            let ty = self.type_of(import.params());
            imports.import(Import::MODULE, import.name(), EntityType::Function(ty));
        }
        let memory =
            MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
        imports.import(Import::MODULE, Import::SHADOW, EntityType::Memory(memory));
        self.has_imports = true;
    }

    fn write(&self) -> Write {
        let last = self.program.functions.len() as u32 + Import::ALL.len() as u32;
        Write {
            shadow: self.shadow,
            base: self.base,
            memory: u32::from(self.shadow == 0),
            first_import: self.imported_functions,
            first_body: last,
            first_helper: last + self.roles.len() as u32,
            stack_pointer: self.layout.map(|layout| layout.stack_pointer),
        }
    }

    /// The body, with its operators as they are, or with accesses that are checked.
    fn rewrite_body(
        &mut self,
        func: Func,
        body: &wasmparser::FunctionBody<'_>,
        is_checked: bool,
    ) -> Reencoded<Function> {
        let mut locals = Vec::new();
        let mut count = self.program.signature(func).params.len() as u32;
        for local in body.get_locals_reader()? {
            let (more, ty) = local?;
            count += more;
            locals.push((more, self.val_type(ty)?));
        }
        self.has_room &= count + Scratch::COUNT + Place::LOCALS <= most::LOCALS;
        locals.extend(Scratch::TYPES);
        locals.push((Place::LOCALS, ValType::I32));
        let place = Place { memory: self.shadow, begin: shadow::COUNTS, locals: count + Scratch::COUNT };
        let reads_words = roles::reads_words(&self.program.functions[func]);
        let mut checked = Body {
            code: Function::new(locals),
            scratch: Scratch(count),
            write: self.write(),
            layout: self.layout,
            reads_words,
        };
        self.notes.enter(func, place, &mut checked.code);
        let mut places = Vec::new();
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let (operator, offset) = operators.read_with_offset()?;
            places.push((checked.code.byte_len() as u32, offset as u32));
            self.notes.before(&operator, offset, place, &mut checked.code);
            if is_checked {
                checked.before(&operator);
            }
            let is_growth = matches!(operator, Operator::MemoryGrow { mem: 0 });
            checked.code.instruction(&self.instruction(operator)?);
            self.notes.after(place, &mut checked.code);
            if is_growth {
                checked.after_growth();
            }
        }
        self.has_room &= checked.code.byte_len() <= most::BODY_BYTES;
        self.places.push(places);
        Ok(checked.code)
    }
}
