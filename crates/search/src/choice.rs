//! One decision of a path, without its terms.

use coax_execute::{Concretisation, Event, EventKind, Question, TrapKind};
use serde::{Deserialize, Serialize};

/// Which way a run went at one of its decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Way {
    /// A branch or switch, in this direction.
    Branch(u32),
    /// An operator that might have trapped, and whether it did.
    Trap(TrapKind, bool),
    /// The world's answer.
    World(Question, u32),
    /// Whether something that was assumed was true.
    Assumption(bool),
    /// Whether something that was asserted was true.
    Assertion(bool),
    /// A term was replaced by this value; what the program adds to the term is not counted.
    Value(u64),
    /// The length of an input was replaced by this value.
    Length(u64),
    /// A buffer has this length, as far as that matters: what was read of it is true of no other.
    Kept { buffer: u32, length: u64 },
    /// A call of an unknown function read so much and no more, by a number for what it read: what comes afterwards is another path for each.
    Fork(u64),
    /// The same, of the runs in which it did: each is asked for an input with which it reads something else.
    Shape(u64),
    /// Strings have this room: no decision of the program's ([`crate::texts`]).
    Room(u64),
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// Byte offset of the operator in the plain module.
    pub(crate) at: u32,
    pub(crate) way: Way,
    /// Where the run decided next in code that is to be covered, if it did: flipping a decision of a library is for that.
    pub(crate) next: Option<u32>,
    /// How often the run had been here before, about: 0, 1, 2, 3, 4 to 5, 6 to 7, 8 to 11 …
    pub(crate) round: u8,
    /// Stands for what is asked here, and what of the path has to do with it: the same question may come up on other paths.
    pub(crate) question: u64,
}

impl Choice {
    /// The decision of an event; none if it constrains nothing.
    pub(crate) fn of(event: &Event) -> Option<Choice> {
        let way = match event.kind {
            EventKind::Branch { direction } => Way::Branch(direction),
            EventKind::Select { .. } => return None,
            EventKind::Trap { kind, trapped } => Way::Trap(kind, trapped),
            EventKind::World { question, direction } => Way::World(question, direction),
            EventKind::Assumption { held } => Way::Assumption(held),
            EventKind::Assertion { held } => Way::Assertion(held),
            EventKind::Concretised { value, reason: Concretisation::Length, .. } => Way::Length(value),
            EventKind::Concretised { value, .. } => Way::Value(value),
        };
        Some(Choice { at: event.at, way, next: None, round: 0, question: 0 })
    }
}

impl Way {
    /// Whether it is about the length of something.
    pub(crate) fn is_length(self) -> bool {
        matches!(self, Way::Length(_) | Way::Kept { .. })
    }

    /// The value that a term was replaced by.
    pub(crate) fn value(self) -> Option<u64> {
        match self {
            Way::Value(value) | Way::Length(value) | Way::Kept { length: value, .. } => Some(value),
            _ => None,
        }
    }
}

/// A count, exactly if it is small, roughly if it is not: there are two steps to a power of two.
pub(crate) fn round(count: u32) -> u8 {
    match count.checked_ilog2() {
        None | Some(0) => count as u8,
        Some(power) => (2 * power + (count >> (power - 1) & 1)) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_exact_at_first() {
        let rounds: Vec<u8> = [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 16].into_iter().map(round).collect();
        assert_eq!(rounds, [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8]);
    }
}
