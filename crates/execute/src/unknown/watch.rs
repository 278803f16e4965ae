//! Watches all calls of a run: who looks for functions that should be unknown wants to see what each was given and what it gave.

use super::{Given, Place, Unknown};
use crate::hooks::{CallKind, Director, FrameRecord};
use coax_program::Func;
use coax_term::{Term, Terms};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// No run shows more terms: what is hard is so early enough.
const MOST_TERMS: usize = 1 << 20;

/// A call that was given something that depends on the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The function of the program.
    pub func: Func,
    /// What it was given that depends on the input.
    pub given: Vec<Term>,
    /// Whether all of that is parameters and what they point to.
    pub is_direct: bool,
    /// What came out that depends on the input.
    pub gave: Vec<Term>,
    /// Whether something else came out, of which it cannot be told whether it does.
    pub gave_numbers: bool,
    /// Whether all that came out is results and what parameters point to.
    pub is_contained: bool,
    /// The events of the path that happened meanwhile, by their numbers.
    pub events: Range<usize>,
}

impl Unknown {
    /// Who watches their calls in one run without changing anything, and where those that are functions of what they were given will be, in
    /// the order in which they ended.
    pub fn watcher(&self) -> (Box<dyn Director>, Arc<Mutex<Vec<Computed>>>) {
        let computed = Arc::new(Mutex::new(Vec::new()));
        let watching = Watching { unknown: self.clone(), terms: 0, computed: Arc::clone(&computed) };
        (Box::new(watching), computed)
    }
}

struct Watching {
    unknown: Unknown,
    /// How many terms were noted.
    terms: usize,
    computed: Arc<Mutex<Vec<Computed>>>,
}

impl Director for Watching {
    fn ended(&mut self, frame: &mut FrameRecord, _: &mut Terms) {
        let Some(known) = self.unknown.functions.get(&frame.call.func) else { return };
        let is_function = matches!(frame.ending, CallKind::Returned(_)) && frame.beyond.is_empty();
        if !is_function || self.terms > MOST_TERMS {
            return;
        }
        let counted = BTreeSet::new();
        let inputs = self.unknown.inputs(known, frame, &counted);
        let inputs: Vec<&Given> = inputs.iter().filter(|input| input.datum.term.is_some()).collect();
        let is_direct = inputs.iter().all(|input| matches!(input.place, Place::Param(_) | Place::Behind(..)));
        let given: Vec<Term> = inputs.iter().filter_map(|input| input.datum.term).collect();
        let (func, events) = (frame.call.func, frame.began..frame.events);
        let outputs = self.unknown.outputs(known, frame, &counted);
        let gave: Vec<Term> = outputs.iter().filter_map(|output| output.datum.term).collect();
        let gave_numbers = gave.len() < outputs.len();
        let is_contained =
            outputs.iter().all(|output| matches!(output.place, Place::Param(_) | Place::Behind(..)));
        let call = Computed { func, given, is_direct, gave, gave_numbers, is_contained, events };
        self.terms += call.given.len() + call.gave.len();
        if !call.given.is_empty() && (!call.gave.is_empty() || !call.events.is_empty()) {
            self.computed.lock().unwrap_or_else(PoisonError::into_inner).push(call);
        }
    }
}
