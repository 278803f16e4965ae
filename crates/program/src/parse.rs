//! From the bytes of a module to a [`Program`].

use crate::debug_info::DebugInfo;
use crate::entity::{Arena, Id};
use crate::error::Error;
use crate::ir::Op;
use crate::lift::{Context, Lifted, Refusal, lift};
use crate::names;
use crate::program::{
    Code, DataPlace, DataSegment, Defined, Export, Extern, Func, Function, Global, Import, Memory, Program,
    Signature, Table,
};
use crate::site::SiteData;
use crate::verify::verify;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use wasmparser::{
    CompositeInnerType, ConstExpr, CustomSectionReader, Data, DataKind, ElementItems, ElementKind,
    ExternalKind, FuncToValidate, FuncValidatorAllocations, FunctionBody, KnownCustom, Name, Operator,
    Parser, Payload, TableInit, TypeRef, ValidPayload, Validator, ValidatorResources, WasmFeatures,
};

type Result<T> = std::result::Result<T, Refusal>;

/// The wasm features that coax accepts: all of 1.0 and 2.0, and of 3.0 tail calls, extended constants,
/// multiple memories, 64-bit memories, exceptions with `exnref` and relaxed SIMD (run deterministically).
pub const FEATURES: WasmFeatures = WasmFeatures::WASM2
    .union(WasmFeatures::TAIL_CALL)
    .union(WasmFeatures::EXTENDED_CONST)
    .union(WasmFeatures::MULTI_MEMORY)
    .union(WasmFeatures::MEMORY64)
    .union(WasmFeatures::EXCEPTIONS)
    .union(WasmFeatures::RELAXED_SIMD);

impl Program {
    /// Parses, validates and lifts a module.
    pub fn parse(wasm: Vec<u8>) -> std::result::Result<Program, Error> {
        if !wasm.starts_with(b"\0asm") {
            return Err(Error::NotWasm);
        }
        match Module::read(&wasm).map(|module| module.into_program(DebugInfo::parse(&wasm))) {
            Ok(program) => {
                debug_assert_eq!(verify(&program), Ok(()), "the lifter keeps the invariants");
                Ok(Program { wasm, ..program })
            }
            Err(error) => Err(classify(&wasm, error)),
        }
    }
}

/// Says whose fault it is that a module was refused.
fn classify(wasm: &[u8], refusal: Refusal) -> Error {
    let error = match refusal {
        Refusal::Invalid(error) => error,
        Refusal::TooManyHandlers { offset } => {
            let reason = "a function has too many calls inside too many exception handlers".to_string();
            return Error::Unsupported { reason, offset: offset as usize };
        }
    };
    if Parser::is_component(wasm) {
        return Error::Component;
    }
    let reason = error.message().to_string();
    let offset = error.offset();
    if Validator::new_with_features(WasmFeatures::all()).validate_all(wasm).is_ok() {
        Error::Unsupported { reason, offset }
    } else if reason.contains("unexpected end") || reason.contains("unexpected-eof") {
        Error::Truncated { reason, offset }
    } else {
        Error::Invalid { reason, offset }
    }
}

/// What the sections say, in the module's own terms.
#[derive(Default)]
struct Module<'a> {
    types: Vec<Signature>,
    imports: Vec<Import>,
    exports: Vec<Export>,
    /// Type index of each function, imports first.
    functions: Vec<u32>,
    tables: Vec<Table>,
    memories: Vec<Memory>,
    globals: Vec<Global>,
    data: Vec<DataSegment>,
    tags: Vec<u32>,
    start: Option<Func>,
    address_taken: BTreeSet<Func>,
    bodies: Vec<(FuncToValidate<ValidatorResources>, FunctionBody<'a>)>,
    function_names: BTreeMap<u32, &'a str>,
    lifted: Vec<Lifted>,
}

impl<'a> Module<'a> {
    fn read(wasm: &'a [u8]) -> Result<Self> {
        let mut module = Module::default();
        let mut validator = Validator::new_with_features(FEATURES);
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            if let ValidPayload::Func(to_validate, body) = validator.payload(&payload)? {
                module.bodies.push((to_validate, body));
            }
            module.section(payload)?;
        }
        module.lift_all()?;
        Ok(module)
    }

    fn section(&mut self, payload: Payload<'a>) -> Result<()> {
        match payload {
            Payload::TypeSection(types) => {
                for group in types {
                    self.types.extend(group?.into_types().map(|ty| signature(&ty.composite_type.inner)));
                }
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    self.import(import?);
                }
            }
            Payload::FunctionSection(functions) => {
                for ty in functions {
                    self.functions.push(ty?);
                }
            }
            Payload::TableSection(tables) => {
                for table in tables {
                    let table = table?;
                    self.add_table(&table.ty, true);
                    if let TableInit::Expr(expr) = table.init {
                        self.note_function(&expr)?;
                        self.tables.last_mut().expect("just added").complete = false;
                    }
                }
            }
            Payload::MemorySection(memories) => {
                for ty in memories {
                    self.memories.push(Memory { ty: ty? });
                }
            }
            Payload::TagSection(tags) => {
                for tag in tags {
                    self.tags.push(tag?.func_type_idx);
                }
            }
            Payload::GlobalSection(globals) => {
                for global in globals {
                    let global = global?;
                    self.note_function(&global.init_expr)?;
                    let first = constant_offset(&global.init_expr)?;
                    self.globals.push(Global { ty: global.ty, name: None, first });
                }
            }
            Payload::ExportSection(exports) => {
                for export in exports {
                    self.export(export?);
                }
            }
            Payload::StartSection { func, .. } => self.start = Some(Func(func)),
            Payload::ElementSection(elements) => {
                for element in elements {
                    self.element(element?)?;
                }
            }
            Payload::DataSection(segments) => {
                for segment in segments {
                    self.data.push(data_segment(&segment?)?);
                }
            }
            Payload::CustomSection(section) => self.names(&section),
            _ => {}
        }
        Ok(())
    }

    fn import(&mut self, import: wasmparser::Import<'_>) {
        let kind = match import.ty {
            TypeRef::Func(ty) | TypeRef::FuncExact(ty) => {
                self.functions.push(ty);
                Extern::Func(Func::new(self.functions.len() - 1))
            }
            TypeRef::Table(ty) => {
                self.add_table(&ty, false);
                Extern::Table(self.tables.len() as u32 - 1)
            }
            TypeRef::Memory(ty) => {
                self.memories.push(Memory { ty });
                Extern::Memory(self.memories.len() as u32 - 1)
            }
            TypeRef::Global(ty) => {
                self.globals.push(Global { ty, name: None, first: None });
                Extern::Global(self.globals.len() as u32 - 1)
            }
            TypeRef::Tag(ty) => {
                self.tags.push(ty.func_type_idx);
                Extern::Tag(self.tags.len() as u32 - 1)
            }
        };
        self.imports.push(Import { module: import.module.into(), name: import.name.into(), kind });
    }

    fn export(&mut self, export: wasmparser::Export<'_>) {
        let kind = match export.kind {
            ExternalKind::Func | ExternalKind::FuncExact => Extern::Func(Func(export.index)),
            ExternalKind::Table => {
                self.tables[export.index as usize].complete = false;
                Extern::Table(export.index)
            }
            ExternalKind::Memory => Extern::Memory(export.index),
            ExternalKind::Global => Extern::Global(export.index),
            ExternalKind::Tag => Extern::Tag(export.index),
        };
        self.exports.push(Export { name: export.name.into(), kind });
    }

    fn add_table(&mut self, ty: &wasmparser::TableType, complete: bool) {
        self.tables.push(Table {
            slots: BTreeMap::new(),
            complete,
            ty: ty.element_type,
            initial: ty.initial,
        });
    }

    fn element(&mut self, element: wasmparser::Element<'_>) -> Result<()> {
        let items = match element.items {
            ElementItems::Functions(functions) => functions
                .into_iter()
                .map(|func| Ok(Constant::Func(Func(func?))))
                .collect::<Result<Vec<_>>>()?,
            ElementItems::Expressions(_, expressions) => {
                expressions.into_iter().map(|expr| constant_reference(&expr?)).collect::<Result<Vec<_>>>()?
            }
        };
        self.address_taken.extend(items.iter().filter_map(|item| item.func()));
        let known = !items.contains(&Constant::Unknown);
        if let ElementKind::Active { table_index, offset_expr } = element.kind {
            let table = &mut self.tables[table_index.unwrap_or(0) as usize];
            match constant_offset(&offset_expr)? {
                Some(offset) if known => {
                    for (slot, item) in (offset..).zip(items) {
                        match item.func() {
                            Some(func) => table.slots.insert(slot, func),
                            None => table.slots.remove(&slot),
                        };
                    }
                }
                _ => table.complete = false,
            }
        }
        Ok(())
    }

    fn note_function(&mut self, expr: &ConstExpr<'_>) -> Result<()> {
        self.address_taken.extend(constant_reference(expr)?.func());
        Ok(())
    }

    fn names(&mut self, section: &CustomSectionReader<'a>) {
        let KnownCustom::Name(subsections) = section.as_known() else { return };
        // Names are a courtesy: where they are malformed, there are none.
        for subsection in subsections.into_iter().map_while(std::result::Result::ok) {
            match subsection {
                Name::Function(map) => {
                    let names = map.into_iter().map_while(std::result::Result::ok);
                    self.function_names = names.map(|naming| (naming.index, naming.name)).collect();
                }
                Name::Global(map) => {
                    for naming in map.into_iter().map_while(std::result::Result::ok) {
                        if let Some(global) = self.globals.get_mut(naming.index as usize) {
                            global.name = Some(naming.name.to_string());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn lift_all(&mut self) -> Result<()> {
        let context = Context { types: &self.types, tags: &self.tags };
        let lifted: Vec<Result<Lifted>> = std::mem::take(&mut self.bodies)
            .into_par_iter()
            .map_init(FuncValidatorAllocations::default, |allocations, (to_validate, body)| {
                lift(context, to_validate, &body, allocations)
            })
            .collect();
        self.lifted = lifted.into_iter().collect::<Result<_>>()?;
        Ok(())
    }

    fn into_program(mut self, debug: DebugInfo) -> Program {
        self.note_tables_and_references();
        let mut sites = Arena::new();
        let mut functions: Arena<Func, Function> = Arena::new();
        let mut lifted = std::mem::take(&mut self.lifted).into_iter();
        let imported = self.imported_functions();
        let exported = self.exported_functions();
        for (index, &type_index) in self.functions.iter().enumerate() {
            let func = Func::new(index);
            let symbol = names::printable(&self.symbol(func, &imported, &exported));
            let code = match imported.get(index) {
                Some(&import) => Code::Import(import),
                None => {
                    let Lifted { body, sites: found, range, size } = lifted.next().expect("a body each");
                    let first = sites.next_id();
                    for (offset, kind) in found {
                        sites.push(SiteData { func, offset, kind });
                    }
                    Code::Defined(Box::new(Defined {
                        body,
                        unit: debug.unit_of(range.start),
                        range,
                        sites: first..sites.next_id(),
                        size,
                    }))
                }
            };
            let name = match &code {
                Code::Defined(defined) if names::is_renamed_main(&symbol, &debug, defined.range.start) => {
                    "main".into()
                }
                _ => names::demangle(&symbol),
            };
            functions.push(Function { name, symbol, type_index, code });
        }
        Program {
            wasm: Vec::new(),
            types: self.types,
            functions,
            tables: self.tables,
            memories: self.memories,
            globals: self.globals,
            data: self.data,
            tags: self.tags,
            imports: self.imports,
            exports: self.exports,
            start: self.start,
            address_taken: self.address_taken.into_iter().collect(),
            sites,
            debug,
            source_root: None,
            ends: OnceLock::new(),
            calls: OnceLock::new(),
        }
    }

    /// For each imported function, which import it is.
    fn imported_functions(&self) -> Vec<usize> {
        let is_function = |(index, import): (usize, &Import)| match import.kind {
            Extern::Func(_) => Some(index),
            _ => None,
        };
        self.imports.iter().enumerate().filter_map(is_function).collect()
    }

    /// For each exported function, the first of its exports.
    fn exported_functions(&self) -> BTreeMap<Func, usize> {
        let functions =
            self.exports.iter().enumerate().rev().filter_map(|(index, export)| match export.kind {
                Extern::Func(func) => Some((func, index)),
                _ => None,
            });
        functions.collect()
    }

    /// The linker's name of a function: `name` section, else import, else export, else its number.
    fn symbol(&self, func: Func, imported: &[usize], exported: &BTreeMap<Func, usize>) -> String {
        if let Some(name) = self.function_names.get(&func.0) {
            return name.to_string();
        }
        if let Some(&import) = imported.get(func.index()) {
            return self.imports[import].name.clone();
        }
        exported.get(&func).map_or_else(|| func.to_string(), |&export| self.exports[export].name.clone())
    }

    /// Finds the tables that code writes to and the functions it takes the address of.
    fn note_tables_and_references(&mut self) {
        for inst in self.lifted.iter().flat_map(|lifted| lifted.body.insts.values()) {
            match inst.op {
                Op::RefFunc { function_index } => {
                    self.address_taken.insert(Func(function_index));
                }
                Op::TableSet { table }
                | Op::TableGrow { table }
                | Op::TableFill { table }
                | Op::TableInit { table, .. }
                | Op::TableCopy { dst_table: table, .. } => self.tables[table as usize].complete = false,
                _ => {}
            }
        }
    }
}

fn signature(ty: &CompositeInnerType) -> Signature {
    match ty {
        CompositeInnerType::Func(ty) => {
            Signature { params: ty.params().into(), results: ty.results().into() }
        }
        // Other types belong to features that the validator has refused.
        _ => Signature::default(),
    }
}

/// A reference that a constant expression makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constant {
    Null,
    Func(Func),
    /// The value of a global, say.
    Unknown,
}

impl Constant {
    fn func(self) -> Option<Func> {
        match self {
            Constant::Func(func) => Some(func),
            Constant::Null | Constant::Unknown => None,
        }
    }
}

fn constant_reference(expr: &ConstExpr<'_>) -> Result<Constant> {
    Ok(match expr.get_operators_reader().read()? {
        Operator::RefFunc { function_index } => Constant::Func(Func(function_index)),
        Operator::RefNull { .. } => Constant::Null,
        _ => Constant::Unknown,
    })
}

fn data_segment(segment: &Data<'_>) -> Result<DataSegment> {
    let place = match &segment.kind {
        DataKind::Passive => DataPlace::Passive,
        DataKind::Active { memory_index, offset_expr } => {
            DataPlace::Active(*memory_index, constant_offset(offset_expr)?)
        }
    };
    let end = segment.range.end;
    Ok(DataSegment { place, bytes: end - segment.data.len()..end })
}

/// The value of a constant expression that is a single constant.
fn constant_offset(expr: &ConstExpr<'_>) -> Result<Option<u64>> {
    let mut operators = expr.get_operators_reader();
    let first = operators.read()?;
    let single = matches!(operators.read()?, Operator::End);
    Ok(match first {
        Operator::I32Const { value } if single => Some(u64::from(value as u32)),
        Operator::I64Const { value } if single => Some(value as u64),
        _ => None,
    })
}
