//! What is tested: a program with an entry, ready to be run in both ways.

mod guesses;

use crate::approach::Approach;
use crate::backward::Toward;
use crate::findings::Kept;
use crate::target::Target;
use coax_execute::{
    Error, Image, Input, Limits, Observed, Outcome, PlainModule, Run, Setup, SymbolicEngine, SymbolicModule,
    SymbolicRun, Symbols, TraceFrame, Verdict,
};
use coax_program::{Func, Program};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};

/// What the plain module did with an input.
pub(crate) struct Confirm {
    /// As a stored test does it.
    pub(crate) run: Run,
    /// How it ended with room behind its objects, as in the runs with terms.
    pub(crate) loose: Verdict,
    /// The same input with more room behind objects whose size is a guess, if that is what was run: it needs that.
    pub(crate) grown: Option<Input>,
}

impl Confirm {
    /// Whether it read behind its objects: what another input has there was not explored.
    pub(crate) fn reads_beyond(&self) -> bool {
        self.run.plain != self.loose
    }
}

/// What is tested.
pub struct Subject<'p> {
    /// The program.
    pub program: &'p Program,
    /// Instruments it.
    pub engine: SymbolicEngine,
    /// How runs with terms are made at first.
    pub approach: Arc<Approach<'p>>,
    /// As it is.
    pub plain: Arc<PlainModule<'p>>,
    /// What of an input is symbols.
    pub symbols: Symbols,
    /// What each run may use.
    pub limits: Limits,
    /// Whether a function is one that is to be covered, by its number.
    pub in_scope: Vec<bool>,
    /// What is to be reached, if that is what the search is for.
    pub targets: Vec<Target>,
    /// How far it is there, if the search is to go by that.
    pub toward: Option<Toward>,
    /// Whether a call of a backtrace is in the user's own code: the innermost of those is to blame for a failure.
    pub is_own: &'p (dyn Fn(&TraceFrame) -> bool + Sync),
}

impl Subject<'_> {
    /// Whether a function is to be covered.
    pub fn is_in_scope(&self, func: Func) -> bool {
        self.in_scope.get(func.0 as usize).copied().unwrap_or(false)
    }

    /// The call to look at first when a run has failed.
    pub(crate) fn blamed<'o>(&self, outcome: &'o Outcome) -> Option<&'o TraceFrame> {
        outcome.blamed(self.program, self.is_own)
    }

    /// Whether an operator is in a function that is to be covered.
    pub(crate) fn is_own(&self, offset: u32) -> bool {
        let site = self.program.site_at(offset);
        site.is_some_and(|site| self.is_in_scope(self.program.sites[site].func))
    }

    /// Runs an input on the plain module: the test that it would be. None if it cannot be run, or its assumptions do not hold.
    pub(crate) fn test_of(&self, input: Input) -> Option<Kept> {
        let Confirm { run, grown, .. } = self.confirm(&input).ok()?;
        let input = grown.unwrap_or(input);
        if let Outcome::Discarded { .. } = run.outcome {
            return None;
        }
        Some(Kept {
            input: Input { values: run.asked.requests, ..input },
            blamed: self.blamed(&run.outcome).and_then(|frame| frame.offset),
            outcome: run.outcome,
            stderr: run.stderr,
            written: run.written,
            coverage: run.coverage?,
            news: Vec::new(),
            enters: Vec::new(),
            passes: Vec::new(),
            labels: run.asked.labels,
            targets: Vec::new(),
            failure: None,
            how: Vec::new(),
        })
    }

    /// Runs an input with terms. Of unknown functions that have no image yet, one is made. It may be ended by a flag.
    pub(crate) fn run(
        &self,
        approach: &Approach<'_>,
        input: Input,
        images: &BTreeMap<Func, Image>,
        until: Option<Arc<AtomicBool>>,
    ) -> Result<(SymbolicRun, Input, Observed), Error> {
        let mut seen = None;
        let (run, input) = self.run_as(&approach.symbolic, input, || {
            let setup = Setup { until: until.clone(), ..Setup::default() };
            if approach.unknown.is_empty() {
                return setup;
            }
            let (director, observed) = approach.unknown.director();
            let watch = approach.unknown.functions().filter(|func| !images.contains_key(func));
            seen = Some(observed);
            Setup { director: Some(director), watch: watch.collect(), ..setup }
        })?;
        let take = |observed: Arc<std::sync::Mutex<Observed>>| {
            std::mem::take(&mut *observed.lock().unwrap_or_else(PoisonError::into_inner))
        };
        Ok((run, input, seen.map(take).unwrap_or_default()))
    }

    /// Runs an input on an instrumented module. Values that the program asks for in another way than before, so that they do not fit, are left
    /// out; the input that ran comes back.
    pub(crate) fn run_as<'s>(
        &self,
        module: &SymbolicModule<'_>,
        mut input: Input,
        mut setup: impl FnMut() -> Setup<'s>,
    ) -> Result<(SymbolicRun, Input), Error> {
        loop {
            match module.run_with(&input, self.symbols, &self.limits, setup()) {
                Err(Error::BadValue { place, .. }) if place < input.values.len() => {
                    input.values.truncate(place)
                }
                run => return Ok((run?, input)),
            }
        }
    }

    /// Whether a run with terms ended in another way than the plain module, where no limit ended either. That was given the input without room behind strings; on the heap,
    /// room decides where everything else is, so the input itself has the last word.
    pub(crate) fn differs(
        &self,
        approach: &Approach<'_>,
        run: &SymbolicRun,
        input: &Input,
        without_room: &Input,
        loose: &Verdict,
    ) -> Result<bool, Error> {
        let verdict = approach.symbolic.outcome_of(run).verdict();
        let is_other = |plain: &Verdict| !plain.is_limit() && *plain != verdict;
        if run.cut_short().is_some() || !is_other(loose) || input == without_room {
            return Ok(run.cut_short().is_none() && is_other(loose));
        }
        Ok(is_other(&self.plain.run_unchecked(input, &self.limits)?.plain))
    }

    /// Runs an input on the plain module: what counts. If that goes well, it is run once more with nothing behind its objects that could
    /// be read, which is how a stored test is run: where that ends otherwise, it is what counts.
    pub(crate) fn confirm(&self, input: &Input) -> Result<Confirm, Error> {
        let confirm =
            |input: &Input| self.confirm_by(input, |limits| self.plain.run_with_coverage(input, limits));
        guesses::confirm(input, confirm, |input, fuel| self.run_within(input, fuel))
    }

    /// The same without coverage.
    pub(crate) fn confirm_end(&self, input: &Input) -> Result<Confirm, Error> {
        let confirm = |input: &Input| self.confirm_by(input, |limits| self.plain.run(input, limits));
        guesses::confirm(input, confirm, |input, fuel| self.run_within(input, fuel))
    }

    /// How the plain module ends with so much fuel; none if it cannot be run.
    fn run_within(&self, input: &Input, fuel: u64) -> Option<Verdict> {
        let limits = Limits { fuel, ..self.limits.clone() };
        Some(self.plain.run_unchecked(input, &limits).ok()?.plain)
    }

    fn confirm_by(
        &self,
        input: &Input,
        run_with: impl Fn(&Limits) -> Result<Run, Error>,
    ) -> Result<Confirm, Error> {
        let run = run_with(&self.limits)?;
        let loose = run.plain.clone();
        if run.outcome.verdict().is_failure() || input.params.is_empty() {
            return Ok(Confirm { run, loose, grown: None });
        }
        let tight = Limits { is_tight: true, ..self.limits.clone() };
        let again = self.plain.run_unchecked(input, &tight)?;
        if again.outcome.verdict() != loose {
            let blocks = run.blocks;
            let run = run_with(&tight)?;
            return Ok(Confirm { run: Run { blocks, ..run }, loose, grown: None });
        }
        let run = Run { outcome: again.outcome, stdout: again.stdout, stderr: again.stderr, ..run };
        Ok(Confirm { run, loose, grown: None })
    }
}
