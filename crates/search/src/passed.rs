//! Where runs ended in the middle of straight-line code: one that goes on there executes lines that no run has executed, though it takes no way that is new.
//!
//! Lines count as executed as in the report ([`crate::executed`]). To look at that for each run would take long, so only functions are looked at in which
//! the run of a test ended.

use crate::Subject;
use crate::executed::{Operators, Place, executed};
use crate::task::Confirmed;
use coax_execute::{Coverage, Outcome};
use coax_program::{Func, Program};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Places, by their functions.
pub(crate) type Places = BTreeMap<Func, BTreeSet<Place>>;

/// See the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ends {
    /// The places that none has passed.
    open: Places,
    /// What tests have covered that trapped nowhere: where they came, they went on.
    whole: Coverage,
}

impl Ends {
    pub(crate) fn new(program: &Program) -> Ends {
        Ends { open: BTreeMap::new(), whole: Coverage::new(program) }
    }

    /// The places at which a run goes on.
    pub(crate) fn passed_by(&self, subject: &Subject<'_>, run: &Confirmed) -> Vec<Place> {
        passed(subject.program, &self.open, (&run.outcome, &run.coverage))
    }

    /// Whether all runs ended at an operator that came there.
    pub(crate) fn contains(&self, (func, at): (Func, u32)) -> bool {
        self.open.get(&func).is_some_and(|places| places.iter().any(|place| place.at == at))
    }

    /// Takes a test into account, with the places at which it goes on.
    pub(crate) fn add(&mut self, subject: &Subject<'_>, run: &Confirmed, passes: &[Place]) {
        for place in passes {
            self.open.entry(place.func).or_default().remove(place);
        }
        let Confirmed { outcome, coverage, .. } = run;
        if outcome.backtrace().is_empty() {
            self.whole.merge(coverage);
        }
        let program = subject.program;
        for (func, places) in places(subject, outcome, coverage) {
            let by_others = match self.whole.entered(func) {
                // Whoever exits in these runs is seen to.
                true => executed(program, func, &Outcome::Exited(0), &self.whole),
                false => BTreeSet::new(),
            };
            let open = places.into_iter().filter(|place| !by_others.contains(&place.next));
            self.open.entry(func).or_default().extend(open);
        }
        self.open.retain(|_, places| !places.is_empty());
    }
}

/// The places at which a run ended in scope, and that it did not pass another time.
pub(crate) fn places(subject: &Subject<'_>, outcome: &Outcome, coverage: &Coverage) -> Places {
    let of = |func: Func| {
        let code = Operators::of(subject.program, func)?;
        Some((func, code.ends(subject.program, outcome, coverage)))
    };
    ended_in(subject, outcome, coverage).into_iter().filter_map(of).collect()
}

/// Those of these places at which a run goes on.
pub(crate) fn passed(
    program: &Program,
    places: &Places,
    (outcome, coverage): (&Outcome, &Coverage),
) -> Vec<Place> {
    let entered = places.iter().filter(|(func, places)| !places.is_empty() && coverage.entered(**func));
    let passed = entered.flat_map(|(&func, places)| {
        let executed = executed(program, func, outcome, coverage);
        places.iter().copied().filter(move |place| executed.contains(&place.next))
    });
    passed.collect()
}

/// The functions in scope in which a run may have ended at a place that it would not pass again. Where fuel and stack end is chance.
fn ended_in(subject: &Subject<'_>, outcome: &Outcome, coverage: &Coverage) -> BTreeSet<Func> {
    let program = subject.program;
    let funcs: BTreeSet<Func> = match outcome {
        Outcome::Trapped(trap) => trap.backtrace.iter().map(|frame| frame.func).collect(),
        Outcome::Exited(_) => {
            let left = program.ends().sites().filter(|&call| !coverage.returned(call));
            left.map(|call| program.sites[call].func).filter(|func| coverage.entered(*func)).collect()
        }
        _ => BTreeSet::new(),
    };
    funcs.into_iter().filter(|func| subject.is_in_scope(*func)).collect()
}

/// Whether a run goes on at all of these places.
pub(crate) fn passes(program: &Program, outcome: &Outcome, coverage: &Coverage, places: &[Place]) -> bool {
    let passes = |place: &Place| {
        let is_entered = coverage.entered(place.func);
        is_entered && executed(program, place.func, outcome, coverage).contains(&place.next)
    };
    places.iter().all(passes)
}
