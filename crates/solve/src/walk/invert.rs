//! From a comparison that should hold back to the input: operators are undone, one after the other, until a symbol is reached
//! (Niemetz, Preiner and Biere, 2016, for bit-vectors). Where two operands can give what is wanted, one is chosen at random and
//! the other keeps its value; where an operator cannot be undone exactly, the nearest is taken. What comes out is a guess, to be scored.

mod aim;
mod operator;

use super::space::{Point, Space, Stop};
use crate::random::Random;
use coax_term::{Evaluator, Functions, Model, Node, Term};

/// Undoes operators at a point.
#[derive(Debug, Default)]
pub(super) struct Inverter {
    evaluator: Evaluator,
    model: Model,
    /// Terms with the values that they should have.
    wanted: Vec<(Term, u64)>,
}

/// A path is given up after so many operators.
const MOST_OPERATORS: usize = 4096;

/// What undoing an operator looks at: the operator's term, and the values at the point.
struct Undo<'i, 'a> {
    terms: &'a coax_term::Terms,
    evaluator: &'i mut Evaluator,
    model: &'i Model,
    functions: &'i mut dyn Functions,
    random: &'i mut Random,
}

impl Inverter {
    /// A point at which a comparison may hold, or not, as wanted. None if the way back ends.
    pub(super) fn point(
        &mut self,
        space: &mut Space,
        from: &Point,
        comparison: usize,
        holds: bool,
        random: &mut Random,
    ) -> Result<Option<Point>, Stop> {
        space.owe(8 * space.cost())?;
        self.evaluator.reset();
        for (&symbol, &value) in space.shape.variables.iter().zip(from) {
            self.model.set(symbol, value);
        }
        let comparison = space.scores.comparisons[comparison];
        let mut undo = Undo {
            terms: space.terms,
            evaluator: &mut self.evaluator,
            model: &self.model,
            functions: &mut *space.functions,
            random,
        };
        self.wanted.clear();
        let aim = undo.compare(comparison.op, comparison.left, comparison.right, holds);
        self.wanted.extend(aim);
        let mut point = from.clone();
        let mut operators = 0;
        while let Some((term, value)) = self.wanted.pop() {
            operators += 1;
            if operators > MOST_OPERATORS {
                return Ok(None);
            }
            match undo.terms.node(term) {
                Node::Const { bits, .. } if bits != value => return Ok(None),
                Node::Const { .. } => {}
                Node::Symbol(symbol) => {
                    let Ok(variable) = space.shape.variables.binary_search(&symbol) else { return Ok(None) };
                    point[variable] = merge(from[variable], point[variable], value);
                }
                _ => match undo.operator(term, value) {
                    Some(operands) => self.wanted.extend(operands.into_iter().flatten()),
                    None => return Ok(None),
                },
            }
        }
        Ok((point != *from).then_some(point))
    }
}

/// A value that was changed before, changed in those bits in which another one differs from what it was at first: parts of a symbol can be
/// wanted one after the other.
fn merge(before: u64, now: u64, wanted: u64) -> u64 {
    let changed = before ^ wanted;
    now & !changed | wanted & changed
}

impl Undo<'_, '_> {
    /// The value of a term at the point.
    fn value(&mut self, term: Term) -> u64 {
        self.evaluator.eval_with(self.terms, self.model, self.functions, term).unwrap_or(0)
    }

    fn is_constant(&self, term: Term) -> bool {
        self.terms.as_constant(term).is_some()
    }

    /// Which of two operands to change, and the value of the other: one that is not a constant.
    fn choose(&mut self, a: Term, b: Term) -> (bool, u64) {
        let first = match (self.is_constant(a), self.is_constant(b)) {
            (true, _) => false,
            (_, true) => true,
            _ => self.random.one_in(2),
        };
        (first, self.value(if first { b } else { a }))
    }
}
