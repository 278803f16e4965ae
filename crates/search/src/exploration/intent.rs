//! Which way a run is to go that does not promise to: with another length a checksum is another, and the run fails where the one before went through.
//! Then it is asked at once for an input that goes on as was wanted (path repair).

use super::NodeId;

/// How often a run is brought back.
const MOST_TURNS: u8 = 6;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Intent {
    /// The decision that the run is to come to.
    pub(crate) goal: NodeId,
    /// How it is then to go on.
    pub(crate) then: Then,
    /// How often it may be brought back.
    pub(crate) turns: u8,
}

/// How a run is to go on from a decision.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Then {
    /// As it likes.
    Anyhow,
    /// As the first run did that came there.
    AsFirst,
    /// This way, by its number.
    ThisWay(usize),
}

impl Intent {
    /// A run is to come to a decision, and to go on so.
    pub(crate) fn new(goal: NodeId, then: Then) -> Intent {
        Intent { goal, then, turns: MOST_TURNS }
    }
}
