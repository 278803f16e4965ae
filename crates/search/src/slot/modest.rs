//! Inputs no longer than they have to be.
//!
//! Of a length that only has to be more than it was, solvers choose any: thousands of bytes that nobody decides about yet. A run takes longer with each, and every
//! question about it too. So a length that grew is cut to the first step at which everything that was asked for still holds. Now and then it stays as it
//! was found: what only happens to long inputs, as a buffer that overflows, is to be found as well.

use coax_term::{Evaluator, Model, Symbol, Term, Terms};

/// The first length that is tried; each other is twice as long.
const SHORTEST: u64 = 8;
/// One of so many inputs stays as long as it was found.
const OFTEN: u64 = 8;

/// Cuts what a model makes of lengths, if it makes them longer than the hint does.
#[derive(Debug, Default)]
pub(super) struct Modesty {
    grown: u64,
}

impl Modesty {
    /// The model, with lengths as short as these conditions allow.
    pub(super) fn cut(
        &mut self,
        terms: &Terms,
        lengths: &[Symbol],
        conditions: &[Term],
        hint: &Model,
        mut model: Model,
    ) -> Model {
        for &length in lengths {
            let (before, found) = (hint.get(length), model.given(length));
            let Some(found) = found.filter(|&found| found > before.max(SHORTEST)) else { continue };
            self.grown += 1;
            if self.grown.is_multiple_of(OFTEN) {
                continue;
            }
            let steps = std::iter::successors(Some(SHORTEST), |&step| step.checked_mul(2));
            let shorter = std::iter::once(before).chain(steps.skip_while(|&step| step <= before));
            for step in shorter.take_while(|&step| step < found) {
                let mut whole = hint.clone();
                whole.overlay(&model);
                whole.set(length, step);
                let mut evaluator = Evaluator::new();
                if conditions.iter().all(|&condition| evaluator.eval(terms, &whole, condition) == 1) {
                    model.set(length, step);
                    break;
                }
            }
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::{Algebra, Binary};

    /// What becomes of a length that was 4 and was found to be 1000, where it has to be more than `least`.
    fn cut(modesty: &mut Modesty, least: u64) -> u64 {
        let mut terms = Terms::new();
        let length = terms.symbol("length", 32);
        let least = terms.constant(32, least);
        let condition = terms.binary(Binary::Ult, least, length);
        let symbol = terms.find_symbol("length").expect("it was just made");
        let model = |value| Model::from_iter([(symbol, value)]);
        modesty.cut(&terms, &[symbol], &[condition], &model(4), model(1000)).get(symbol)
    }

    #[test]
    fn it_is_the_first_step_that_is_long_enough() {
        let mut modesty = Modesty::default();
        assert_eq!(cut(&mut modesty, 3), 4);
        assert_eq!(cut(&mut modesty, 4), 8);
        assert_eq!(cut(&mut modesty, 100), 128);
        assert_eq!(cut(&mut modesty, 600), 1000);
    }

    #[test]
    fn now_and_then_it_is_long() {
        let mut modesty = Modesty::default();
        let found: Vec<u64> = (0..2 * OFTEN).map(|_| cut(&mut modesty, 4)).collect();
        assert_eq!(found.iter().filter(|&&length| length == 1000).count(), 2);
    }
}
