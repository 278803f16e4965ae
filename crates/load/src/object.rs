//! Reading wasm object files and static libraries: which functions they define and miss, and from which sources
//! they came.
//!
//! The linking section is read with wasmparser rather than by calling `nm`, which crashes on some linked modules.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use object::read::archive::{ArchiveFile, ArchiveMember};
use wasmparser::{
    ComdatSymbolKind, ExternalKind, FuncType, Imports, KnownCustom, Linking, LinkingSectionReader, Parser,
    Payload, SymbolFlags, SymbolInfo, TypeRef, ValType,
};

use crate::Error;
use crate::user_code::SourceUnit;

/// How a library begins that only names its members.
const THIN: &[u8] = b"!<thin>\n";

/// What an object file says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ObjectInfo {
    /// Functions that other objects may call, in the file's order. Copies of inline functions are left out:
    /// they belong to every unit that uses them.
    pub defined: Vec<String>,
    /// Functions and tags that another object must define.
    pub undefined: BTreeSet<String>,
    /// The compile units, from DWARF.
    pub units: BTreeSet<SourceUnit>,
    /// A `main` that the C library cannot call by itself, because it has another type than the standard's two.
    pub odd_main: Option<OddMain>,
}

/// Types of `main` that compilers accept beside the standard's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OddMain {
    /// `void main(void)`.
    Void,
    /// `int main(int argc)`.
    Count,
    /// `int main(int argc, char **argv, char **envp)`.
    Environment,
}

impl OddMain {
    /// By the type of a function called `main`: clang gives the standard's two other names.
    fn of(ty: &FuncType) -> Option<OddMain> {
        match (ty.params(), ty.results()) {
            ([], []) => Some(OddMain::Void),
            ([ValType::I32], [ValType::I32]) => Some(OddMain::Count),
            ([ValType::I32, ValType::I32, ValType::I32], [ValType::I32]) => Some(OddMain::Environment),
            _ => None,
        }
    }
}

impl ObjectInfo {
    /// Whether a function is defined here.
    pub fn defines(&self, name: &str) -> bool {
        self.defined.iter().any(|defined| defined == name)
    }

    /// Whether the program's `main` is here, under any of the names clang gives it.
    pub fn defines_main(&self) -> bool {
        self.defined.iter().any(|name| is_main(name))
    }
}

/// The names clang gives to `main`, by its signature and version.
pub(crate) fn is_main(name: &str) -> bool {
    matches!(name, "main" | "__main_argc_argv" | "__main_void" | "__original_main")
}

/// Whether bytes are a wasm module or object.
pub(crate) fn is_wasm(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\0asm")
}

/// Whether bytes are a static library.
pub(crate) fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(b"!<arch>\n") || bytes.starts_with(THIN)
}

/// Whether a wasm file is an object that is not linked yet: only those import their memory under this name.
pub(crate) fn is_relocatable(bytes: &[u8]) -> bool {
    let imports_linear_memory = |imports: Imports<'_>| match imports {
        Imports::Single(_, import) => import.name == "__linear_memory",
        _ => false,
    };
    payloads(bytes).any(|payload| match payload {
        Payload::ImportSection(section) => section.into_iter().flatten().any(imports_linear_memory),
        _ => false,
    })
}

/// Whether a linked module kept its relocations, so that hashes can ignore addresses.
pub(crate) fn has_code_relocations(bytes: &[u8]) -> bool {
    payloads(bytes)
        .any(|payload| matches!(payload, Payload::CustomSection(section) if section.name() == "reloc.CODE"))
}

/// Whether a linked module exports a function of the user's: any but the one that runs constructors.
pub(crate) fn exports_function(bytes: &[u8]) -> bool {
    payloads(bytes).any(|payload| match payload {
        Payload::ExportSection(section) => section
            .into_iter()
            .flatten()
            .any(|export| export.kind == ExternalKind::Func && !is_constructor(export.name)),
        _ => false,
    })
}

/// Whether an exported function only runs constructors.
fn is_constructor(name: &str) -> bool {
    matches!(name, "_initialize" | "__wasm_call_ctors")
}

/// The payloads up to the first error: a broken module is refused later, where it can be explained.
fn payloads(bytes: &[u8]) -> impl Iterator<Item = Payload<'_>> {
    Parser::new(0).parse_all(bytes).map_while(Result::ok)
}

/// Reads an object file.
pub(crate) fn read_object(path: &Path, bytes: &[u8]) -> Result<ObjectInfo, Error> {
    let bad = |reason: String| Error::BadObject { path: path.to_owned(), reason };
    if !is_wasm(bytes) {
        return Err(bad("it does not start as wasm does".to_owned()));
    }
    let mut info = ObjectInfo::default();
    let mut imports = Vec::new();
    let (mut types, mut functions) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(|error| bad(error.to_string()))? {
            Payload::TypeSection(section) => {
                let read = section.into_iter_err_on_gc_types().collect::<Result<_, _>>();
                types = read.map_err(|error| bad(error.to_string()))?;
            }
            Payload::FunctionSection(section) => {
                let read = section.into_iter().collect::<Result<_, _>>();
                functions = read.map_err(|error| bad(error.to_string()))?;
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.map_err(|error| bad(error.to_string()))?;
                    if matches!(import.ty, TypeRef::Func(_)) {
                        imports.push(import.name);
                    }
                }
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Linking(linking) = section.as_known() {
                    let main = read_symbols(linking, &imports, &mut info);
                    let main = main.map_err(|error| bad(error.to_string()))?;
                    info.odd_main = main.and_then(|index| {
                        let ty: u32 = *functions.get((index as usize).checked_sub(imports.len())?)?;
                        OddMain::of(types.get(ty as usize)?)
                    });
                }
            }
            _ => {}
        }
    }
    info.units = crate::user_code::units_of(bytes);
    Ok(info)
}

/// Takes over the symbols; the result is the number of the function whose symbol is `main` itself.
fn read_symbols(
    linking: LinkingSectionReader<'_>,
    imports: &[&str],
    info: &mut ObjectInfo,
) -> wasmparser::Result<Option<u32>> {
    let mut inline_copies = BTreeSet::new();
    let mut defined = Vec::new();
    for subsection in linking.subsections() {
        match subsection? {
            Linking::SymbolTable(table) => {
                for symbol in table {
                    match symbol? {
                        SymbolInfo::Func { flags, index, name } if flags.contains(SymbolFlags::UNDEFINED) => {
                            let import = imports.get(index as usize).copied();
                            info.undefined.extend(name.or(import).map(str::to_owned));
                        }
                        SymbolInfo::Func { flags, index, name: Some(name) }
                            if !flags.contains(SymbolFlags::BINDING_LOCAL) =>
                        {
                            defined.push((index, name.to_owned()));
                        }
                        _ => {}
                    }
                }
            }
            Linking::ComdatInfo(groups) => {
                for group in groups {
                    for symbol in group?.symbols {
                        let symbol = symbol?;
                        if symbol.kind == ComdatSymbolKind::Func {
                            inline_copies.insert(symbol.index);
                        }
                    }
                }
            }
            _ => {}
        }
    }
    let main = defined.iter().find(|(_, name)| name == "main").map(|(index, _)| *index);
    info.defined = defined
        .into_iter()
        .filter(|(index, _)| !inline_copies.contains(index))
        .map(|(_, name)| name)
        .collect();
    Ok(main)
}

/// Reads every object of a static library; what one member misses and another defines is not missing.
pub(crate) fn read_archive(path: &Path, bytes: &[u8]) -> Result<ObjectInfo, Error> {
    let bad = |reason: String| Error::BadObject { path: path.to_owned(), reason };
    let archive = ArchiveFile::parse(bytes).map_err(|error| bad(error.to_string()))?;
    let mut all = ObjectInfo::default();
    for member in archive.members() {
        let member = member.map_err(|error| bad(error.to_string()))?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let info = if member.is_thin() {
            let file = thin_member(path, &name);
            read_object(&file, &std::fs::read(&file).map_err(Error::read(&file))?)?
        } else {
            let data = member.data(bytes).map_err(|error| bad(error.to_string()))?;
            read_object(&path.join(&name), data)?
        };
        all.defined.extend(info.defined);
        all.undefined.extend(info.undefined);
        all.units.extend(info.units);
        all.odd_main = all.odd_main.or(info.odd_main);
    }
    all.undefined.retain(|name| !all.defined.contains(name));
    Ok(all)
}

/// The files that a thin library refers to; none if it carries its members.
pub(crate) fn thin_members(path: &Path, bytes: &[u8]) -> Result<Vec<PathBuf>, Error> {
    if !bytes.starts_with(THIN) {
        return Ok(Vec::new());
    }
    let bad = |error: object::Error| Error::BadObject { path: path.to_owned(), reason: error.to_string() };
    let archive = ArchiveFile::parse(bytes).map_err(bad)?;
    let file = |member: object::read::Result<ArchiveMember<'_>>| {
        Ok(thin_member(path, &String::from_utf8_lossy(member.map_err(bad)?.name())))
    };
    archive.members().map(file).collect()
}

/// Where a member of a thin library is: its name starts at the library's place.
fn thin_member(library: &Path, name: &str) -> PathBuf {
    library.parent().unwrap_or(Path::new("")).join(name)
}
