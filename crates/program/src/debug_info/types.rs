//! What the source says of a function's parameters and of types.
//!
//! Types are asked for one at a time, by id: a list's node names its neighbour's type but does not contain it, so types that refer
//! to themselves are nothing special. What bad DWARF leaves out or gets wrong is [`Type::Unknown`], never an error.

mod read;
mod scope;
mod variants;

pub use read::Types;

/// A type, by its place in the debug information.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TypeId(usize);

/// The type of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionType {
    /// Its parameters. Compilers leave out some that are never used.
    pub params: Vec<Parameter>,
    /// Whether it takes more than these (`...`), or nothing is said of what it takes.
    pub has_more: bool,
    /// What it returns; none if nothing.
    pub result: Option<TypeId>,
    /// Whether other files can call it.
    pub is_external: bool,
    /// What it is called there, if that is not its name.
    pub linkage_name: Option<String>,
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in the source.
    pub name: Option<String>,
    /// Its type.
    pub ty: TypeId,
    /// The wasm local that it is in, if it is in one and the compiler says so.
    pub local: Option<u32>,
}

/// A type; names that stand for another type and qualifiers are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// An integer.
    Integer {
        /// Its size.
        bytes: u64,
        /// Whether it has a sign.
        signed: bool,
        /// Whether it is a character of text.
        character: bool,
    },
    /// True or false.
    Boolean {
        /// Its size.
        bytes: u64,
    },
    /// A float.
    Float {
        /// Its size.
        bytes: u64,
    },
    /// One of several numbers that have names.
    Enumeration {
        /// Its size.
        bytes: u64,
        /// Whether it has a sign.
        signed: bool,
        /// The names and their numbers.
        values: Vec<(String, i64)>,
    },
    /// A pointer or reference.
    Pointer {
        /// What it points to; none if that is not said (`void *`).
        to: Option<TypeId>,
        /// Whether what it points to is not changed through it.
        constant: bool,
        /// Whether it is never null: a reference of C++ or Rust.
        reference: bool,
    },
    /// Several of a kind.
    Array {
        /// The kind.
        of: TypeId,
        /// How many; none if that is not said.
        count: Option<u64>,
    },
    /// A structure, class, tuple, Rust slice…
    Structure(Composite),
    /// Members that share their place.
    Union(Composite),
    /// A function; pointers lead to it.
    Function,
    /// Nothing is known of it.
    Unknown,
}

/// A type with members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Composite {
    /// Its name, without the namespaces around it.
    pub name: Option<String>,
    /// Its size.
    pub bytes: u64,
    /// Its members, in the order of the source.
    pub members: Vec<Member>,
    /// The types that it was made for, if it is generic: `T` and what that is.
    pub type_params: Vec<(String, TypeId)>,
    /// Variants, of which one is there at a time (a Rust enum).
    pub variants: Option<Variants>,
    /// Whether it is passed by a pointer to a copy, whatever its size: a C++ class with a destructor or copy constructor of its own.
    pub is_by_reference: bool,
}

/// Of several things one is there at a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variants {
    /// What says which; none if there is only one.
    pub tag: Option<Member>,
    /// All of them.
    pub all: Vec<Variant>,
}

/// One of several things that share their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// What the tag is if it is this one; none if it is anything that is no other's.
    pub value: Option<u64>,
    /// Its name, and what it holds.
    pub member: Member,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; members of members without a name are reached as if they were the structure's own.
    pub name: Option<String>,
    /// Where it begins.
    pub at: u64,
    /// Its type.
    pub ty: TypeId,
    /// Where it begins and how long it is, in bits, if it shares bytes with others.
    pub bits: Option<(u64, u64)>,
}
