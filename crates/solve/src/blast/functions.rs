//! Unknown functions, lazily: an application is any value, until a solution gives two applications of a function equal arguments but
//! different results. Then that such arguments have equal results becomes a clause (Ackermann, 1954; on demand, as of Bruttomesso and
//! others, 2006).

use super::clauses::Clauses;
use super::encode::Encoder;
use super::gates::Bit;
use coax_term::{Function, Model, Node, Term, Terms};
use std::collections::BTreeMap;

/// Values of functions in a solution: the application that was first seen with these arguments.
type Values = BTreeMap<(Function, Vec<u64>), (Term, u64)>;

/// Names what the arguments and results of applications are made of, as the solution must tell their values. Applications are in
/// post order: what the arguments of one consist of comes before it.
pub(super) fn prepare(clauses: &mut Clauses, encoder: &Encoder, terms: &Terms, applications: &[Term]) {
    for &application in applications.iter().rev() {
        let result = encoder.word(terms, application);
        if result.iter().all(|&bit| clauses.variable(bit).is_none()) {
            continue;
        }
        let arguments = arguments(terms, application).iter().map(|&argument| encoder.word(terms, argument));
        for &bit in arguments.flatten().chain(result).filter(|bit| !bit.is_constant()) {
            clauses.literal(&encoder.gates, bit);
        }
    }
}

/// Where the solution is not a function, says that it must be; whether it was one.
pub(super) fn refine(
    clauses: &mut Clauses,
    encoder: &mut Encoder,
    terms: &Terms,
    applications: &[Term],
) -> Result<Values, ()> {
    let mut values = Values::new();
    let mut conflicts = Vec::new();
    for &application in applications {
        let Node::Apply { function, .. } = terms.node(application) else { continue };
        let value = |term| value(clauses, encoder.word(terms, term));
        let list: Option<Vec<u64>> = arguments(terms, application).iter().map(|&a| value(a)).collect();
        let (Some(list), Some(result)) = (list, value(application)) else { continue };
        let known = *values.entry((function, list)).or_insert((application, result));
        if known.1 != result {
            conflicts.push((known.0, application));
        }
    }
    for &(one, other) in &conflicts {
        let lemma = congruence(encoder, terms, one, other);
        clauses.assert(&encoder.gates, lemma);
    }
    if conflicts.is_empty() { Ok(values) } else { Err(()) }
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

/// The value of a word in the solution, if all of its bits have one.
fn value(clauses: &Clauses, word: &[Bit]) -> Option<u64> {
    let bits = word.iter().enumerate().map(|(at, &bit)| Some(u64::from(clauses.value(bit)?) << at));
    bits.sum()
}

/// If all arguments are equal, so are the results. Arguments are compared as numbers: a shorter one is as if widened by zeros.
fn congruence(encoder: &mut Encoder, terms: &Terms, one: Term, other: Term) -> Bit {
    let mut equal = Bit::TRUE;
    for (&a, &b) in arguments(terms, one).iter().zip(arguments(terms, other)) {
        let [a, b] = [a, b].map(|term| super::word::resized(encoder.word(terms, term), 64));
        let same = encoder.gates.same(&a, &b);
        equal = encoder.gates.and(equal, same);
    }
    let [a, b] = [one, other].map(|term| encoder.word(terms, term).to_vec());
    let same = encoder.gates.same(&a, &b);
    encoder.gates.or(!equal, same)
}
