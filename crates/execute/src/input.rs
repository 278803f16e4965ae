//! What a program is given.

use crate::{Argument, Data, IoFault, Request, imports};
use coax_program::Program;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// What a program is given: everything that may influence a run. The same input gives the same run.
///
/// Its form leaves out what is as usual, and says what is what; in forms that only machines read, it is that form as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, remote = "Self")]
pub struct Input {
    /// The function to call. Default: `_start`, else the only exported function that is not the tool chain's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<String>,
    /// Its parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Argument>,
    /// The program's arguments, without its name. Zero bytes at the end of one are room for a longer one, which the program
    /// does not see as part of the string.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<Data>,
    /// Standard input.
    #[serde(skip_serializing_if = "Data::is_empty")]
    pub stdin: Data,
    /// What it gets when it asks for values by its test harness, in the order in which it asks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Request>,
    /// What answers imports that nobody has: a number, or `unknown` for values that it asks for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub stubs: BTreeMap<String, String>,
    /// The environment variables.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The files under `/`, by relative path with `/` between its parts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Data>,
    /// Reads and writes that go wrong, by their number: the first of the run is 1.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub faults: BTreeMap<u64, IoFault>,
    /// Which of arguments, standard input and files are symbols in a run that has any: `stdin`, `arg1`, `files/NAME`; with the most
    /// bytes that there can be, if that is known. Default: all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbols: Option<BTreeMap<String, Option<u64>>>,
    /// When the run begins, in nanoseconds since 1970. Default: with the year 2000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// What random numbers are made from.
    #[serde(skip_serializing_if = "is_zero")]
    pub seed: u64,
}

impl Input {
    /// Stubs for all functions that a program imports and nobody provides, beside these: each returns a value that is unknown, and does nothing.
    pub fn stubs_for_missing(
        program: &Program,
        stubs: &BTreeMap<String, String>,
    ) -> BTreeMap<String, String> {
        let missing = imports::stubbable(program, stubs).into_iter();
        missing.map(|name| (name, imports::UNKNOWN.to_owned())).collect()
    }

    /// Whether a part of the surroundings may be symbols.
    pub(crate) fn is_symbolic(&self, source: &str) -> bool {
        self.symbols.as_ref().is_none_or(|symbols| symbols.contains_key(source))
    }

    /// How many bytes a part of the surroundings can have, if that is known.
    pub(crate) fn most_bytes(&self, source: &str) -> Option<u64> {
        *self.symbols.as_ref()?.get(source)?
    }
}

impl Serialize for Input {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return Input::serialize(self, serializer);
        }
        let json = serde_json::to_string(self).map_err(serde::ser::Error::custom)?;
        serializer.serialize_str(&json)
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Input::deserialize(deserializer);
        }
        let json = String::deserialize(deserializer)?;
        serde_json::from_str(&json).map_err(serde::de::Error::custom)
    }
}

fn is_zero(seed: &u64) -> bool {
    *seed == 0
}
