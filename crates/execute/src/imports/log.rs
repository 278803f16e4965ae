//! What a call of the host has to do with symbols: said by who answers it, done by an engine that has terms.

use crate::path::Concretisation;
use crate::semantics::choice;
use crate::semantics::events::Recorder;
use crate::symbolic::input::byte_name;
use crate::world::{fault_name, length_name};
use coax_term::{Algebra, Term};
use std::sync::Arc;

/// What calls of the host have to do with symbols, in the order in which it happened.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// Whether anybody wants to know.
    pub(crate) on: bool,
    items: Vec<Item>,
}

/// Something that a call did.
#[derive(Debug)]
pub(crate) enum Item {
    /// What it did depends on this number in memory, of so many bytes.
    Number { address: u64, count: u8, bits: u64 },
    /// What it did, or what others will read elsewhere, depends on each of these bytes.
    Bytes { address: u64, bytes: Vec<u8>, reason: Concretisation },
    /// It wrote numbers.
    Wrote { address: u64, count: u64 },
    /// It wrote bytes of the input, from this one on.
    Input { address: u64, bytes: Vec<u8>, source: Arc<str>, offset: u64 },
    /// It found out whether a source, which has so many bytes, has as many as it needed.
    Enough { source: Arc<str>, needed: u64, length: u64 },
    /// It is the first to find out about the length of a source, of which it is known that it is at most this.
    AtMost { source: Arc<str>, most: u64, length: u64 },
    /// What it did depends on how many bytes a source has.
    Length { source: Arc<str>, length: u64 },
    /// It is the read or write with this number, and goes wrong in this way, or does not (0).
    Fault { number: u64, value: u64 },
    /// It says that an argument is true, or is not.
    Condition { place: usize, condition: Condition, held: bool },
    /// It did not look at an argument.
    Ignored { place: usize },
    /// Its result is an argument, whatever that is.
    Same { place: usize },
    /// Its result is a symbol with this value, extended to the width of the result.
    Result { name: Arc<str>, width: u8, bits: u64, extended: Extended },
    /// The symbol that is its result is at least the first and less than the second, or is not.
    Bounds { from: u32, to: u32, held: bool },
}

/// How a symbol becomes a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extended {
    /// How many bits the result has.
    pub(crate) width: u8,
    /// Whether by its sign.
    pub(crate) signed: bool,
    /// The result's bits.
    pub(crate) bits: u64,
}

/// What a program says about a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Runs in which it does not hold do not count.
    Assumed,
    /// A run in which it does not hold is a failure.
    Asserted,
}

/// How many bits the length of a source has: no memory of ours could hold more.
const LENGTH_WIDTH: u8 = 32;

/// As many bits as there are ways for a read or write to go.
const FAULT_WIDTH: u8 = 2;

/// An engine that has terms, while a call of the host is being answered.
pub(crate) trait Symbolically {
    /// Where events of the call are recorded, if they are.
    fn recorder(&mut self) -> Option<Recorder<'_>>;
    /// The terms of the arguments that have one, and their numbers.
    fn arguments(&mut self) -> Vec<Option<(Term, u64)>>;
    /// The result is this, and has these bits.
    fn answer(&mut self, result: Term, bits: u64);
    /// The term of so many bytes, whose number was this when the call read them, if it is not constant.
    fn term(&mut self, address: u64, count: u8, bits: u64) -> Option<Term>;
    /// These bytes are now the numbers that the call wrote.
    fn clear(&mut self, address: u64, count: u64);
    /// A symbol, which has this value.
    fn symbol(&mut self, name: &str, width: u8, value: u64) -> Term;
    /// A byte that the call wrote, which is this number, is this symbol.
    fn mark(&mut self, address: u64, name: &str, byte: u8);
}

impl Log {
    /// A log that somebody reads.
    pub(crate) fn kept() -> Log {
        Log { on: true, items: Vec::new() }
    }

    /// Adds something, if anybody wants to know.
    pub(crate) fn add(&mut self, item: impl FnOnce() -> Item) {
        if self.on {
            self.items.push(item());
        }
    }

    /// Takes the bytes of memory that were read and written: where they begin, how many they are, whether they were written.
    pub(crate) fn take_accesses(&mut self) -> Vec<(u64, u64, bool)> {
        let access = |item: Item| match item {
            Item::Number { address, count, .. } => Some((address, count.into(), false)),
            Item::Bytes { address, bytes, .. } => Some((address, bytes.len() as u64, false)),
            Item::Wrote { address, count } => Some((address, count, true)),
            _ => None,
        };
        std::mem::take(&mut self.items).into_iter().filter_map(access).collect()
    }

    /// How many symbols it makes.
    pub(crate) fn symbols(&self) -> u64 {
        let count = |item: &Item| if let Item::Input { bytes, .. } = item { bytes.len() as u64 } else { 1 };
        self.items.iter().map(count).sum()
    }

    /// Does what is in the log, which is then empty. Arguments that it does not mention are concretised: whoever answered the call
    /// has seen numbers.
    pub(crate) fn apply(&mut self, engine: &mut impl Symbolically) {
        let arguments = engine.arguments();
        for (place, argument) in arguments.iter().enumerate() {
            let is_it = |item: &Item| {
                matches!(item, Item::Condition { place: other, .. } | Item::Ignored { place: other }
                    | Item::Same { place: other } if *other == place)
            };
            if let Some((term, bits)) = *argument
                && !self.items.iter().any(is_it)
                && let Some(mut recorder) = engine.recorder()
            {
                recorder.concretise(term, bits, Concretisation::Import);
            }
        }
        let mut result = None;
        for item in self.items.drain(..) {
            match item {
                Item::Number { address, count, bits } => {
                    concretise(engine, address, count, bits, Concretisation::Import);
                }
                Item::Bytes { address, bytes, reason } => {
                    for (address, byte) in (address..).zip(bytes) {
                        concretise(engine, address, 1, byte.into(), reason);
                    }
                }
                Item::Wrote { address, count } => engine.clear(address, count),
                Item::Input { address, bytes, source, offset } => {
                    for ((address, index), byte) in (address..).zip(offset..).zip(bytes) {
                        engine.mark(address, &byte_name(&source, index), byte);
                    }
                }
                Item::Enough { source, needed, length } => {
                    let symbol = engine.symbol(&length_name(&source), LENGTH_WIDTH, length);
                    // More than any source can have: nobody needs a symbol to know that it is not there.
                    if let (Ok(needed), Some(mut recorder)) = (u32::try_from(needed), engine.recorder()) {
                        recorder.enough(symbol, needed.into(), length >= u64::from(needed));
                    }
                }
                Item::AtMost { source, most, length } => {
                    let symbol = engine.symbol(&length_name(&source), LENGTH_WIDTH, length);
                    if let Some(mut recorder) = engine.recorder() {
                        recorder.at_most(symbol, most);
                    }
                }
                Item::Length { source, length } => {
                    let symbol = engine.symbol(&length_name(&source), LENGTH_WIDTH, length);
                    if let Some(mut recorder) = engine.recorder() {
                        recorder.concretise(symbol, length, Concretisation::Length);
                    }
                }
                Item::Fault { number, value } => {
                    let symbol = engine.symbol(&fault_name(number), FAULT_WIDTH, value);
                    if let Some(mut recorder) = engine.recorder() {
                        recorder.fault(symbol, value);
                    }
                }
                Item::Condition { place, condition, held } => {
                    let term = arguments.get(place).copied().flatten();
                    if let (Some((term, _)), Some(mut recorder)) = (term, engine.recorder()) {
                        let truth = choice::truth(recorder.terms, term);
                        recorder.condition(truth, condition == Condition::Asserted, held);
                    }
                }
                Item::Result { name, width, bits, extended } => {
                    let symbol = engine.symbol(&name, width, bits);
                    result = Some(symbol);
                    if let Some(recorder) = engine.recorder() {
                        let term = match extended.signed {
                            true => recorder.terms.sign_extend(symbol, extended.width),
                            false => recorder.terms.zero_extend(symbol, extended.width),
                        };
                        engine.answer(term, extended.bits);
                    }
                }
                Item::Ignored { .. } => {}
                Item::Same { place } => {
                    if let Some((term, bits)) = arguments.get(place).copied().flatten() {
                        engine.answer(term, bits);
                    }
                }
                Item::Bounds { from, to, held } => {
                    if let (Some(symbol), Some(mut recorder)) = (result, engine.recorder()) {
                        recorder.bounds(symbol, from, to, held);
                    }
                }
            }
        }
    }
}

/// Bytes of memory, which have this number, cannot stay a term.
fn concretise(engine: &mut impl Symbolically, address: u64, count: u8, bits: u64, reason: Concretisation) {
    if let Some(term) = engine.term(address, count, bits)
        && let Some(mut recorder) = engine.recorder()
    {
        recorder.concretise(term, bits, reason);
    }
}
