//! What a report says of failures, places that were to be reached, and how it was found.

use super::Text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A way to fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Bug {
    /// The function that it is in, of those of the user.
    pub function: Option<Text>,
    /// How many runs failed so.
    pub hits: u64,
    /// What happened, as one word: `panic`, `assertion`, `heap-buffer-overflow` …
    pub kind: Text,
    /// With `--baseline`: whether the file has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub known: Option<bool>,
    /// Where it is.
    pub location: Option<Text>,
    /// What the program said of it, or what is known beyond the kind, on one line.
    #[serde(default)]
    pub message: Option<Text>,
    /// What it supposes of a caller who need not do so.
    #[serde(default)]
    pub supposes: Vec<Text>,
    /// The test that shows it.
    pub test: Text,
}

impl Bug {
    /// Whether a baseline has it.
    pub fn is_known(&self) -> bool {
        self.known == Some(true)
    }
}

/// What was found out about a place that was to be reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TargetVerdict {
    /// What a verdict of unreachable takes for granted; nothing if it holds for all inputs.
    #[serde(default)]
    pub assumes: Vec<Text>,
    /// Why, unless a test reaches it.
    pub reason: Option<Text>,
    /// Straight-line pieces that the backward search went through.
    pub segments: u64,
    /// The place, as the user calls it.
    pub target: Text,
    /// The test that reaches it.
    pub test: Option<Text>,
    /// What is known.
    pub verdict: Verdict,
}

/// What is known of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A test reaches it.
    Reached,
    /// Nothing reaches it.
    Unreachable,
    /// Neither, or it is not there.
    Unknown,
}

impl Verdict {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Reached => "reached",
            Verdict::Unreachable => "unreachable",
            Verdict::Unknown => "unknown",
        }
    }
}

/// A function whose calls were not followed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownFunction {
    /// Where it was too hard to follow, if it became unknown by itself.
    #[serde(default)]
    pub because_of: Option<Text>,
    /// How often it was called directly.
    pub direct_calls: u64,
    /// Whether what earlier searches saw of it was not true any more.
    #[serde(default)]
    pub earlier_contradicted: bool,
    /// Whether it was followed in the end, because nothing was found otherwise.
    #[serde(default)]
    pub followed_at_last: bool,
    /// Its name.
    pub name: Text,
    /// Whether somebody named it.
    #[serde(default)]
    pub named: bool,
    /// Why it was followed after all: it is no function of what it is given.
    #[serde(default)]
    pub no_function: Option<Text>,
    /// Calls that showed nothing.
    #[serde(default)]
    pub refused: u64,
    /// Values that it was seen to give.
    pub samples: u64,
}

/// How a test was found that took a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Strategy {
    /// What was done, one step after the other.
    #[serde(default)]
    pub steps: Vec<Text>,
    /// The test.
    pub test: Text,
}

/// An input that could not be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotRun {
    /// The input, as tests have it.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub input: Value,
    /// Why, in one sentence.
    pub why: Text,
}
