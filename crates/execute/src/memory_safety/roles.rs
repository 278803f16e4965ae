//! Which functions are the program's allocator, by their names and types.

use crate::Error;
use coax_program::{Func, Function, Program, Signature};
use std::collections::BTreeMap;
use wasmparser::ValType;

/// What a function of an allocator does. Numbers are places of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Gives a block of `size` bytes, `count` times as many if there is a count; null if there is none.
    Allocate { size: usize, count: Option<usize> },
    /// The same, but the block is put where `place` points to, if the result is 0.
    AllocateInto { place: usize, size: usize },
    /// Gives another block for this one.
    Reallocate { block: usize, size: usize, count: Option<usize> },
    /// Takes a block back.
    Free { block: usize },
    /// Says how much of a block may be used.
    UsableSize { block: usize },
    /// Moves the end of what the program itself takes: `sbrk`.
    Break { by: usize },
}

/// A function of an allocator's.
#[derive(Clone, Copy, Debug)]
struct Known {
    name: &'static str,
    params: usize,
    role: Role,
}

const fn known(name: &'static str, params: usize, role: Role) -> Known {
    Known { name, params, role }
}

const ALLOCATE: Role = Role::Allocate { size: 0, count: None };
const ALIGNED: Role = Role::Allocate { size: 1, count: None };

/// C's, by the names of its standard library.
const C: [Known; 13] = [
    known("malloc", 1, ALLOCATE),
    known("valloc", 1, ALLOCATE),
    known("calloc", 2, Role::Allocate { size: 0, count: Some(1) }),
    known("aligned_alloc", 2, ALIGNED),
    known("memalign", 2, ALIGNED),
    known("posix_memalign", 3, Role::AllocateInto { place: 0, size: 2 }),
    known("realloc", 2, Role::Reallocate { block: 0, size: 1, count: None }),
    known("reallocarray", 3, Role::Reallocate { block: 0, size: 1, count: Some(2) }),
    known("free", 1, Role::Free { block: 0 }),
    known("cfree", 1, Role::Free { block: 0 }),
    known("malloc_usable_size", 1, Role::UsableSize { block: 0 }),
    known("usable_size", 1, Role::UsableSize { block: 0 }),
    known("sbrk", 1, Role::Break { by: 0 }),
];

/// What allocators of C put before these names.
const PREFIXES: [&str; 6] = ["", "dl", "emmalloc_", "emscripten_builtin_", "__libc_", "mi_"];

/// The one of Rust's that gives zeros.
const ZEROED: &str = "alloc_zeroed";

/// Rust's: what linker names end with.
const RUST: [Known; 4] = [
    known("alloc", 2, ALLOCATE),
    known(ZEROED, 2, ALLOCATE),
    known("realloc", 4, Role::Reallocate { block: 0, size: 3, count: None }),
    known("dealloc", 3, Role::Free { block: 0 }),
];

/// The global allocator as programs call it, the one of the standard library, one that the program has.
const RUST_PREFIXES: [&str; 3] = ["__rust_", "__rdl_", "__rg_"];

/// The methods of the allocator that Rust's standard library has where there is no C library.
const RUST_DLMALLOC: [Known; 5] = [
    known("::malloc", 2, ALIGNED),
    known("::calloc", 2, ALIGNED),
    known("::memalign", 3, Role::Allocate { size: 2, count: None }),
    known("::realloc", 3, Role::Reallocate { block: 1, size: 2, count: None }),
    known("::free", 2, Role::Free { block: 1 }),
];

/// The functions that a user says are the allocator: the name in C's standard library, and the name in the program.
pub type AllocatorNames = BTreeMap<String, String>;

/// Whether these can be an allocator: what is wrong with them otherwise.
pub fn check_allocator(program: &Program, given: &AllocatorNames) -> Result<(), Error> {
    find(program, given).map(drop)
}

/// The functions of the program's allocators, in the order of their numbers.
pub(super) fn find(program: &Program, given: &AllocatorNames) -> Result<Vec<(Func, Role)>, Error> {
    let mut roles = BTreeMap::new();
    for (func, function) in program.functions.iter().filter(|(_, function)| function.defined().is_some()) {
        let fits = |known: &&Known| has_type(program.signature(func), known);
        if let Some(known) = named(function).filter(fits) {
            roles.insert(func, known.role);
        }
    }
    for (standard, name) in given {
        let known = C.iter().find(|known| known.name == standard);
        let func = program.find_function(name).filter(|&func| program.functions[func].defined().is_some());
        match (known, func) {
            (Some(known), Some(func)) if has_type(program.signature(func), known) => {
                roles.insert(func, known.role);
            }
            (Some(_), Some(_)) => {
                return Err(Error::BadAllocator(format!("`{name}` has other parameters than `{standard}`")));
            }
            (Some(_), None) => {
                return Err(Error::BadAllocator(format!("there is no function `{name}` in the program")));
            }
            (None, _) => {
                return Err(Error::BadAllocator(format!("`{standard}` is no function of an allocator")));
            }
        }
    }
    Ok(roles.into_iter().collect())
}

/// The functions by which a program's usual allocators give blocks, and whether what they give is zero.
pub fn allocators(program: &Program) -> Vec<(Func, bool)> {
    let gives = |(func, function): (Func, &Function)| {
        let known = named(function).filter(|known| has_type(program.signature(func), known))?;
        match known.role {
            Role::Allocate { count, .. } => Some((func, count.is_some() || known.name == ZEROED)),
            Role::Reallocate { .. } => Some((func, false)),
            _ => None,
        }
    };
    program.functions.iter().filter_map(gives).collect()
}

fn named(function: &Function) -> Option<&'static Known> {
    let symbol = &function.symbol[..];
    let of_c = || C.iter().find(|known| PREFIXES.iter().any(|prefix| is(symbol, prefix, known.name)));
    let of_rust = || {
        RUST.iter().find(|known| {
            let prefix = symbol.strip_suffix(known.name);
            prefix.is_some_and(|prefix| RUST_PREFIXES.iter().any(|end| prefix.ends_with(end)))
        })
    };
    let is_dlmalloc = function.name.contains("dlmalloc::Dlmalloc");
    let of_dlmalloc =
        || RUST_DLMALLOC.iter().find(|known| is_dlmalloc && function.name.ends_with(known.name));
    of_c().or_else(of_rust).or_else(of_dlmalloc)
}

fn is(symbol: &str, prefix: &str, name: &str) -> bool {
    symbol.strip_prefix(prefix) == Some(name)
}

fn has_type(signature: &Signature, known: &Known) -> bool {
    let results = usize::from(!matches!(known.role, Role::Free { .. }));
    let is_number = |ty: &ValType| *ty == ValType::I32;
    signature.params.len() == known.params
        && signature.results.len() == results
        && signature.params.iter().chain(&signature.results).all(is_number)
}

/// C's functions that read strings in whole words: the bytes around the string are read and ignored.
const WORD_READERS: [&str; 18] = [
    "strlen",
    "strnlen",
    "strchr",
    "strchrnul",
    "__strchrnul",
    "strrchr",
    "memchr",
    "memrchr",
    "__memrchr",
    "rawmemchr",
    "strcpy",
    "stpcpy",
    "__stpcpy",
    "strncpy",
    "stpncpy",
    "__stpncpy",
    "strlcpy",
    "memccpy",
];

/// Whether a function may read bytes beside those that it is about.
pub(super) fn reads_words(function: &Function) -> bool {
    WORD_READERS.contains(&&function.symbol[..])
}
