//! Events that are not the same terms: do they mean the same?

use crate::random::Random;
use coax_execute::{Event, EventKind};
use coax_term::{Evaluator, Model, Terms};

/// What came of comparing events by what they mean.
#[derive(Default)]
pub(super) struct Aligned {
    /// Conditions of one side that are always true, as the other had seen.
    pub(super) always_true: u64,
    /// Whether one side has concretised what the other has not: from there on they cannot be compared.
    pub(super) cut_short: bool,
}

/// Compares events by what they mean on random models; the error is the place on the first side where they differ.
pub(super) fn align([(left, terms), (right, others)]: [(&[Event], &Terms); 2]) -> Result<Aligned, usize> {
    let models = models(terms, others);
    let ours = truths(left, terms, models.iter().map(|(ours, _)| ours));
    let theirs = truths(right, others, models.iter().map(|(_, theirs)| theirs));
    let concretised = |event: Option<&Event>| {
        event.is_some_and(|event| matches!(event.kind, EventKind::Concretised { .. }))
    };
    let (mut i, mut j, mut aligned) = (0, 0, Aligned::default());
    while i < left.len() || j < right.len() {
        let pair = left.get(i).zip(right.get(j)).filter(|(one, other)| {
            let same_kind = std::mem::discriminant(&one.kind) == std::mem::discriminant(&other.kind);
            one.at == other.at && same_kind && ours[i] == theirs[j]
        });
        if pair.is_some() {
            (i, j) = (i + 1, j + 1);
        } else if concretised(left.get(i)) || concretised(right.get(j)) {
            aligned.cut_short = true;
            break;
        } else if theirs.get(j) == Some(&u64::MAX) {
            j += 1;
            aligned.always_true += 1;
        } else if ours.get(i) == Some(&u64::MAX) {
            i += 1;
            aligned.always_true += 1;
        } else {
            return Err(i);
        }
    }
    Ok(aligned)
}

/// Random values for the symbols of two arenas, the same for symbols of the same name: as many models as a word has bits.
fn models(terms: &Terms, others: &Terms) -> Vec<(Model, Model)> {
    let mut random = Random::new(1);
    let mut pair = || {
        let (mut ours, mut theirs) = (Model::new(), Model::new());
        for symbol in terms.symbols() {
            let few = [0, 1, 0xff, random.next(), random.next()];
            let bits = random.pick(&few) & coax_term::mask(terms.symbol_width(symbol));
            ours.set(symbol, bits);
            if let Some(symbol) = others.find_symbol(terms.symbol_name(symbol)) {
                theirs.set(symbol, bits);
            }
        }
        (ours, theirs)
    };
    (0..u64::BITS).map(|_| pair()).collect()
}

/// For each condition, a bit for each model: whether it is true there.
fn truths<'m>(events: &[Event], terms: &Terms, models: impl Iterator<Item = &'m Model>) -> Vec<u64> {
    let mut truths = vec![0; events.len()];
    for (bit, model) in models.enumerate() {
        let mut evaluator = Evaluator::new();
        for (truth, event) in truths.iter_mut().zip(events) {
            *truth |= evaluator.eval(terms, model, event.condition) << bit;
        }
    }
    truths
}
