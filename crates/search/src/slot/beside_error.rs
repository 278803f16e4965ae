//! Inputs that go the way of a run that ended in a memory error. What comes behind the error does not count, and perhaps it is one only for this value: a block whose
//! size is part of the input, for instance, decides nothing, so no question leads to another size.

use super::Slot;
use crate::Stop;
use crate::task::TraceId;
use coax_execute::Input;
use coax_solve::Random;
use coax_term::{Evaluator, Model, Symbol};
use std::collections::BTreeSet;

/// How many are tried, and how many are wanted.
const TRIED: usize = 64;
const WANTED: usize = 2;
/// Values below this are tried as often as all others.
const SMALL: usize = 64;

impl Slot<'_> {
    /// Inputs that take all decisions of a trace in the same way, by chance.
    pub(super) fn beside_error(&mut self, id: TraceId, longest: u64, stop: &Stop) -> Vec<Input> {
        let Some(trace) = self.traces.get(&id) else { return Vec::new() };
        let conditions = trace.assumptions(&mut self.terms, trace.conditions.len(), longest);
        let hint = trace.hint(&self.terms);
        let decided: BTreeSet<Symbol> = trace.symbols(&self.terms).iter().flatten().copied().collect();
        let decided: Vec<Symbol> = decided.into_iter().collect();
        let all: Vec<Symbol> = hint.iter().map(|(symbol, _)| symbol).collect();
        let mut random = Random::new(u64::from(id.0));
        let mut found = Vec::new();
        for _ in 0..TRIED {
            // What decides something is worth more.
            let among = if decided.is_empty() || random.below(4) == 0 { &all } else { &decided };
            if among.is_empty() || stop.reason().is_some() {
                break;
            }
            let symbol = among[random.below(among.len())];
            let most = if random.below(2) == 0 { SMALL } else { 1 << 32 };
            // What nothing on this path says a word about may be a length.
            let is_decided = decided.binary_search(&symbol).is_ok();
            let most = if is_decided { most } else { most.min((longest as usize).saturating_add(1)) };
            let mut changed = Model::new();
            let width = self.terms.symbol_width(symbol);
            let mask = u64::MAX >> (64 - u32::from(width));
            changed.set(symbol, random.below(most) as u64 & mask);
            let mut model = hint.clone();
            model.overlay(&changed);
            let mut evaluator = Evaluator::new();
            let mut holds = |&term| evaluator.eval(&self.terms, &model, term) == 1;
            if conditions.iter().all(&mut holds) {
                let input = trace.with_values(&self.terms, &changed);
                if input != trace.input && !found.contains(&input) {
                    found.push(input);
                }
            }
            if found.len() == WANTED {
                break;
            }
        }
        found
    }
}
