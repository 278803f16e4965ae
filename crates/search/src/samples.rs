//! What calls of unknown functions have shown: in a batch, where each slot has its own, and for other searches.

use crate::sending::json;
use coax_solve::validity::{Added, Samples};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One thing that a call of an unknown function has shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The function of the program.
    pub func: u32,
    /// The name of the function that terms have.
    pub function: String,
    /// What it was given.
    pub arguments: Vec<u64>,
    /// What came out of it.
    pub value: u64,
    /// Whether the program calls it so whatever the input is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_own: bool,
    /// Whether it is of an earlier search, so that it may not be true any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_earlier: bool,
}

impl Sample {
    /// Adds it to others.
    pub(crate) fn add_to(&self, samples: &mut Samples) -> Added {
        match self.is_own {
            true => samples.add_own(&self.function, &self.arguments, self.value),
            false => samples.add(&self.function, &self.arguments, self.value),
        }
    }
}

/// What a slot has learned in a batch.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Fresh {
    /// All of it, for those who ask later in the batch.
    #[serde(skip)]
    pub(crate) known: Samples,
    #[serde(with = "json")]
    pub(crate) by_runs: Vec<Sample>,
    #[serde(with = "json")]
    pub(crate) by_calls: Vec<Sample>,
    /// How often functions were called directly, by function.
    pub(crate) calls: BTreeMap<u32, u64>,
}

impl Fresh {
    pub(crate) fn run_showed(&mut self, sample: Sample) {
        sample.add_to(&mut self.known);
        self.by_runs.push(sample);
    }

    pub(crate) fn call_showed(&mut self, sample: Sample) {
        sample.add_to(&mut self.known);
        self.by_calls.push(sample);
    }
}
