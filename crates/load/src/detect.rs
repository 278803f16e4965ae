//! What kind of program the inputs are, by content where content says it and by name otherwise.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compile::is_cxx;
use crate::object;
use crate::plain_file::{MOST_BYTES, read_plain};
use crate::{Error, object::is_archive, object::is_wasm};

/// The inputs of a request, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Program {
    /// A linked module.
    Wasm(PathBuf),
    /// A module as text.
    Wat(PathBuf),
    /// C and C++ sources, objects and static libraries, to be linked together.
    Native(Native),
    /// A compilation database, and the sources of it that were named beside it.
    Database { file: PathBuf, roots: Vec<PathBuf> },
    /// One Rust file.
    Rust(PathBuf),
    /// A Cargo manifest.
    Cargo(PathBuf),
}

/// Files for clang and wasm-ld.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Native {
    pub sources: Vec<PathBuf>,
    pub objects: Vec<PathBuf>,
    pub archives: Vec<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Wasm,
    Wat,
    Source,
    Object,
    Archive,
    Database,
    Rust,
    Cargo,
}

impl Program {
    /// Understands the inputs, or says what does not fit.
    pub fn detect(inputs: &[PathBuf]) -> Result<Program, Error> {
        let kinds = inputs.iter().map(|input| kind_of(input)).collect::<Result<Vec<_>, _>>()?;
        let (first, rest) = kinds.split_first().ok_or(Error::NoInput)?;
        let mixed = |second: usize| Error::Mixed { first: inputs[0].clone(), second: inputs[second].clone() };
        match first {
            (Kind::Source | Kind::Object | Kind::Archive, _) => {
                native(&kinds).map_err(mixed).map(Program::Native)
            }
            (Kind::Database, file) => match rest.iter().position(|(kind, _)| *kind != Kind::Source) {
                Some(other) => Err(mixed(other + 1)),
                None => Ok(Program::Database { file: file.clone(), roots: inputs[1..].to_vec() }),
            },
            _ if !rest.is_empty() => Err(mixed(1)),
            (Kind::Wasm, file) => Ok(Program::Wasm(file.clone())),
            (Kind::Wat, file) => Ok(Program::Wat(file.clone())),
            (Kind::Rust, file) => Ok(Program::Rust(file.clone())),
            (Kind::Cargo, file) => Ok(Program::Cargo(file.clone())),
        }
    }
}

/// Sorts the files; the error is the position of one that is neither source, object nor library.
fn native(kinds: &[(Kind, PathBuf)]) -> Result<Native, usize> {
    let mut native = Native::default();
    for (position, (kind, file)) in kinds.iter().enumerate() {
        match kind {
            Kind::Source => native.sources.push(file.clone()),
            Kind::Object => native.objects.push(file.clone()),
            Kind::Archive => native.archives.push(file.clone()),
            _ => return Err(position),
        }
    }
    Ok(native)
}

/// The kind of an input and the file that stands for it.
fn kind_of(input: &Path) -> Result<(Kind, PathBuf), Error> {
    let unknown = || Error::UnknownKind { path: input.to_owned() };
    let metadata = fs::metadata(input).map_err(Error::read(input))?;
    if metadata.is_dir() {
        let candidates = [(Kind::Cargo, "Cargo.toml"), (Kind::Database, "compile_commands.json")];
        let in_build = (Kind::Database, "build/compile_commands.json");
        let present =
            |(kind, name): (Kind, &str)| Some((kind, input.join(name))).filter(|(_, file)| file.is_file());
        return candidates.into_iter().chain([in_build]).find_map(present).ok_or_else(unknown);
    }
    if !metadata.is_file() {
        // Reading one may never end.
        return Err(Error::NotAFile { path: input.to_owned() });
    }
    let extension = input.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let kind = match extension {
        "c" | "i" => Kind::Source,
        _ if is_cxx(input) => Kind::Source,
        "wat" | "wast" => Kind::Wat,
        "rs" => Kind::Rust,
        "toml" if input.file_name().is_some_and(|name| name == "Cargo.toml") => Kind::Cargo,
        "json" => Kind::Database,
        _ => kind_by_content(input)?.ok_or_else(unknown)?,
    };
    Ok((kind, input.to_owned()))
}

/// Linked programs of existing builds have any name or none, so their first bytes decide.
fn kind_by_content(input: &Path) -> Result<Option<Kind>, Error> {
    let bytes = read_plain(input, MOST_BYTES).map_err(Error::read(input))?;
    let says_wasm = input.extension().is_some_and(|extension| extension == "wasm");
    Ok(if is_archive(&bytes) {
        Some(Kind::Archive)
    } else if is_wasm(&bytes) && object::is_relocatable(&bytes) {
        Some(Kind::Object)
    } else if is_wasm(&bytes) || says_wasm {
        // A file that claims to be wasm is handed on, so that validation can say what is wrong with it.
        Some(Kind::Wasm)
    } else if input.extension().is_some_and(|extension| extension == "o") {
        return Err(Error::BadObject {
            path: input.to_owned(),
            reason: "it does not start as wasm does".to_owned(),
        });
    } else {
        None
    })
}
