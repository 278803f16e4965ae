//! What a report says of branches that no run took, and of what stands in their way.

use super::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A direction of a branch that no run took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(expecting = "an object")]
pub struct Uncovered {
    /// What a proof takes for granted; nothing if there is none, or if it holds for all inputs.
    pub assumes: Vec<Text>,
    /// Whether a proof takes anything for granted.
    pub assuming: bool,
    /// The direction in words.
    pub branch: Option<Text>,
    /// The number of the direction.
    pub direction: u32,
    /// The function that it is in.
    pub function: Text,
    /// Where it is.
    pub location: Text,
    /// What stands in the way; nothing if a run came to the branch.
    #[serde(default)]
    pub obstacle: Option<Obstacle>,
    /// The number of the branch in the module.
    pub site: u32,
    /// Why no run took it.
    pub why: Text,
}

/// What stands in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Obstacle {
    /// A branch that was reached and never went in the direction that leads there.
    Direction {
        /// The direction.
        direction: u32,
        /// Where the branch is.
        location: Text,
        /// The number of the branch.
        site: u32,
    },
    /// The function was not called.
    NotCalled {
        /// Its number, by which `uncalled` has it.
        uncalled: u32,
    },
}

/// A function that no run called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Uncalled {
    /// Where it is called, as far as that can be seen; of many calls, the first.
    pub calls: Vec<Text>,
    /// Its name.
    pub function: Text,
    /// How many more calls there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub more_calls: Option<u64>,
    /// Those calls that are in scope.
    pub own_calls: Vec<Text>,
}

impl Uncovered {
    /// Whether it is proved that nothing takes it.
    pub fn is_proved(&self) -> bool {
        self.why.starts_with("proved")
    }
}
