//! From any source to wasm bytes.
//!
//! [`load`] takes what the user typed (a .wasm or .wat file; C, C++, objects, static libraries; a compilation
//! database; a Rust file or a Cargo project) and returns one linked module, what the compilers said, and which
//! of its code is the user's. This is the only crate that starts compilers. It never prints, never touches the
//! user's files, and leaves nothing behind but its cache.
//!
//! The bytes are not judged: whether they are valid wasm is the `program` crate's business.

mod asked;
mod bad_harness;
mod cache;
mod cargo;
mod cargo_fuzz;
mod children;
mod clang;
mod command_line;
mod compile;
mod database;
mod detect;
mod dialect;
mod doctor;
mod entry;
mod error;
mod harmless;
mod includes;
mod install;
mod link;
mod memory;
mod native;
mod native_tests;
mod object;
mod observed;
mod origin;
mod parameters;
mod plain_file;
mod process;
mod runtime;
mod rust;
mod rust_harness;
mod rustc;
mod stamp;
mod stub;
mod tools;
mod user_code;
mod wrapper;

use std::path::{Path, PathBuf};

use cache::Cache;
use memory::Memory;
use observed::Observed;

pub use children::{end_children, take_charge_of_children};
pub use doctor::{Check, Found, doctor};
pub use error::Error;
pub use harmless::{Flags, harmless_flags};
pub use native_tests::{NativeTests, run_c_tests, run_rust_tests};
pub use plain_file::{MOST_BYTES, open_plain, read_all, read_plain};
pub use stub::{HostFunction, Stub, add_to_table};
pub use tools::{Libc, Tools};
pub use user_code::{SourceUnit, UserCode, UserUnits};
pub use wrapper::{Said, Wrapper};

/// What to load, and how.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Files or a directory, as the user named them.
    pub inputs: Vec<PathBuf>,
    /// Extra flags for the compiler (clang or rustc); `-l`, `-L` and `-Wl,…` go to the linker, `-O…` sets the level.
    pub cflags: Vec<String>,
    /// How much the compiler may change the program. Default: branches and functions stay as written.
    pub optimise: Optimise,
    /// Whether undefined behaviour becomes a trap with its reason in the debug information. Default: no.
    pub ubsan: bool,
    /// A function that must be in the program though nobody calls it: also a static or private one. `a.c:parse` names its file too.
    pub entry: Option<String>,
    /// Imports that functions of other modules answer. Default: none.
    pub stubs: Vec<Stub>,
    /// The directory of the cache. Default: none, every load compiles.
    pub cache: Option<PathBuf>,
    /// Where compilers are looked for. Default: `PATH` and the usual places.
    pub tools: Tools,
}

/// The level at which sources are compiled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Optimise {
    /// Branches and function boundaries as in the source, locals in registers.
    #[default]
    Default,
    /// The compiler's `-O0`.
    O0,
    /// The compiler's `-O1`.
    O1,
    /// The compiler's `-O2`.
    O2,
    /// The compiler's `-O3`.
    O3,
    /// The compiler's `-Os`.
    Os,
}

/// A program as wasm.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// A short name for it: the file's or the package's.
    pub name: String,
    /// The module.
    pub wasm: Vec<u8>,
    /// What the compilers said, as it is; empty if nothing.
    pub messages: String,
    /// What the user should know about how it was made, one sentence each.
    pub notes: Vec<String>,
    /// Which code is the user's.
    pub user_code: UserCode,
    /// Whether the module kept its relocations: without them, reuse across versions is reduced.
    pub has_relocations: bool,
    /// Whether nothing had to be compiled or linked.
    pub from_cache: bool,
}

/// Loads a program.
pub fn load(request: &Request) -> Result<Loaded, Error> {
    use detect::Program;
    let loaded = match Program::detect(&request.inputs)? {
        Program::Wasm(file) => load_wasm(&file),
        Program::Wat(file) => load_wat(&file),
        source => load_source(request, &source),
    }?;
    if request.stubs.is_empty() {
        return Ok(loaded);
    }
    // Relocations are places in the module as it was linked.
    Ok(Loaded { wasm: stub::link(loaded.wasm, &request.stubs)?, has_relocations: false, ..loaded })
}

/// Compiles, unless the result of the last time still holds.
fn load_source(request: &Request, program: &detect::Program) -> Result<Loaded, Error> {
    use detect::Program;
    let cache = Cache::open(request.cache.as_deref());
    let memory = Memory::new(request, program, &cache);
    if let Some(loaded) = memory.as_ref().and_then(Memory::recall) {
        return Ok(loaded);
    }
    let observed = Observed::default();
    let loaded = match program {
        Program::Wasm(file) => load_wasm(file),
        Program::Wat(file) => load_wat(file),
        Program::Native(native) => native::load(request, native, &cache, &observed),
        Program::Database { file, roots } => database::load(request, file, roots, &cache, &observed),
        Program::Rust(file) => rustc::load(request, file, &cache, &observed),
        Program::Cargo(manifest) => cargo::load(request, manifest, &cache, &observed),
    }?;
    if let Some(memory) = memory {
        memory.keep(&loaded, &observed);
    }
    Ok(loaded)
}

fn load_wasm(file: &Path) -> Result<Loaded, Error> {
    let wasm = read_plain(file, MOST_BYTES).map_err(Error::read(file))?;
    Ok(as_it_is(file, wasm))
}

fn load_wat(file: &Path) -> Result<Loaded, Error> {
    let text = read_plain(file, MOST_BYTES).map_err(Error::read(file))?;
    let wasm = wat::parse_bytes(&text).map_err(|mut error| {
        error.set_path(file);
        Error::Wat { path: file.to_owned(), messages: format!("{error}\n") }
    })?;
    Ok(as_it_is(file, wasm.into_owned()))
}

fn as_it_is(file: &Path, wasm: Vec<u8>) -> Loaded {
    Loaded {
        name: stem(file),
        has_relocations: object::has_code_relocations(&wasm),
        user_code: origin::user_code(&wasm).unwrap_or_else(UserCode::all),
        wasm,
        messages: String::new(),
        notes: Vec::new(),
        from_cache: false,
    }
}

/// A file's name without its extension.
fn stem(file: &Path) -> String {
    file.file_stem().map_or_else(|| "program".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
