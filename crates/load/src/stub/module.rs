//! The sections of a module, as far as two modules become one.

use std::fmt;

use wasmparser::{
    BinaryReaderError, CompositeInnerType, CustomSectionReader, Export, ExternalKind, FuncType, FunctionBody,
    Import, Parser, Payload, SectionLimited, TypeRef,
};

/// A module, section by section.
#[derive(Default)]
pub(super) struct Module<'a> {
    pub types: Option<wasmparser::TypeSectionReader<'a>>,
    pub imports: Vec<Import<'a>>,
    pub functions: Option<wasmparser::FunctionSectionReader<'a>>,
    pub tables: Option<wasmparser::TableSectionReader<'a>>,
    pub memories: Option<wasmparser::MemorySectionReader<'a>>,
    pub tags: Option<wasmparser::TagSectionReader<'a>>,
    pub globals: Option<wasmparser::GlobalSectionReader<'a>>,
    pub exports: Vec<Export<'a>>,
    pub start: Option<u32>,
    pub elements: Option<wasmparser::ElementSectionReader<'a>>,
    pub has_data_count: bool,
    pub bodies: Vec<FunctionBody<'a>>,
    pub code: Code<'a>,
    pub data: Option<wasmparser::DataSectionReader<'a>>,
    pub custom: Vec<CustomSectionReader<'a>>,
    /// The types by their indices, where they are functions'.
    signatures: Vec<Option<FuncType>>,
    /// The type of each function, imports first.
    function_types: Vec<u32>,
}

/// The bytes of all bodies, with the size in front of each.
#[derive(Clone, Copy, Default)]
pub(super) struct Code<'a> {
    /// Where the section's contents begin in the module.
    pub section: usize,
    /// Where its first body's size is in the module.
    pub start: usize,
    pub bytes: &'a [u8],
}

/// The type of a function, for people.
#[derive(PartialEq, Eq)]
pub(super) struct Signature<'m>(pub &'m FuncType);

impl<'a> Module<'a> {
    pub fn read(wasm: &'a [u8]) -> Result<Module<'a>, BinaryReaderError> {
        let mut module = Module::default();
        for payload in Parser::new(0).parse_all(wasm) {
            module.section(wasm, payload?)?;
        }
        Ok(module)
    }

    fn section(&mut self, wasm: &'a [u8], payload: Payload<'a>) -> Result<(), BinaryReaderError> {
        match payload {
            Payload::TypeSection(types) => {
                for group in types.clone() {
                    self.signatures.extend(group?.into_types().map(|ty| match ty.composite_type.inner {
                        CompositeInnerType::Func(ty) => Some(ty),
                        _ => None,
                    }));
                }
                self.types = Some(types);
            }
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    let import = import?;
                    if let TypeRef::Func(ty) | TypeRef::FuncExact(ty) = import.ty {
                        self.function_types.push(ty);
                    }
                    self.imports.push(import);
                }
            }
            Payload::FunctionSection(functions) => {
                for ty in functions.clone() {
                    self.function_types.push(ty?);
                }
                self.functions = Some(functions);
            }
            Payload::TableSection(tables) => self.tables = Some(tables),
            Payload::MemorySection(memories) => self.memories = Some(memories),
            Payload::TagSection(tags) => self.tags = Some(tags),
            Payload::GlobalSection(globals) => self.globals = Some(globals),
            Payload::ExportSection(exports) => {
                self.exports = exports.into_iter().collect::<Result<_, _>>()?
            }
            Payload::StartSection { func, .. } => self.start = Some(func),
            Payload::ElementSection(elements) => self.elements = Some(elements),
            Payload::DataCountSection { .. } => self.has_data_count = true,
            Payload::CodeSectionStart { range, count, .. } => {
                // The count in front may be written longer than it must be.
                let contents = &wasm[range.clone()];
                let count_bytes = contents.iter().take_while(|byte| **byte & 0x80 != 0).count() + 1;
                let start = range.start + count_bytes.min(contents.len());
                self.bodies.reserve(count as usize);
                self.code = Code { section: range.start, start, bytes: &wasm[start..range.end] };
            }
            Payload::CodeSectionEntry(body) => self.bodies.push(body),
            Payload::DataSection(data) => self.data = Some(data),
            Payload::CustomSection(custom) => self.custom.push(custom),
            _ => {}
        }
        Ok(())
    }

    /// The imported functions, by their indices.
    pub fn function_imports(&self) -> impl Iterator<Item = (u32, &Import<'a>)> {
        let functions = |import: &&Import<'a>| matches!(import.ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
        (0..).zip(self.imports.iter().filter(functions))
    }

    pub fn function_exports(&self) -> impl Iterator<Item = &str> {
        let is_function = |export: &&Export<'a>| export.kind == ExternalKind::Func;
        self.exports.iter().filter(is_function).map(|export| export.name)
    }

    pub fn exported_function(&self, name: &str) -> Option<u32> {
        let is_it = |export: &&Export<'a>| export.kind == ExternalKind::Func && export.name == name;
        self.exports.iter().find(is_it).map(|export| export.index)
    }

    /// The index of a function's type.
    pub fn type_of(&self, function: u32) -> Option<u32> {
        self.function_types.get(function as usize).copied()
    }

    pub fn signature(&self, function: u32) -> Option<Signature<'_>> {
        let ty = self.type_of(function)?;
        self.signatures.get(ty as usize)?.as_ref().map(Signature)
    }

    /// How many functions there are, imported ones too.
    pub fn function_count(&self) -> u32 {
        self.function_types.len() as u32
    }

    pub fn type_count(&self) -> u32 {
        self.signatures.len() as u32
    }

    /// How many imports there are that are like this one.
    pub fn imported(&self, is_it: impl Fn(&TypeRef) -> bool) -> u32 {
        self.imports.iter().filter(|import| is_it(&import.ty)).count() as u32
    }
}

/// How many items a section has that may be missing.
pub(super) fn count<T>(section: Option<&SectionLimited<'_, T>>) -> u32 {
    section.map_or(0, SectionLimited::count)
}

impl fmt::Display for Signature<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |types: &[wasmparser::ValType]| {
            types.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        };
        write!(f, "({}) -> ({})", list(self.0.params()), list(self.0.results()))
    }
}
