//! Functions that agree with all samples and with which no input makes the conditions hold: the proof that there is no strategy.
//!
//! Only simple ones are tried: what was seen where it was seen, and elsewhere always the same, or something simple of the arguments. That a function
//! defeats every input is then an ordinary question, in which nothing is unknown.

use super::{Knowledge, Samples};
use crate::{Answer, Budget, Layer, Query};
use coax_term::{Algebra, Binary, Node, Substitution, Term, Terms};
use std::fmt;

/// With more samples of one function the question becomes too large.
const MOST_SAMPLES: usize = 64;

/// What a function gives where it was not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Always the same.
    Always(u64),
    /// The sum of its arguments, and so much.
    Sum(u64),
}

const TRIED: [Otherwise; 6] = [
    Otherwise::Always(0),
    Otherwise::Always(u64::MAX),
    Otherwise::Sum(1),
    Otherwise::Always(0x5a5a_a5a5_1234_8765),
    Otherwise::Sum(0x9e37_79b9_7f4a_7c15),
    Otherwise::Always(1),
];

impl fmt::Display for Otherwise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Otherwise::Always(u64::MAX) => f.write_str("-1"),
            Otherwise::Always(value @ 0..=9) => write!(f, "{value}"),
            Otherwise::Always(value) => write!(f, "the low bits of {value:#x}"),
            Otherwise::Sum(value @ 0..=9) => write!(f, "the sum of the arguments and {value}"),
            Otherwise::Sum(value) => write!(f, "the low bits of the sum of the arguments and {value:#x}"),
        }
    }
}

impl Otherwise {
    /// What it is for arguments.
    pub fn value(self, arguments: &[u64], width: u8) -> u64 {
        let sum = match self {
            Otherwise::Always(value) => value,
            Otherwise::Sum(value) => arguments.iter().fold(value, |sum, one| sum.wrapping_add(*one)),
        };
        if width < 64 { sum & ((1 << width) - 1) } else { sum }
    }

    fn term(self, terms: &mut Terms, arguments: &[Term], width: u8) -> Term {
        let value = self.value(&[], width);
        let mut sum = terms.constant(width, value);
        if let Otherwise::Sum(_) = self {
            for &argument in arguments {
                let own = terms.width_of(argument);
                let fitting = match own < width {
                    true => terms.zero_extend(argument, width),
                    false => terms.extract(argument, 0, width),
                };
                sum = terms.binary(Binary::Add, sum, fitting);
            }
        }
        sum
    }
}

/// What unknown functions can be where they were not seen such that no input makes the conditions hold; none if none was found.
pub fn defeat(
    terms: &mut Terms,
    query: &Query<'_>,
    samples: Knowledge<'_>,
    layer: &mut dyn Layer,
    budget: &mut Budget,
) -> Option<Otherwise> {
    let conditions: Vec<Term> = query.conditions().collect();
    for otherwise in TRIED {
        let known = with(terms, &conditions, samples, otherwise)?;
        let (&goal, assumptions) = known.split_last()?;
        let effort = budget.left() / 3;
        let mut part = budget.part(effort);
        let answer = layer.solve(terms, &Query { assumptions, goal, hint: query.hint }, &mut part);
        budget.settle(effort, &part);
        if let Answer::Unsat(_) = answer {
            return Some(otherwise);
        }
    }
    None
}

/// Conditions in which functions are no longer unknown; none if there are too many samples.
fn with(
    terms: &mut Terms,
    conditions: &[Term],
    samples: Knowledge<'_>,
    otherwise: Otherwise,
) -> Option<Vec<Term>> {
    let mut substitution = Substitution::default();
    for term in terms.post_order(conditions) {
        let Node::Apply { function, arguments } = terms.node(term) else { continue };
        let arguments = terms.arguments(arguments).to_vec();
        let arguments: Vec<Term> =
            arguments.into_iter().map(|one| substitution.apply(terms, one, &mut |_| None)).collect();
        let name = terms.function_name(function).to_owned();
        if samples.of(&name) > MOST_SAMPLES {
            return None;
        }
        let width = terms.function_width(function);
        let mut value = otherwise.term(terms, &arguments, width);
        let seen: Vec<(Vec<u64>, u64)> =
            samples.0.iter().flat_map(|it: &&Samples| it.newest(&name, None)).collect();
        for (values, result) in seen {
            let mut is_this = terms.truth();
            for (&argument, bits) in arguments.iter().zip(values) {
                let same = terms.has_value(argument, bits);
                is_this = terms.and(is_this, same);
            }
            // A sample of an earlier version may not fit: it says nothing of this one.
            let Some(result) = terms.fitting(width, result) else { continue };
            value = terms.ite(is_this, result, value);
        }
        substitution.put(term, value);
    }
    Some(conditions.iter().map(|&condition| substitution.apply(terms, condition, &mut |_| None)).collect())
}
