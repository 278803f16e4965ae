//! A path as text: what both the writer and the reader know of the form.
//!
//! ```text
//! coax path 1                                    the form and its version
//! symbol param0:32                               the symbols, each with its width
//! symbol param1:32
//! ($1 (add param0 param1))                       a term that is needed more than once, or is long
//! branch 0x40 1 (ult $1 7:32)                    the events: place, decision, condition
//! select 0x4a 0 (not (eq $1 3:32))
//! answer 0x60 length 1 (ule 4:32 stdin.length)
//! assumption 0x66 yes (ult $1 9:32)
//! trap 0x52 memory-out-of-bounds no (ult $1 0x10000:32)
//! concretised 0x52 address 4 $1 (eq $1 4:32)     reason, value and term before the condition
//! end 4                                          how many events there are
//! ```
//!
//! Terms are written as everywhere. Each name is defined before it is used, each line is complete by itself, and the last
//! one tells whether the file is. A term is written once, so the text is as long as the path has nodes.

use serde::de::IntoDeserializer;
use serde::de::value::Error;
use serde::{Deserialize, Serialize};

/// The first word of a file.
pub(super) const HEAD: &str = "coax path";
/// Counts up when files that were written before cannot be read any more.
pub(super) const VERSION: u32 = 1;

pub(super) const SYMBOL: &str = "symbol";
pub(super) const BRANCH: &str = "branch";
pub(super) const SELECT: &str = "select";
pub(super) const ANSWER: &str = "answer";
pub(super) const ASSUMPTION: &str = "assumption";
pub(super) const ASSERTION: &str = "assertion";
pub(super) const TRAP: &str = "trap";
pub(super) const CONCRETISED: &str = "concretised";
pub(super) const END: &str = "end";
pub(super) const YES: &str = "yes";
pub(super) const NO: &str = "no";

/// The word for a kind of trap or a reason; the same as in other files.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("kinds and reasons are words, not {other:?}"),
    }
}

/// What such a word means.
pub(super) fn meaning<T: for<'de> Deserialize<'de>>(word: &str) -> Option<T> {
    let deserializer: serde::de::value::StrDeserializer<'_, Error> = word.into_deserializer();
    T::deserialize(deserializer).ok()
}
