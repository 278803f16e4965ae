//! Which tests execute which lines: the file `lines.json`, for those who ask about one line.

use super::{Obstacle, Text};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The lines in scope that have code, by file and number: what is known of each, if anything is.
pub type LinesSummary = BTreeMap<String, BTreeMap<u32, Option<LineSummary>>>;

/// What is known of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum LineSummary {
    /// The first of the tests that execute it.
    Covered(Vec<Text>),
    /// What stands in the way.
    Behind(Obstacle),
}
