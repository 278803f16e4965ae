//! A strategy decides what a search tries next. It proposes tasks and learns what came of them; workers perform them.
//!
//! ```text
//!              View: search (tests, coverage, samples) and exploration (tree of decisions, what is open)
//!                │
//! propose ──▶ Composer ──▶ tasks ──▶ workers ──▶ done ──▶ the engine learns runs and answers ──▶ saw
//!                                                  └────────── learn: the strategy's own tasks ──▶
//! ```
//!
//! What every strategy needs of a run or an answer the engine learns itself: the tree, coverage, tests. So a strategy that only chooses questions has
//! nothing to learn. Strategies know nothing of each other: what they share is in the [`View`].

use crate::achieved::Smaller;
use crate::arbiter::Arbiter;
use crate::engine::compose::Composer;
use crate::exploration::{Exploration, Intent, Question};
use crate::findings::Kept;
use crate::search::Search;
use crate::task::{Confirmed, Done, Ran, TraceId};
use coax_execute::Error;
use std::sync::Arc;

/// What strategies share.
pub(crate) struct View<'a, 's, 'p> {
    /// What the search is for, and has found.
    pub(crate) search: &'a mut Search<'s, 'p>,
    /// The paths, as calls are treated now.
    pub(crate) exploration: &'a mut Exploration,
    /// Who shares out the work.
    pub(crate) arbiter: &'a mut Arbiter,
}

/// Something that strategies may want to know, whoever asked for it.
pub(crate) enum Event<'e> {
    /// A run was made, and the exploration knows it.
    Ran(Seen<'e>),
    /// A question was answered, or not. With an intent, if it was asked of a certain run so that another follows that.
    Answered { question: Question, intent: Option<(TraceId, Intent)>, done: &'e Done },
    /// There is a new test.
    Test(&'e Arc<Kept>),
}

/// A run that was made.
pub(crate) struct Seen<'e> {
    pub(crate) trace: TraceId,
    /// Where it was to go, though it did not promise to.
    pub(crate) intent: Option<Intent>,
    pub(crate) ran: &'e Ran,
}

/// What a strategy has found out that may be worth a test.
pub(crate) struct Candidate {
    pub(crate) confirmed: Confirmed,
    /// What it becomes if it is worth a test.
    pub(crate) smaller: Option<Box<Smaller>>,
    /// How many were found before.
    pub(crate) number: u64,
}

/// See the module.
pub(crate) trait Strategy<'p>: Send {
    /// Adds to the next batch what it wants done. The batch may hold what others want already.
    fn propose(&mut self, view: &mut View<'_, '_, 'p>, batch: &mut Composer<'_, 'p>);

    /// Adds what turns what was found into results: first in each batch, and after the last one, so that nothing is lost. These tasks are performed though the search is
    /// over, so they are short then.
    fn finish(&mut self, batch: &mut Composer<'_, 'p>) {
        let _ = batch;
    }

    /// What came of a task of its own, by the number that it gave it; inputs that may be worth a test.
    fn learn(&mut self, view: &mut View<'_, '_, 'p>, task: u64, done: Done) -> Result<Vec<Candidate>, Error> {
        let _ = (view, task, done);
        Ok(Vec::new())
    }

    /// What became of what it has found out: a test, if it was worth one.
    fn kept(&mut self, view: &mut View<'_, '_, 'p>, candidate: Candidate, test: Option<&Arc<Kept>>) {
        let _ = (view, candidate, test);
    }

    /// Adds inputs to those that wait to be run, at most so many.
    fn runs(&mut self, view: &mut View<'_, '_, 'p>, most: usize) {
        let _ = (view, most);
    }

    /// Something happened.
    fn saw(&mut self, view: &mut View<'_, '_, 'p>, event: &Event<'_>) {
        let _ = (view, event);
    }

    /// A batch is over, and everything was learned.
    fn batch_is_over(&mut self, view: &mut View<'_, '_, 'p>) {
        let _ = view;
    }

    /// Nothing is left to try: whether it has found something after all.
    fn nothing_is_left(&mut self, view: &mut View<'_, '_, 'p>) -> bool {
        let _ = view;
        false
    }

    /// Calls are treated otherwise from now on: another exploration begins.
    fn begin_anew(&mut self, view: &mut View<'_, '_, 'p>) {
        let _ = view;
    }
}
