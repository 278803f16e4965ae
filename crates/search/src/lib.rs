//! The search: which inputs to try, and what came of them.
//!
//! ```text
//! Subject + seeds ── search ──▶ Findings { tests, failures, coverage, what is not covered and why }
//! ```
//!
//! How the data flows is in `docs/decisions/0008-search.md`: `engine.rs` is the loop, a `task.rs` is what it has done, a `slot.rs` does
//! it, `mutate.rs` tries changed inputs between questions, `exploration.rs` is what is known of the paths and chooses what to ask next, `reasons.rs` says why the rest is not
//! covered. Nothing here prints, looks at the clock or writes to disk: an [`Observer`] is told what is found.

// What tests share speaks of the crate by its name.
#[cfg(test)]
extern crate self as coax_search;

mod achieved;
mod approach;
mod arbiter;
mod assumed;
mod backward;
mod briefing;
mod choice;
mod early_ends;
mod engine;
mod executed;
mod exploration;
mod facts;
mod findings;
mod guards;
mod health;
mod journal;
mod mutate;
mod needs;
mod options;
mod origins;
mod passed;
mod pool;
mod probe;
mod reasons;
mod samples;
mod search;
mod sending;
mod shrink;
mod slot;
mod so_far;
mod strategies;
mod strategy;
mod subject;
mod suite;
mod target;
mod task;
mod texts;
mod through;
mod unknown_functions;

pub use approach::{Approach, Imprecision};
pub use assumed::{Assumed, data_model, granted, of_types};
pub use backward::{
    Backward, BackwardOptions, Concrete, Demands, Goal, Granted, Graph, Meeting, Toward, Verdict, Workshop,
    backward,
};
pub use engine::search;
pub use executed::{Operators, Place, executed};
pub use facts::{Past, Trust};
pub use findings::{
    Earlier, Failure, Findings, Kept, NotRun, Observer, Progress, Standing, StopReason, UnknownFunction,
    WhyUnknown,
};
pub use journal::{Journal, NoJournal, Record};
pub use options::{Options, Stop};
pub use reasons::{Uncovered, Why};
pub use samples::Sample;
pub use sending::{Parcel, Worker};
pub use so_far::SoFar;
pub use subject::Subject;
pub use target::{Seen, Target, What};
pub use through::may_be_through;
