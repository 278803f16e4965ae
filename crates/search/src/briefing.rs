//! What is known when a batch begins, as far as its tasks depend on it. With that and its tasks, whoever performs them needs nothing else of the search.

use crate::achieved::Achieved;
use crate::approach::Treatment;
use crate::sending::shared;
use coax_solve::validity::Samples;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// See the module. To copy it costs nothing.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Briefing {
    /// How calls are treated.
    #[serde(with = "shared")]
    pub(crate) treatment: Arc<Treatment>,
    /// What calls of unknown functions have shown.
    #[serde(with = "shared")]
    pub(crate) samples: Arc<Samples>,
    /// What a run has to go beyond to be worth a test.
    #[serde(with = "shared")]
    pub(crate) achieved: Arc<Achieved>,
    /// The sides that only end the program and are not covered: an input that a climb finds and that goes to one of them is kept.
    #[serde(with = "shared")]
    pub(crate) wanted: Arc<BTreeSet<(u32, u32)>>,
    /// Whether it is the first batch: its runs are made even if the search's time is over by then.
    pub(crate) is_first: bool,
}
