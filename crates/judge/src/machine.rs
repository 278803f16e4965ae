//! What a judge needs from an engine that runs wasm: a small trait, and plain data for what happened.

pub mod reference;
mod wasmtime;

pub use self::reference::ReferenceMachine;
pub use self::wasmtime::{
    Fault, THREAD_STACK_BYTES, WasmtimeMachine, default_value, engine, fault, value_from, value_into,
};

/// An engine that holds the instances of one script.
pub trait Machine {
    /// Instantiates a module; imports come from the `spectest` module and from what was registered.
    fn instantiate(&mut self, wasm: &[u8]) -> Result<Instance, Failure>;

    /// Makes the exports of an instance importable under a module name.
    fn register(&mut self, name: &str, instance: Instance) -> Result<(), Failure>;

    /// Calls an exported function.
    fn invoke(&mut self, instance: Instance, name: &str, args: &[Value]) -> Result<Vec<Value>, Failure>;

    /// Reads an exported global.
    fn global(&mut self, instance: Instance, name: &str) -> Result<Value, Failure>;
}

/// An instance of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance(pub usize);

/// A wasm value; floats as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// An i32.
    I32(u32),
    /// An i64.
    I64(u64),
    /// The bits of an f32.
    F32(u32),
    /// The bits of an f64.
    F64(u64),
    /// A v128, its first lane in the low bits.
    V128(u128),
    /// A null reference.
    Null,
    /// A reference of the host's, by its number.
    Extern(u32),
    /// Some function.
    Func,
    /// Some exception.
    Exn,
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The code trapped.
    Trap(Trap),
    /// The code threw an exception that it did not catch.
    Exception,
    /// The module's imports are not there, or are of other types.
    Unlinkable(String),
    /// The module could not be loaded at all, on the way that the message names.
    Refused(String),
    /// The judge asked for something that does not exist, or the engine is broken.
    Other(String),
}

/// Why the code trapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are wasm's own")]
pub enum Trap {
    Unreachable,
    MemoryOutOfBounds,
    TableOutOfBounds,
    UninitializedElement,
    IndirectCallTypeMismatch,
    IntegerDivideByZero,
    IntegerOverflow,
    InvalidConversion,
    NullReference,
    StackExhausted,
}

impl Trap {
    /// What the spec testsuite calls this trap.
    pub fn spec_messages(self) -> &'static [&'static str] {
        match self {
            Trap::Unreachable => &["unreachable"],
            Trap::MemoryOutOfBounds => &["out of bounds memory access"],
            Trap::TableOutOfBounds => &["out of bounds table access", "undefined element"],
            Trap::UninitializedElement => &["uninitialized element"],
            Trap::IndirectCallTypeMismatch => &["indirect call type mismatch"],
            Trap::IntegerDivideByZero => &["integer divide by zero"],
            Trap::IntegerOverflow => &["integer overflow"],
            Trap::InvalidConversion => &["invalid conversion to integer"],
            Trap::NullReference => &["null reference", "null exception reference", "null function reference"],
            Trap::StackExhausted => &["call stack exhausted"],
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Trap(trap) => write!(f, "trap: {}", trap.spec_messages()[0]),
            Failure::Exception => write!(f, "uncaught exception"),
            Failure::Unlinkable(message) => write!(f, "cannot be linked: {message}"),
            Failure::Refused(message) => write!(f, "refused: {message}"),
            Failure::Other(message) => write!(f, "{message}"),
        }
    }
}
