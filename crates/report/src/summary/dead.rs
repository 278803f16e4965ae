//! What a report says of dead code.

use super::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Code that nothing gets to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Dead {
    /// What proofs take for granted without which some of its lines may not be dead.
    pub assumes: Vec<Text>,
    /// Whether they take anything for granted.
    pub assuming: bool,
    /// Where the conditions are that contradict each other.
    #[serde(default)]
    pub because: Vec<Text>,
    /// The direction that leads there and that nothing takes, in words.
    pub branch: Option<Text>,
    /// The function that it is in, or is.
    pub function: Text,
    /// Its lines, by file.
    #[serde(default)]
    pub lines: BTreeMap<String, BTreeSet<u32>>,
    /// The branch that leads there; nothing if the whole function is dead.
    pub location: Option<Text>,
}
