//! Unknown functions, lazily: an application is any value, until a solution gives two applications of a function equal arguments but
//! different results. Then that such arguments have equal results becomes a clause (Ackermann, 1954; on demand as in Bruttomesso and
//! others, 2006).

use super::clauses::Clauses;
use super::encode::Encoder;
use super::gates::Bit;
use super::sat::Solver;
use super::word;
use coax_term::{Function, Model, Node, Term, Terms};
use std::collections::BTreeMap;

/// Values of functions in a solution: the application that was first seen with these arguments.
type Values = BTreeMap<(Function, Vec<u64>), (Term, u64)>;

/// What a solution must tell the values of: arguments and results.
pub(super) fn roots(encoder: &Encoder, terms: &Terms, applications: &[Term]) -> Vec<Bit> {
    let words = applications.iter().flat_map(|application| {
        let operands = arguments(terms, *application).iter().chain([application]);
        operands.flat_map(|&operand| encoder.word(terms, operand))
    });
    words.copied().filter(|bit| !bit.is_constant()).collect()
}

/// The values of functions in the solution, or what it violates: conditions that always hold.
pub(super) fn values<S: Solver>(
    clauses: &Clauses<S>,
    encoder: &mut Encoder,
    terms: &Terms,
    applications: &[Term],
) -> Result<Values, Vec<Bit>> {
    let mut values = Values::new();
    let mut conflicts = Vec::new();
    for &application in applications {
        let Node::Apply { function, .. } = terms.node(application) else { continue };
        let value = |term| value(clauses, encoder.word(terms, term));
        let list = arguments(terms, application).iter().map(|&argument| value(argument)).collect();
        let result = value(application);
        let known = *values.entry((function, list)).or_insert((application, result));
        if known.1 != result {
            conflicts.push((known.0, application));
        }
    }
    if conflicts.is_empty() {
        return Ok(values);
    }
    Err(conflicts.into_iter().map(|(one, other)| congruence(encoder, terms, one, other)).collect())
}

/// Puts the values of functions into a model.
pub(super) fn tell(values: Values, model: &mut Model) {
    for ((function, arguments), (_, value)) in values {
        model.set_at(function, &arguments, value);
    }
}

fn arguments(terms: &Terms, application: Term) -> &[Term] {
    match terms.node(application) {
        Node::Apply { arguments, .. } => terms.arguments(arguments),
        _ => &[],
    }
}

/// The value of a word in the solution.
fn value<S: Solver>(clauses: &Clauses<S>, word: &[Bit]) -> u64 {
    let bits = word.iter().enumerate();
    bits.map(|(at, &bit)| u64::from(clauses.value(bit).unwrap_or(false)) << at).sum()
}

/// If all arguments are equal, so are the results. Arguments are compared as numbers: a shorter one is as if widened by zeros.
fn congruence(encoder: &mut Encoder, terms: &Terms, one: Term, other: Term) -> Bit {
    let mut equal = Bit::TRUE;
    for (&a, &b) in arguments(terms, one).iter().zip(arguments(terms, other)) {
        let [a, b] = [a, b].map(|term| word::resized(encoder.word(terms, term), 64));
        let same = encoder.gates.same(&a, &b);
        equal = encoder.gates.and(equal, same);
    }
    let [a, b] = [one, other].map(|term| encoder.word(terms, term).to_vec());
    let same = encoder.gates.same(&a, &b);
    encoder.gates.or(!equal, same)
}
