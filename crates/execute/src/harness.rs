//! The functions by which test harnesses talk to their tools: coax's own, KLEE's, Test-Comp's, Owi's, WASP's, CBMC's and ESBMC's,
//! SymCC's and AssemblyScript's. A program that was written for one of them runs as it is.
//!
//! `names.rs` knows what they are called and what each means, as one of few [`Service`]s; here is what those do. Prototypes in
//! the wild differ, so a service takes arguments by their places and makes its result of the type that the import has.

mod labels;
mod names;
mod service;

pub use labels::Labels;

use crate::imports::{CallResult, Fault, Guest, Item};
use crate::{CallbackResult, NumberKind, Value};
use coax_program::Signature;
use wasmparser::ValType;

/// What answers a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Service {
    /// The function's name, without what its tool puts in front of all: what has no name of its own is called after it.
    name: String,
    what: What,
    result: Option<ValType>,
}

/// A place among the arguments.
type Place = usize;

/// What a service does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// A number, with its name at this place.
    Number {
        kind: NumberKind,
        name: Option<Place>,
    },
    /// A number that is at least the one at the first place and less than that at the second.
    Range {
        from: Option<Place>,
        to: Place,
        name: Option<Place>,
        kind: RangeKind,
    },
    /// Bytes at an address.
    Object {
        address: Place,
        size: Size,
        name: Option<Place>,
    },
    /// Goes on only if this is true.
    Assume(Place),
    /// Fails unless this is true; perhaps with a text that says what it is.
    Assert {
        condition: Place,
        text: Option<Place>,
    },
    /// Fails; with the texts that say why.
    Fail {
        kind: Failure,
        texts: Vec<Word>,
    },
    /// Ends the program with this exit code.
    Exit(Place),
    /// Ends a run that nobody wants to see.
    Discard,
    /// A label was reached.
    Label(Place),
    /// A function of the program's is not to be looked into.
    Unknown(Place),
    /// A part of the program begins: by its name, or its address and length.
    OpenScope {
        name: Place,
        length: Option<Place>,
    },
    CloseScope,
    /// Answers with an argument, which stays what it is.
    Same(Place),
    /// Answers with the number that an argument has in this run.
    Concrete(Place),
    /// Answers always the same.
    Constant(u64),
    /// Says something on standard error.
    Say(Place),
    /// Writes a character to standard output.
    Print(Place),
    /// Fails unless so many bytes from an address on are in memory.
    CheckAccess {
        address: Place,
        size: Place,
    },
    /// How large the object is that this points into.
    ObjectSize(Place),
}

/// What becomes of a range without a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RangeKind {
    /// Runs with an empty one do not count.
    Lenient,
    /// As KLEE has it: an empty one is a failure, and nobody is asked about a single number.
    Klee,
}

/// How many bytes an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    At(Place),
    Known(u32),
}

/// A part of what is said about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    /// A string of C's.
    Text(Place),
    /// A string of AssemblyScript's.
    Wide(Place),
    /// A number.
    Number(Place),
    /// This.
    Plain(&'static str),
}

/// How a program fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Failure {
    Assertion,
    Abort,
}

impl Service {
    /// What answers this import; none if it is no harness's or cannot be what its name says.
    pub(crate) fn find(module: &str, name: &str, signature: &Signature) -> Option<Service> {
        let service = names::find(module, name, signature)?;
        let is_integer = |ty: &ValType| matches!(ty, ValType::I32 | ValType::I64);
        let places = service.what.places();
        let fits = places.into_iter().all(|place| signature.params.get(place).is_some_and(is_integer));
        let is_number =
            |ty: &ValType| matches!(ty, ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64);
        let numbers = signature.params.iter().chain(&signature.results).all(is_number);
        (fits && numbers && signature.results.len() <= 1).then_some(service)
    }

    /// Answers a call.
    pub(crate) fn call(&self, args: &[Value], guest: &mut Guest<'_>) -> CallResult<Option<Value>> {
        let bits = service::serve(self, args, guest);
        // Who does not look at an argument learns nothing of it.
        let used = self.what.places();
        for place in
            (0..args.len()).filter(|place| !used.contains(place) && !self.what.passes_on(*place, args))
        {
            guest.world.log.add(|| Item::Ignored { place });
        }
        let bits = bits?;
        Ok(self.result.map(|ty| match ty {
            ValType::I64 => Value::I64(bits as i64),
            ValType::F32 => Value::F32(bits as u32),
            ValType::F64 => Value::F64(bits),
            _ => Value::I32(bits as i32),
        }))
    }
}

impl Service {
    /// What answers for a function that the entry is given a pointer to.
    pub(crate) fn of_callback(module: &str, name: &str, signature: &Signature) -> Option<Service> {
        let what = match CallbackResult::of_import(module)? {
            CallbackResult::Number(kind) => What::Number { kind, name: None },
            CallbackResult::Nothing | CallbackResult::Null => What::Constant(0),
        };
        Some(Service { name: format!("{name}()"), what, result: signature.results.first().copied() })
    }
}

impl What {
    /// Whether an argument becomes the result as it is.
    fn passes_on(&self, place: Place, args: &[Value]) -> bool {
        matches!(self, What::Same(same) if *same == place) && args.get(place).is_some()
    }

    /// The arguments that it uses as integers.
    fn places(&self) -> Vec<Place> {
        match self {
            What::Number { name, .. } => name.iter().copied().collect(),
            What::Range { from, to, name, .. } => from.iter().chain([to]).chain(name).copied().collect(),
            What::Object { address, size, name } => {
                let size = if let Size::At(place) = size { Some(*place) } else { None };
                [*address].into_iter().chain(size).chain(*name).collect()
            }
            What::Assume(place)
            | What::Exit(place)
            | What::Label(place)
            | What::Unknown(place)
            | What::Say(place)
            | What::ObjectSize(place)
            | What::Print(place) => vec![*place],
            What::Assert { condition, text } => [*condition].into_iter().chain(*text).collect(),
            What::Fail { texts, .. } => texts
                .iter()
                .filter_map(|word| match word {
                    Word::Text(place) | Word::Wide(place) | Word::Number(place) => Some(*place),
                    Word::Plain(_) => None,
                })
                .collect(),
            What::OpenScope { name, length } => [*name].into_iter().chain(*length).collect(),
            What::CheckAccess { address, size } => vec![*address, *size],
            What::Concrete(place) => vec![*place],
            What::Same(_) | What::Discard | What::CloseScope | What::Constant(_) => Vec::new(),
        }
    }
}

impl From<Failure> for crate::TrapKind {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Assertion => crate::TrapKind::Assertion,
            Failure::Abort => crate::TrapKind::Abort,
        }
    }
}

/// A fault that says that the program failed.
fn failed(failure: Failure, reason: String) -> Fault {
    Fault::Failed { kind: failure.into(), reason: Some(reason).filter(|reason| !reason.is_empty()) }
}
