//! Conditions of branches, selects and switches.

use super::{at_most, is_zero};
use coax_term::{Algebra, Binary};

/// The condition that the operand of a branch, `if` or `select` (an i32) is true.
#[inline]
pub fn truth<A: Algebra>(alg: &mut A, operand: A::Value) -> A::Value {
    let zero = is_zero(alg, operand);
    alg.not(zero)
}

/// The condition that a branch goes in a direction: 1 if its operand is true, else 0.
#[inline]
pub fn branch<A: Algebra>(alg: &mut A, operand: A::Value, direction: u32) -> A::Value {
    if direction == 0 { is_zero(alg, operand) } else { truth(alg, operand) }
}

/// The condition that a `br_table` goes in a direction: index `i` in direction `cases[i]`, any index past the end
/// in direction `default`.
///
/// Neighbours are compared as a range. Where the other directions have fewer ranges the condition is that none of those
/// holds, so a table with holes stays small.
pub fn switch<A: Algebra>(
    alg: &mut A,
    index: A::Value,
    cases: &[u32],
    default: u32,
    direction: u32,
) -> A::Value {
    let ours = runs(cases, default, |case| case == direction);
    let others = runs(cases, default, |case| case != direction);
    if ours.len() <= others.len() {
        within(alg, index, &ours)
    } else {
        let outside = within(alg, index, &others);
        alg.not(outside)
    }
}

/// Indices from `first` to `last`, both included; without `last` to the end of all numbers.
struct Run {
    first: u64,
    last: Option<u64>,
}

/// The longest runs of indices whose direction is wanted, in order.
fn runs(cases: &[u32], default: u32, wanted: impl Fn(u32) -> bool) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut start = None;
    for (index, &case) in (0_u64..).zip(cases) {
        match (wanted(case), start) {
            (true, None) => start = Some(index),
            (false, Some(first)) => {
                runs.push(Run { first, last: Some(index - 1) });
                start = None;
            }
            _ => {}
        }
    }
    let end = cases.len() as u64;
    match start {
        Some(first) if wanted(default) => runs.push(Run { first, last: None }),
        Some(first) => runs.push(Run { first, last: Some(end - 1) }),
        None if wanted(default) => runs.push(Run { first: end, last: None }),
        None => {}
    }
    runs
}

/// The condition that the index is in one of the runs.
fn within<A: Algebra>(alg: &mut A, index: A::Value, runs: &[Run]) -> A::Value {
    let mut any = alg.constant(1, 0);
    for run in runs {
        let inside = inside(alg, index, run);
        any = alg.or(any, inside);
    }
    any
}

fn inside<A: Algebra>(alg: &mut A, index: A::Value, run: &Run) -> A::Value {
    let width = alg.width(index);
    let first = alg.constant(width, run.first);
    match run.last {
        None => at_most(alg, first, index),
        Some(last) if last == run.first => alg.eq(index, first),
        Some(last) => {
            let from_first = alg.binary(Binary::Sub, index, first);
            let length = alg.constant(width, last - run.first);
            at_most(alg, from_first, length)
        }
    }
}
