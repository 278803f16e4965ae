//! What slots are given to do, and what came of it: plain data.

use crate::achieved::Smaller;
use crate::backward::{Goal, Granted};
use crate::choice::Choice;
use crate::exploration::Cell;
use crate::findings::{NotRun, WhyUnknown};
use crate::mutate::{Plan, Tried};
use crate::sending::{json, shared};
use coax_execute::{Bounds, Coverage, Error, Input, Outcome, Refused, Run};
use coax_program::Func;
use coax_solve::Reason;
use coax_term::{Exported, Import, Term, Terms};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A run whose path is known: its number, in the order in which they were given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct TraceId(pub(crate) u32);

/// Something to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Run this input; its path is kept under this number.
    Run {
        trace: TraceId,
        #[serde(with = "shared")]
        input: Arc<Input>,
        suspects: Suspects,
    },
    /// Find an input that comes to a decision of this trace, by its place on the path, and goes none of the ways that were seen there.
    /// If the answer is to be followed past early ends, how far.
    Ask {
        trace: TraceId,
        #[serde(with = "shared")]
        input: Arc<Input>,
        place: usize,
        excluded: Excluded,
        effort: u64,
        climb: Option<Climb>,
    },
    /// Change inputs, and try them.
    Try(Plan),
    /// Try those again that showed something new before.
    TryAgain { plan: Plan, count: u64, mutants: Vec<(usize, Input)>, failed: Vec<NotRun> },
    /// Prove that nothing gets there from where runs begin.
    Prove {
        goal: Goal,
        thoroughness: Thoroughness,
        #[serde(with = "shared")]
        roots: Arc<Vec<Func>>,
    },
    /// See what the plain module does with this input, which may be worth a test.
    Test(Box<Input>),
    /// Run this input with every call watched, and look at what is wanted.
    Watch(#[serde(with = "shared")] Arc<Input>, Look),
    /// Nothing: what comes of it is known.
    Known(Done),
}

impl Task {
    /// What kind of task it is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Task::Run { suspects: Suspects::Wanted { .. }, .. } => "run and look for suspects",
            Task::Run { suspects: Suspects::Known(..), .. } => "run with known suspects",
            Task::Run { suspects: Suspects::Unwanted, .. } => "run",
            Task::Ask { climb: Some(_), .. } => "ask and climb",
            Task::Ask { excluded: Excluded::Values { .. }, .. } => "ask for another value",
            Task::Ask { excluded: Excluded::Conditions(_, None), .. } => "ask for another way",
            Task::Ask { excluded: Excluded::Conditions(_, Some(_)), .. } => "ask for a wanted way",
            Task::Ask { excluded: Excluded::Tied { .. }, .. } => "ask for a value that unties",
            Task::Ask { excluded: Excluded::Shapes { .. }, .. } => "ask for another shape",
            Task::Try(_) => "try",
            Task::TryAgain { .. } => "try again",
            Task::Prove { .. } => "prove",
            Task::Test(_) => "test",
            Task::Watch(..) => "watch",
            Task::Known(_) => "known",
        }
    }
}

/// How hard a proof is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Thoroughness {
    Quick,
    Thorough,
}

/// Whether a run looks for inputs that may lead to memory errors ([`crate::probe`]).
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Suspects {
    /// It does; whether it was made to look for one itself.
    Wanted { is_suspect: bool },
    /// These were found before, and these beside an error.
    Known(Vec<Input>, Vec<Input>),
    /// The run was made before.
    Unwanted,
}

/// The ways that were seen at a decision, beside that of the trace which is asked about.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Excluded {
    /// Values of a term that was replaced by its value; the first of the wishes that the term can be is to be the next, if it is possible.
    Values { seen: Vec<u64>, wishes: Vec<u64> },
    /// Conditions; if there is something to aim at, only that is wanted.
    Conditions(Conditions, Option<Aim>),
    /// Values of a term that was replaced by its value with which a branch behind it goes the way it went, by its number among those of the trace.
    Tied { number: usize },
    /// The shape of a call of an unknown function: nobody knows what makes another. So many attempts were made before.
    Shapes { tried: usize },
}

/// Conditions with an arena of their own, so that whoever asks can take them into its own. Mostly there are none.
#[derive(Debug, Default)]
pub(crate) struct Conditions(Option<Box<(Terms, Vec<Term>)>>);

impl Conditions {
    /// These conditions of an arena.
    pub(crate) fn new(of: &Terms, conditions: impl ExactSizeIterator<Item = Term>) -> Conditions {
        if conditions.len() == 0 {
            return Conditions::default();
        }
        let (mut terms, mut import) = (Terms::new(), Import::default());
        let all = conditions.map(|condition| import.apply(&mut terms, of, condition)).collect();
        Conditions(Some(Box::new((terms, all))))
    }

    /// The same in another arena.
    pub(crate) fn within(&self, terms: &mut Terms) -> Vec<Term> {
        let Some((own, all)) = self.0.as_deref() else { return Vec::new() };
        let mut import = Import::default();
        all.iter().map(|&condition| import.apply(terms, own, condition)).collect()
    }
}

impl Serialize for Conditions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exported = self.0.as_deref().map(|(terms, all)| terms.export(all));
        exported.unwrap_or_default().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Conditions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let exported = Exported::deserialize(deserializer)?;
        let mut terms = Terms::new();
        let all = terms.import_all(&exported);
        let all = all.ok_or_else(|| serde::de::Error::custom("these are no terms"))?;
        Ok(Conditions((!all.is_empty()).then(|| Box::new((terms, all)))))
    }
}

/// How an answer is followed past early ends of the program ([`crate::guards`]).
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Climb {
    /// How many runs that may take, and whether that is less than usual.
    pub(crate) most: u32,
    pub(crate) is_limited: bool,
}

/// Ways of a switch that nobody has covered.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Aim {
    /// The direction of each case, and of all other numbers.
    pub(crate) cases: Vec<u32>,
    pub(crate) default: u32,
    /// The direction in which the trace went.
    pub(crate) taken: u32,
    /// Those that are wanted, and about which of them come first.
    pub(crate) wanted: Vec<u32>,
    pub(crate) first: usize,
}

/// What came of a task.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Done {
    /// The program ran.
    Ran(Box<Ran>),
    /// Changed inputs were tried.
    Tried(Tried),
    /// The program could not be run.
    Failed(Error),
    /// There is such an input.
    Found(Box<Input>, #[serde(with = "json")] How),
    /// It is not known, and may be after a run of this input, which promises nothing.
    Step(Box<Input>),
    /// There is none.
    Proved,
    /// Nothing gets there: the conditions of these branches contradict each other, if the program does what was taken for granted.
    Contradicted(Vec<u32>, #[serde(with = "json")] Granted),
    /// There is none that does what was aimed at.
    Missed,
    /// It is not known.
    GaveUp(#[serde(with = "json")] Difficulty),
    /// What the plain module did with an input, and the test that it becomes if it is worth one.
    Tested(Box<Confirmed>, Option<Box<Smaller>>),
    /// The plain module could not run an input.
    NotRun(Box<NotRun>),
    /// What was seen of the calls of a run.
    Watched(Watched),
    /// It was not tried, and may be later.
    Postponed,
}

/// What is looked at in a run with every call watched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Look {
    /// Which functions make a decision hard, or all of them together; what is heavy then.
    Causes { at: Option<u32>, heavy: usize },
    /// How many parts has what these functions give.
    Sizes(Vec<Func>),
}

/// What was seen.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Watched {
    Causes(Vec<Cause>),
    Sizes(Vec<(Func, usize)>),
}

/// A function that makes decisions hard, with one of them, and how many parts has what it gives.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Cause {
    pub(crate) func: Func,
    pub(crate) why: WhyUnknown,
    pub(crate) size: usize,
}

/// How an input was found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct How {
    /// In words, if that is worth telling.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) words: Vec<String>,
    /// Whether it is the input that was asked about, only shorter or longer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) only_in_length: bool,
    /// How many runs were made to find it, whether they were as many as were left, and what they passed that is worth a run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) runs: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_cut: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) passed: Vec<Input>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde has it so")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Why a question was not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Difficulty {
    /// What the solver said.
    pub(crate) said: String,
    /// Whether it might answer if it were allowed to try harder.
    pub(crate) may_try_harder: bool,
    /// Whether it might answer if more were known of unknown functions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) wants_samples: bool,
}

impl Difficulty {
    /// A proof that was not found.
    pub(crate) fn of_proof(may_try_harder: bool) -> Difficulty {
        let said = "there may be a way".to_owned();
        Difficulty { said, may_try_harder, wants_samples: false }
    }

    /// The run that the question is about could not be made again.
    pub(crate) fn of_failed_run(error: &Error) -> Difficulty {
        Difficulty { said: error.to_string(), may_try_harder: false, wants_samples: false }
    }

    /// Nobody knows what unknown functions give.
    pub(crate) fn of_unknown(said: &str) -> Difficulty {
        Difficulty { said: said.to_owned(), may_try_harder: false, wants_samples: true }
    }
}

impl From<Reason> for Difficulty {
    fn from(reason: Reason) -> Difficulty {
        let may_try_harder = matches!(reason, Reason::Budget(_) | Reason::NotFound(_));
        Difficulty { said: reason.to_string(), may_try_harder, wants_samples: false }
    }
}

/// What the plain module did with an input.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Confirmed {
    /// What was run, with all that the program asked for.
    pub(crate) input: Input,
    pub(crate) outcome: Outcome,
    pub(crate) stderr: Vec<u8>,
    pub(crate) coverage: Coverage,
    /// What the plain module covered that went on after a memory error, if there was one.
    pub(crate) regardless: Option<Coverage>,
    /// How often everything was done that is counted, and the fuel that this took, about.
    pub(crate) counts: Vec<u8>,
    pub(crate) fuel: u64,
    pub(crate) labels: Vec<String>,
    /// Its result, if that is no number.
    pub(crate) written: Vec<u8>,
}

impl Confirmed {
    /// How much more fuel the counting module needs than the plain one, about.
    const COUNTING_FUEL: u64 = 2;

    /// Whether it ended in an error of which the program itself knows nothing.
    pub(crate) fn is_memory_error(&self) -> bool {
        self.regardless.is_some()
    }

    pub(crate) fn new(input: Input, run: Run) -> Result<Confirmed, Error> {
        Ok(Confirmed {
            input: Input { values: run.asked.requests, ..input },
            outcome: run.outcome,
            stderr: run.stderr,
            coverage: run.coverage.ok_or_else(|| Error::Host("a run has no coverage".into()))?,
            regardless: run.regardless,
            counts: run.counts,
            fuel: run.fuel_used.saturating_mul(Self::COUNTING_FUEL),
            labels: run.asked.labels,
            written: run.written,
        })
    }
}

/// A branch that could not go another way any more, because a term that it depends on had been replaced by its value.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Tied {
    pub(crate) at: u32,
    pub(crate) direction: u32,
    /// The place of the decision that was the replacing.
    pub(crate) by: usize,
    /// How many decisions came before the branch.
    pub(crate) place: usize,
}

/// A run with terms.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Ran {
    pub(crate) confirmed: Confirmed,
    /// What it becomes if it is worth a test.
    pub(crate) smaller: Option<Box<Smaller>>,
    /// Whether standard input was read.
    pub(crate) reads_stdin: bool,
    /// The decisions, in order.
    pub(crate) choices: Vec<Choice>,
    /// What it read of tables at places that were looked up in tables, with how many decisions came before, in order.
    pub(crate) transitions: Vec<(usize, Cell)>,
    /// The places of decisions that earlier ones had taken already.
    pub(crate) implied: BTreeSet<u32>,
    /// Those of them that values are to blame for.
    pub(crate) tied: Vec<Tied>,
    /// The terms that were replaced by values.
    pub(crate) concretisations: usize,
    /// The places where terms went into vectors, and are none any more.
    pub(crate) into_vectors: BTreeSet<u32>,
    /// How many terms it has.
    pub(crate) terms: usize,
    /// How many parts the largest condition has, about.
    pub(crate) heaviest: usize,
    pub(crate) bounds: Bounds,
    /// Calls of unknown functions that show nothing.
    pub(crate) refused: Vec<Refused>,
    /// Whether the plain module ended in another way than the instrumented one, though no limit ended either.
    pub(crate) differs: bool,
    /// Whether a limit ended the instrumented one: its path ends there, too.
    pub(crate) is_cut_short: bool,
    /// Whether it read behind its objects.
    pub(crate) reads_beyond: bool,
    /// Whether what was confirmed has more room behind objects whose size is a guess.
    pub(crate) is_grown: bool,
    /// Inputs that go the same way, but access what they should not.
    pub(crate) suspects: Vec<Input>,
    /// Inputs that go the same way, if it ended in a memory error: they may not.
    pub(crate) beside_error: Vec<Input>,
}
