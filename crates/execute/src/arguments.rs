//! The parameters of an entry function: what they are in an input, how they are laid out in memory, and how they are made.
//!
//! ```text
//! DWARF ── make.rs, abi.rs ──▶ Shape ── defaults.rs ──▶ Argument      readable, self-contained: a test needs no DWARF
//! Argument ── planner.rs ──▶ ParameterPlan    blocks of bytes, the pointers between them, the symbols in them
//! ParameterPlan ── prepare.rs ──▶ numbers for the call  the same in every engine: each is a `Machine`
//! ```

mod abi;
mod assign;
mod callback;
mod defaults;
mod json;
mod lengths;
mod make;
mod negative;
mod number;
mod plan;
mod planner;
mod prepare;
mod rule;
mod sequence;
mod settle;
mod shape;
mod spare;
mod variants;

pub(crate) use assign::{Values, assign, bytes as assign_bytes};
pub(crate) use plan::{ParameterPlan, PlannedSymbol};
pub(crate) use planner::Naming;
pub(crate) use prepare::{Machine, NoRoom, fuzz_initializer_plan, prepare, take_room};

pub use callback::{Callback, CallbackResult};
pub use number::{Number, NumberKind};
pub use rule::Rule;
pub use shape::{FieldShape, Layout, ParamShape, Shape, Shapes};

use crate::{Data, Value};

/// A parameter of the entry function, or a field of an object that it leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// What its symbols are called. Default: `param0` by its position; a field `+4` by its place. A field whose name is empty is called as the
    /// object is.
    pub name: Option<String>,
    /// Its value.
    pub content: Content,
    /// Whether it is always this: no symbol. Default: it is not.
    pub fixed: bool,
    /// Which values it may have: a run on others does not count. Default: any.
    pub rule: Option<Rule>,
    /// How many bytes of zeros are behind what it leads to, whose size is a guess. Default: none.
    pub spare: u64,
}

/// The value of a parameter or field.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// A number.
    Number(Number),
    /// A pointer to these bytes.
    Bytes(Room, Data),
    /// A pointer to these bytes and a zero behind them.
    Text(Room, Data),
    /// How many elements of so many bytes the parameter or field of this name leads to. As the only field of an object, it is that of a
    /// parameter or field beside the pointer to the object.
    LengthOf {
        /// The parameter beside this one, or field of the same object.
        name: String,
        /// The size of what is counted. Default: 1.
        element: u64,
        /// What kind of number it is. Default: as wide as the parameter, or as a pointer.
        kind: Option<NumberKind>,
        /// What else has as many elements. Default: nothing.
        also: Vec<Counted>,
    },
    /// A pointer to an object, or null.
    Pointer(Option<Object>),
    /// Bytes that are in the object itself; only fields can be.
    Inline(Data),
    /// A pointer to a function that returns anything.
    Callback(Callback),
}

/// Something that has a length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Counted {
    /// The parameter or field that leads to it.
    pub name: String,
    /// The size of an element.
    pub element: u64,
}

/// Something in memory that a pointer leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// Where its memory comes from.
    pub room: Room,
    /// How many bytes it has; those that belong to no field are zero.
    pub size: u64,
    /// How many bytes are there at least, whatever its length says: a pointer to a structure may be to a single one, and the number beside it
    /// something else.
    pub least: u64,
    /// What is in it. Of an array without elements these are the fields of its first one, if it had one.
    pub fields: Vec<Field>,
}

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Where it begins.
    pub at: u64,
    /// What it is.
    pub argument: Argument,
}

/// Where memory comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Room {
    /// New pages at the end of the memory, so that the program cannot read past the last object.
    #[default]
    Pages,
    /// The program's own allocator, so that the program may free or resize it; new pages if it has none.
    Heap,
}

impl Object {
    /// So many bytes with these fields.
    pub fn new(room: Room, size: u64, fields: Vec<Field>) -> Object {
        Object { room, size, least: 0, fields }
    }

    /// How many bytes of memory it takes.
    pub(crate) fn room_bytes(&self) -> u64 {
        self.size.max(self.least)
    }

    /// Whether all it has is the length of something beside the pointer that leads to it.
    pub fn is_length(&self) -> bool {
        matches!(&self.fields[..], [Field { argument, .. }] if matches!(argument.content, Content::LengthOf { .. }))
    }
}

impl Content {
    /// The length of what has this name, in elements of so many bytes.
    pub fn length_of(name: impl Into<String>, element: u64) -> Content {
        Content::LengthOf { name: name.into(), element, kind: None, also: Vec::new() }
    }

    /// How many bytes a pointer leads to, or lie here; none if it is neither.
    pub fn byte_count(&self) -> Option<u64> {
        match self {
            Content::Bytes(_, bytes) | Content::Text(_, bytes) | Content::Inline(bytes) => {
                Some(bytes.0.len() as u64)
            }
            Content::Pointer(Some(object)) => Some(object.size),
            Content::Pointer(None) => Some(0),
            Content::Number(_) | Content::LengthOf { .. } | Content::Callback(_) => None,
        }
    }
}

impl Argument {
    /// A value without a name.
    pub fn new(content: Content) -> Argument {
        Argument { name: None, content, fixed: false, rule: None, spare: 0 }
    }

    /// Plain values, in order.
    pub fn list(values: &[Value]) -> Vec<Argument> {
        values.iter().copied().map(Argument::from).collect()
    }

    /// The same with a name.
    pub fn named(self, name: impl Into<String>) -> Argument {
        Argument { name: Some(name.into()), ..self }
    }

    /// The same, but no symbol.
    pub fn fixed(self) -> Argument {
        Argument { fixed: true, ..self }
    }

    /// The same, but only some values are possible.
    pub fn under(self, rule: Option<Rule>) -> Argument {
        Argument { rule, ..self }
    }

    /// What stands beside it whose length it is, or leads to, by name.
    pub fn counts(&self) -> Vec<String> {
        match &self.content {
            Content::LengthOf { name, also, .. } => {
                [name].into_iter().chain(also.iter().map(|also| &also.name)).cloned().collect()
            }
            Content::Pointer(Some(object)) if object.is_length() => object.fields[0].argument.counts(),
            _ => Vec::new(),
        }
    }

    /// The value, if it is a plain one of wasm's.
    pub fn as_value(&self) -> Option<Value> {
        match self.content {
            Content::Number(Number::Value(value)) => Some(value),
            _ => None,
        }
    }
}

impl From<Value> for Argument {
    fn from(value: Value) -> Argument {
        Argument::new(Content::Number(Number::Value(value)))
    }
}

impl PartialEq<Value> for Argument {
    fn eq(&self, value: &Value) -> bool {
        self.as_value() == Some(*value)
    }
}
