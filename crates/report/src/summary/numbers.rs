//! Numbers of a report.

use super::Text;
use coax_execute::{Count, Counts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is covered of the code in scope.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Directions of branches and switches.
    pub branches: Covered,
    /// Functions that were called.
    pub functions: Covered,
    /// Source lines that have code.
    #[serde(default)]
    pub lines: Covered,
    /// The same of the whole module, with libraries.
    pub module: ModuleCoverage,
    /// Choices between two values, without a branch: both values.
    pub selects: Covered,
}

/// What is covered of the whole module.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModuleCoverage {
    /// Directions of branches and switches.
    pub branches: Covered,
    /// Functions that were called.
    pub functions: Covered,
    /// Source lines that have code.
    #[serde(default)]
    pub lines: Covered,
    /// Choices between two values, without a branch: both values.
    pub selects: Covered,
}

/// How many there are, and how many of them are covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Covered {
    /// So many are covered.
    pub covered: u64,
    /// So many there are.
    pub total: u64,
}

/// A limit that runs met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BoundHits {
    /// Which one: `fuel`, `stack`, `memory` …
    pub bound: Text,
    /// How many runs met it.
    pub hits: u64,
}

/// What solvers were asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Solver {
    /// Questions that went to a solver proper.
    pub backend_calls: u64,
    /// Questions.
    pub queries: u64,
    /// Those to which there is an input.
    pub sat: u64,
    /// How long they took, in milliseconds, in all threads together.
    #[serde(default)]
    pub time_ms: u64,
    /// Those on which they gave up.
    pub unknown: u64,
    /// Those to which there is none.
    pub unsat: u64,
}

impl From<Count> for Covered {
    fn from(Count { covered, total, .. }: Count) -> Covered {
        Covered { covered, total }
    }
}

impl Coverage {
    /// What is covered in scope and in the module, each with its lines.
    pub(super) fn of((scope, lines): (&Counts, Count), module: (&Counts, Count)) -> Coverage {
        let (module, module_lines) = module;
        Coverage {
            branches: scope.branches.into(),
            functions: scope.functions.into(),
            lines: lines.into(),
            module: ModuleCoverage {
                branches: module.branches.into(),
                functions: module.functions.into(),
                lines: module_lines.into(),
                selects: module.selects.into(),
            },
            selects: scope.selects.into(),
        }
    }
}
