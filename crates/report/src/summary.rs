//! The report that other programs read, as types: `report.json` is a [`Summary`]. Its schema, for those who read it in another language, is
//! made of these types, and their comments are its descriptions.
//!
//! Keys may be added, never renamed. They stand in the order of the alphabet. What the first reports did not have may be missing in one that is
//! read; nothing is missing in one that is written.

mod code;
mod dead;
mod found;
mod lines;
mod make;
mod numbers;
mod text;
mod uncovered;

pub use dead::Dead;
pub use found::{Bug, NotRun, Strategy, TargetVerdict, UnknownFunction, Verdict};
pub use lines::{LineSummary, LinesSummary};
pub use make::{lines, summary};
pub use numbers::{BoundHits, Coverage, Covered, ModuleCoverage, Solver};
pub use text::Text;
pub use uncovered::{Obstacle, Uncalled, Uncovered};

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a search found: the file `report.json` in the directory of `--out`, and what `--json` prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "coax report")]
#[serde(expecting = "an object")]
pub struct Summary {
    /// What is taken for granted if all paths are explored, anywhere in the program.
    #[serde(default)]
    pub assumed: Vec<Text>,
    /// The limits that runs met.
    pub bounds: Vec<BoundHits>,
    /// The ways to fail, each with one test.
    pub bugs: Vec<Bug>,
    /// The command that wrote it.
    pub command: Command,
    /// How long compilers took, in milliseconds.
    #[serde(default)]
    pub compile_ms: u64,
    /// Symbolic values that were replaced by numbers.
    pub concretisations: u64,
    /// What is covered of the code in scope, and of the whole module.
    pub coverage: Coverage,
    /// Whether the search did not end in time and was cut off: what its last batch found is missing, and reasons for what is not covered.
    #[serde(default)]
    pub cut_off: bool,
    /// How many bits C's types have: `ilp32 …`.
    #[serde(default)]
    pub data_model: Text,
    /// Code that nothing gets to, whatever the input is.
    #[serde(default)]
    pub dead: Vec<Dead>,
    /// Runs in which an assumption did not hold.
    pub discarded: u64,
    /// Runs that did not go where they should have gone.
    pub divergences: u64,
    /// The function that tests begin with.
    pub entry: Text,
    /// Whether all paths are explored.
    #[serde(default)]
    pub explored: bool,
    /// A hash of the module.
    #[serde(default)]
    pub module: Text,
    /// Executions of changed inputs between questions; they are no runs.
    pub mutations: u64,
    /// The first inputs that could not be run.
    #[serde(default)]
    pub not_run: Vec<NotRun>,
    /// Different paths.
    pub paths: u64,
    /// How long it took to prepare the module, in milliseconds.
    #[serde(default)]
    pub prepare_ms: u64,
    /// The program, as the user calls it.
    pub program: Text,
    /// Executions of the instrumented program, of all resumes.
    pub runs: u64,
    /// What random choices were made from.
    pub seed: u64,
    /// What solvers were asked.
    pub solver: Solver,
    /// Why the search ended.
    pub stop: Stop,
    /// How tests were found that took a strategy.
    #[serde(default)]
    pub strategies: Vec<Strategy>,
    /// Nothing today.
    pub summaries: Summaries,
    /// What `coax reach` found out about each place.
    pub targets: Vec<TargetVerdict>,
    /// The tests that are kept.
    pub tests: u64,
    /// How long the search took, in milliseconds, without those of which it is a resume.
    pub time_ms: u64,
    /// Always `coax`.
    pub tool: Text,
    /// The functions in scope that no run called, by number.
    #[serde(default)]
    pub uncalled: BTreeMap<u32, Uncalled>,
    /// The branches in scope that no run took, one direction each.
    pub uncovered: Vec<Uncovered>,
    /// The functions whose calls were not followed.
    pub unknown_functions: Vec<UnknownFunction>,
    /// The version of coax.
    pub version: Text,
    /// What runs, questions and trials have cost, in units of about a microsecond.
    #[serde(default)]
    pub work: u64,
}

/// A command that writes a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Command {
    /// `coax cover`.
    Cover,
    /// `coax reach`.
    Reach,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stop {
    /// There was nothing left to try.
    Complete,
    /// Its time was over.
    Time,
    /// It made as many runs as allowed.
    Runs,
    /// It used as much memory as allowed.
    Memory,
    /// Somebody interrupted it.
    Interrupted,
}

/// Nothing today.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Summaries {}

/// The JSON schema of what is written, as text.
pub fn schema_text() -> String {
    // What is taken for a part that is missing says nothing of a report that is written.
    let without_defaults = RecursiveTransform(|schema: &mut Schema| {
        schema.remove("default");
    });
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(without_defaults);
    let schema = settings.into_generator().into_root_schema_for::<Summary>();
    format!("{:#}\n", schema.to_value())
}
