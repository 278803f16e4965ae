//! A function's identity across versions of its program.
//!
//! Two functions have the same [`FuncHash`] exactly if they have the same type, the same locals and the
//! same operators with the same immediates, where immediates that depend on the rest of the program are
//! compared by what they stand for:
//!
//! * a called or referenced function by its name, without the hash that older Rust symbols end with. The
//!   callee's code does not count: who depends on it compares the callee's hash as well. If only its own
//!   file can see the name (`static`), the file's name is part of it, known from the debug information;
//!   the instances of a Rust generic are told apart by their type parameters. What is then still equal
//!   is told apart by its order in the module.
//! * the address of a variable by its name (`static` data with the name of its file) and the distance from
//!   its start. Its initial value does not count;
//! * the address of constant data in the same way, and by what it contains: a table is as good as code.
//!   Pointers in it are again compared by what they stand for. Constants without a name (string literals,
//!   tables of a `switch`) are known by their contents alone. Line and column of a Rust panic's location do
//!   not count, as they change when a function merely moves;
//! * types by parameters and results; globals, tables and tags by name, else by number.
//!
//! The function's own name, its place in the module and its debug information do not count.
//!
//! Which constants are addresses is known only if the linker left its relocations (`--emit-relocs`). In a
//! module without them ([`Hasher::relocations`] is false), or in one that another tool rewrote afterwards,
//! constants are compared as they are: functions that mention addresses then change when data moves. Equal
//! hashes still mean equal operators, but an address may have another meaning.
//!
//! Who wants to know whether a function still *gives* the same compares what variables begin with as well: [`Hasher::with_initial_values`].

mod body;
mod data;
mod digest;
mod identity;
pub(crate) mod linking;

use crate::program::{Func, Program};
use body::BodyHash;
use data::Contents;
use digest::{Digest, Part};
use identity::Identities;
use linking::Linking;
use std::fmt;

/// Hash of a function's code, see [the module](self).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncHash(pub u128);

impl fmt::Display for FuncHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Hashes the functions of a program; may be shared by threads.
pub struct Hasher<'a> {
    program: &'a Program,
    linking: Option<Linking<'a>>,
    identities: Identities,
    /// All that memory and globals begin with, where nobody knows what of it a function uses.
    initial: Option<u128>,
}

impl<'a> Hasher<'a> {
    /// A hasher for a program. Everything but its hashes must be there.
    pub fn new(program: &'a Program) -> Hasher<'a> {
        let linking = Linking::read(program);
        let identities = Identities::new(program, linking.as_ref(), Contents::OfConstants);
        Hasher { program, linking, identities, initial: None }
    }

    /// The same, where what a variable begins with counts as what a constant contains does. Without relocations all data counts for each function.
    pub fn with_initial_values(program: &'a Program) -> Hasher<'a> {
        let linking = Linking::read(program);
        let identities = Identities::new(program, linking.as_ref(), Contents::OfAll);
        let initial = linking.is_none().then(|| data::all(program));
        Hasher { program, linking, identities, initial }
    }

    /// Whether the linker's relocations are there, so that addresses do not count.
    pub fn relocations(&self) -> bool {
        self.linking.is_some()
    }

    /// The hash of a function; `None` if it is imported.
    pub fn hash(&self, func: Func) -> Option<FuncHash> {
        let range = self.program.functions[func].defined()?.range.clone();
        let type_index = self.program.functions[func].type_index as usize;
        let mut digest = Digest::new("function");
        digest.add(Part::Identity, self.identities.types[type_index].as_bytes());
        if let Some(initial) = self.initial {
            digest.add(Part::Bytes, &initial.to_le_bytes());
        }
        let mut body = BodyHash {
            wasm: &self.program.wasm,
            identities: &self.identities,
            linking: self.linking.as_ref(),
            digest,
        };
        body.add_body(range).expect("a validated body");
        Some(FuncHash(body.digest.finish()))
    }
}
