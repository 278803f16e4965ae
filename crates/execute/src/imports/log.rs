//! What a call of the host has to do with symbols: said by who answers it, done by an engine that has terms.

use crate::path::Concretisation;
use crate::semantics::events::Recorder;
use crate::symbolic::input::byte_name;
use crate::world::length_name;
use coax_term::Term;
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
    Input { address: u64, count: u64, source: Arc<str>, offset: u64 },
    /// It found out whether a source, which has so many bytes, has as many as it needed.
    Enough { source: Arc<str>, needed: u64, length: u64 },
    /// What it did depends on how many bytes a source has.
    Length { source: Arc<str>, length: u64 },
}

/// How many bits the length of a source has: no memory of ours could hold more.
const LENGTH_WIDTH: u8 = 32;

/// An engine that has terms, while a call of the host is being answered.
pub(crate) trait Symbolically {
    /// Where events of the call are recorded, if they are.
    fn recorder(&mut self) -> Option<Recorder<'_>>;
    /// The term of so many bytes, if it is not constant.
    fn term(&mut self, address: u64, count: u8) -> Option<Term>;
    /// These bytes are now the numbers that the call wrote.
    fn clear(&mut self, address: u64, count: u64);
    /// A symbol, which has this value.
    fn symbol(&mut self, name: &str, width: u8, value: u64) -> Term;
    /// A byte that the call wrote is this symbol.
    fn mark(&mut self, address: u64, name: &str);
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

    /// Does what is in the log, which is then empty.
    pub(crate) fn apply(&mut self, engine: &mut impl Symbolically) {
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
                Item::Input { address, count, source, offset } => {
                    for (address, index) in (address..).zip(offset..).take(count as usize) {
                        engine.mark(address, &byte_name(&source, index));
                    }
                }
                Item::Enough { source, needed, length } => {
                    let symbol = engine.symbol(&length_name(&source), LENGTH_WIDTH, length);
                    // More than any source can have: nobody needs a symbol to know that it is not there.
                    if let (Ok(needed), Some(mut recorder)) = (u32::try_from(needed), engine.recorder()) {
                        recorder.enough(symbol, needed.into(), length >= u64::from(needed));
                    }
                }
                Item::Length { source, length } => {
                    let symbol = engine.symbol(&length_name(&source), LENGTH_WIDTH, length);
                    if let Some(mut recorder) = engine.recorder() {
                        recorder.concretise(symbol, length, Concretisation::Length);
                    }
                }
            }
        }
    }
}

/// Bytes of memory, which have this number, cannot stay a term.
fn concretise(engine: &mut impl Symbolically, address: u64, count: u8, bits: u64, reason: Concretisation) {
    if let Some(term) = engine.term(address, count)
        && let Some(mut recorder) = engine.recorder()
    {
        recorder.concretise(term, bits, reason);
    }
}
