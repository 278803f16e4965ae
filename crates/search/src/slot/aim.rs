//! Switches: a question about one is first asked for a way that nobody has covered.
//!
//! A lexer may have a hundred kinds of words and one switch for them all. Who asks for any other way there gets one that was covered long ago, again and again.

use crate::task::Aim;
use coax_execute::semantics::switch;
use coax_term::{Algebra, Binary, Node, Term, Terms, Unary};

/// One in so many of the wanted ways comes first: not all questions of a batch are to find the same.
const PARTS: usize = 4;

/// What a switch decides by is so wide.
const INDEX: u8 = 32;

/// The conditions that a switch goes one of some wanted ways, or one of the others, where a run went in a direction because of a condition. None if what
/// it decides by is not to be seen there.
pub(super) fn aimed(terms: &mut Terms, condition: Term, aim: &Aim) -> Option<[Term; 2]> {
    let (compared, number) = comparison(terms, condition)?;
    let compared = match terms.width_of(compared) {
        INDEX => compared,
        width if width < INDEX => terms.zero_extend(compared, INDEX),
        _ => return None,
    };
    let goes = |terms: &mut Terms, index, direction| switch(terms, index, &aim.cases, aim.default, direction);
    // What is compared may be more or less than what the switch decides by: than a case, and than the first of several.
    let cases = (0..).zip(&aim.cases).filter(|(_, direction)| **direction == aim.taken).map(|(case, _)| case);
    let differences = cases.flat_map(|case: u64| [case.wrapping_sub(number), case]);
    let index = std::iter::once(0).chain(differences.take(MOST_DIFFERENCES)).find_map(|difference| {
        let difference = terms.constant(INDEX, difference & u64::from(u32::MAX));
        let index = terms.binary(Binary::Add, compared, difference);
        (goes(terms, index, aim.taken) == condition).then_some(index)
    })?;
    let mut any = [terms.falsity(); 2];
    for (number, &direction) in aim.wanted.iter().enumerate() {
        let part = usize::from(number % PARTS != aim.first % PARTS);
        let wanted = goes(terms, index, direction);
        any[part] = terms.or(any[part], wanted);
    }
    Some(any)
}

/// How many differences are tried between what is compared and what a switch decides by.
const MOST_DIFFERENCES: usize = 16;

/// The term that a condition compares with a number, and the number.
fn comparison(terms: &Terms, mut condition: Term) -> Option<(Term, u64)> {
    loop {
        condition = match terms.node(condition) {
            Node::Unary(Unary::Not, inner) => inner,
            Node::Binary(Binary::And | Binary::Or, one, _) if terms.width_of(one) == 1 => one,
            Node::Binary(Binary::Eq | Binary::Ult | Binary::Ule, one, other) => {
                return match (terms.as_constant(one), terms.as_constant(other)) {
                    (None, Some(number)) => Some((one, number)),
                    (Some(number), None) => Some((other, number)),
                    _ => None,
                };
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::Model;

    /// The values of a byte for which a switch goes one of the wanted ways, by parts, where it decides by this, and a run went in a direction.
    fn found(index: &str, taken: u32, wanted: Vec<u32>) -> Option<[Vec<u64>; 2]> {
        let mut terms = Terms::new();
        let index = terms.parse(index).expect("a term");
        let aim = Aim { cases: vec![0, 1, 1, 2, 3], default: 4, taken, wanted, first: 1 };
        let condition = switch(&mut terms, index, &aim.cases, aim.default, aim.taken);
        let goals = aimed(&mut terms, condition, &aim)?;
        let symbol = terms.find_symbol("x").expect("a symbol");
        let fits = |goal: Term, value: u64| {
            let mut model = Model::new();
            model.set(symbol, value);
            terms.eval(goal, &model) == 1
        };
        Some(goals.map(|goal| (0..8).filter(|&value| fits(goal, value)).collect()))
    }

    #[test]
    fn the_wanted_ways_are_asked_for() {
        for taken in [0, 1, 3] {
            let found = found("(zext 32 x:8)", taken, vec![2, 4]);
            assert_eq!(found, Some([vec![5, 6, 7], vec![3]]), "{taken}");
        }
        for taken in [0, 1, 2, 4] {
            let found = found("(add x:32 0xffffffff:32)", taken, vec![1, 3]);
            assert_eq!(found, Some([vec![5], vec![2, 3]]), "{taken}");
        }
    }
}
