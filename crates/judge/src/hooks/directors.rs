//! The directors that the judge of hooks sends into runs.

use super::records::cells;
use crate::random::Random;
use coax_execute::Datum;
use coax_execute::hooks::{Byte, Call, Director, Effects, FrameRecord, Treatment};
use coax_term::Terms;
use std::sync::{Arc, Mutex, PoisonError};

/// Records that are kept of one run, at most.
const RECORDS: usize = 200;

/// The records of calls of a run, in the order in which they ended: all, or as many out of all as are kept.
#[derive(Clone)]
pub(super) struct Records(Arc<Mutex<Sample>>);

#[derive(Default)]
struct Sample {
    kept: Vec<FrameRecord>,
    ended: usize,
    random: Random,
}

impl Director for Records {
    fn ended(&mut self, frame: &mut FrameRecord, _: &mut Terms) {
        let mut sample = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sample.ended += 1;
        let ended = sample.ended;
        let place = if ended <= RECORDS { ended - 1 } else { sample.random.below(ended) };
        match sample.kept.get_mut(place) {
            Some(record) => *record = frame.clone(),
            None if place < RECORDS => sample.kept.push(frame.clone()),
            None => {}
        }
    }
}

impl Records {
    pub(super) fn new(seed: u64) -> Self {
        Records(Arc::new(Mutex::new(Sample { random: Random::new(seed), ..Sample::default() })))
    }

    pub(super) fn take(&self) -> Vec<FrameRecord> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).kept)
    }
}

/// The record of the call that ended last: that of the entry function.
#[derive(Clone, Default)]
pub(super) struct Outermost(Arc<Mutex<Option<FrameRecord>>>);

impl Director for Outermost {
    fn ended(&mut self, frame: &mut FrameRecord, _: &mut Terms) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(frame.clone());
    }
}

impl Outermost {
    pub(super) fn take(&self) -> Option<FrameRecord> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Treats one call in a special way, with the effects that it had in another run.
pub(super) struct One {
    pub(super) number: u32,
    pub(super) effects: Effects,
    pub(super) terms: Arc<Terms>,
    pub(super) suspend: bool,
}

impl One {
    /// The recorded effects, with terms of this run.
    fn imported(&self, terms: &mut Terms) -> Effects {
        let mut import = |datum: Datum| {
            let term = datum.term.map(|term| terms.import(&self.terms, term));
            Datum { term, ..datum }
        };
        Effects {
            results: self.effects.results.iter().map(|result| result.map(&mut import)).collect(),
            cells: self
                .effects
                .cells
                .iter()
                .map(|cell| Byte { value: import(cell.value), ..*cell })
                .collect(),
            globals: self.effects.globals.iter().map(|&(global, value)| (global, import(value))).collect(),
        }
    }
}

impl Director for One {
    fn entering(&mut self, call: &Call, terms: &mut Terms) -> Treatment {
        match (call.number == self.number, self.suspend) {
            (false, _) => Treatment::Run,
            (true, true) => Treatment::Suspend,
            (true, false) => Treatment::Skip(self.imported(terms)),
        }
    }

    fn wants_record(&self, _: &Call) -> bool {
        false
    }

    fn ended(&mut self, frame: &mut FrameRecord, terms: &mut Terms) {
        if self.suspend && frame.call.number == self.number {
            let expected = self.imported(terms);
            // With symbols it may have written more: all cells that an address could mean.
            let known = cells(&expected.cells);
            let all_known = frame.effects.cells.iter().all(|cell| known.contains_key(&cell.address));
            assert!(all_known, "a suspended call writes other cells than it did");
            frame.effects = expected;
        }
    }
}

/// Cuts all calls but the first, which is that of the entry.
pub(super) struct CutAll;

impl Director for CutAll {
    fn entering(&mut self, call: &Call, _: &mut Terms) -> Treatment {
        if call.number > 0 { Treatment::Cut } else { Treatment::Run }
    }

    fn wants_record(&self, _: &Call) -> bool {
        false
    }
}
