//! Questions that nobody answers in time, big in every way: for how late a solver is that was told to end.
//!
//! What counts is how long the solver still computes after its end. That is processor time, as Linux counts it, so a busy machine is not
//! taken for a late solver; a process that is only waited for is not seen.

use crate::{Blast, Budget, Layer, Nothing, Query, Stack, StackOptions, Walk, WalkOptions};
use coax_term::{Algebra, Binary, Model, NoFunctions, Term, Terms, Unary};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// A question that takes long.
struct Question {
    terms: Terms,
    conditions: Vec<Term>,
}

/// A name, and what makes the conditions of the question.
pub type Recipe = (&'static str, fn(&mut Terms) -> Vec<Term>);

/// A name, and what makes the solver.
pub type Maker = (&'static str, fn() -> Box<dyn Layer>);

/// The questions.
pub const QUESTIONS: [Recipe; 9] = [
    ("factors of 62 bits", factors),
    ("5,000 products", products),
    ("200 float divisions", divisions),
    ("500,000 sums", sums),
    ("10,000 conditions", conditions),
    ("10,000 inequalities", inequalities),
    ("tables of 65,536", tables),
    ("300 applications", applications),
    ("floats without solution", floats),
];

/// The solvers.
pub const SOLVERS: [Maker; 4] = [
    ("cheap layers", || Box::new(Stack::above(Box::new(Nothing)))),
    ("blast", || Box::new(Blast::new())),
    ("walk", || Box::new(Walk::new(WalkOptions::default(), Box::new(NoFunctions)))),
    ("stack", || Box::new(Stack::new(StackOptions { child: None, ..StackOptions::default() }))),
];

/// How often a solver is asked: whatever else the machine does only adds to what is measured, so the least counts.
const TRIES: u32 = 3;

/// How a solver is told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its budget says until when.
    Clock,
    /// Someone sets a flag.
    Flag,
}

/// For how long a solver still computes after its end: the least of a few tries, each of them anew, where the first was more than is allowed.
/// None if it is done before its end, or processor time cannot be known here.
pub fn least_late(
    make: fn(&mut Terms) -> Vec<Term>,
    solver: fn() -> Box<dyn Layer>,
    limit: Duration,
    end: End,
    allowed: Duration,
) -> Option<Duration> {
    let once = || Question::new(make).late(&mut *solver(), limit, end);
    let mut least = once()?;
    for _ in 1..TRIES {
        if least <= allowed {
            break;
        }
        // Who is done before the end is not late.
        least = least.min(once().unwrap_or_default());
    }
    Some(least)
}

impl Question {
    fn new(make: fn(&mut Terms) -> Vec<Term>) -> Question {
        let mut terms = Terms::new();
        let conditions = make(&mut terms);
        Question { terms, conditions }
    }

    /// Asks a solver, which has so long. For how long it computes after that; none if it is done before.
    fn late(&mut self, solver: &mut dyn Layer, limit: Duration, end: End) -> Option<Duration> {
        let (goal, assumptions) = self.conditions.split_last()?;
        let hint = Model::new();
        let query = Query { assumptions, goal: *goal, hint: &hint };
        let flag = Arc::new(AtomicBool::new(false));
        let count = std::fs::read_link("/proc/thread-self").ok()?;
        let count = std::path::Path::new("/proc").join(count).join("schedstat");
        let spent = || -> Option<Duration> {
            let text = std::fs::read_to_string(&count).ok()?;
            Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
        };
        let (done, is_done) = mpsc::channel::<()>();
        let terms = &mut self.terms;
        std::thread::scope(|scope| {
            // Looks at the processor time when the solver should end.
            let (flag, spent) = (&flag, &spent);
            let watch = scope.spawn(move || {
                let timeout = is_done.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout);
                flag.store(true, Ordering::Relaxed);
                if timeout { spent() } else { None }
            });
            let mut budget = match end {
                End::Clock => Budget::unlimited().within(limit),
                End::Flag => Budget::unlimited().until(flag.clone()),
            };
            solver.solve(terms, &query, &mut budget);
            let after = spent()?;
            drop(done);
            let at_end = watch.join().ok().flatten()?;
            Some(after.saturating_sub(at_end))
        })
    }
}

fn equals(terms: &mut Terms, term: Term, value: u64) -> Term {
    let value = terms.constant(terms.width_of(term), value);
    terms.eq(term, value)
}

/// Two primes of 31 bits from their product.
fn factors(terms: &mut Terms) -> Vec<Term> {
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, 32));
    let [wide_x, wide_y] = [x, y].map(|factor| terms.zero_extend(factor, 64));
    let product = terms.binary(Binary::Mul, wide_x, wide_y);
    let one = terms.constant(32, 1);
    let proper = [x, y].map(|factor| terms.binary(Binary::Ult, one, factor));
    vec![proper[0], proper[1], equals(terms, product, 2_147_483_647 * 2_147_483_629)]
}

fn products(terms: &mut Terms) -> Vec<Term> {
    let mut value = terms.symbol("x0", 32);
    for number in 1..5_000 {
        let factor = terms.symbol(&format!("x{}", number % 50), 32);
        let mixed = terms.binary(Binary::Xor, value, factor);
        value = terms.binary(Binary::Mul, mixed, factor);
    }
    vec![equals(terms, value, 0x1234_5677)]
}

fn divisions(terms: &mut Terms) -> Vec<Term> {
    let mut value = terms.symbol("x", 64);
    let y = terms.symbol("y", 64);
    for _ in 0..200 {
        let quotient = terms.binary(Binary::FDiv, value, y);
        let sum = terms.binary(Binary::FAdd, quotient, y);
        value = terms.unary(Unary::FSqrt, sum);
    }
    let wanted = terms.constant(64, 1.234_567_f64.to_bits());
    vec![terms.binary(Binary::FEq, value, wanted)]
}

fn sums(terms: &mut Terms) -> Vec<Term> {
    let bytes: Vec<Term> = (0..100).map(|number| terms.symbol(&format!("b{number}"), 8)).collect();
    let mut value = terms.constant(32, 1);
    for number in 0..250_000 {
        let byte = terms.zero_extend(bytes[number % 100], 32);
        let rotated = terms.constant(32, 5);
        let rotated = terms.binary(Binary::Rotl, value, rotated);
        value = terms.binary(if number % 3 == 0 { Binary::Xor } else { Binary::Add }, rotated, byte);
    }
    vec![equals(terms, value, 0xdead_beef)]
}

fn conditions(terms: &mut Terms) -> Vec<Term> {
    let words: Vec<Term> = (0..2_000).map(|number| terms.symbol(&format!("w{number}"), 32)).collect();
    let condition = |number: usize| {
        let [x, y, z] = [1, 7, 41].map(|step| words[number * step % 2_000]);
        let product = terms.binary(Binary::Mul, x, y);
        terms.binary(Binary::Ult, product, z)
    };
    (1..10_001).map(condition).collect()
}

/// Sums that cannot wrap, each less than another number: nothing is left once they have gone round.
fn inequalities(terms: &mut Terms) -> Vec<Term> {
    let words: Vec<Term> = (0..2_000).map(|number| terms.symbol(&format!("w{number}"), 32)).collect();
    let bound = terms.constant(32, 1 << 20);
    let mut conditions: Vec<Term> =
        words.iter().map(|&word| terms.binary(Binary::Ult, word, bound)).collect();
    conditions.extend((1..8_001).map(|number: usize| {
        let [x, y, z] = [1, 7, 41].map(|step| words[number * step % 2_000]);
        let sum = terms.binary(Binary::Add, x, y);
        terms.binary(Binary::Ult, sum, z)
    }));
    conditions
}

fn tables(terms: &mut Terms) -> Vec<Term> {
    let entry = |key: u64| key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
    let entries = (0..65_536).map(|key| (key, terms.constant(16, entry(key)))).collect();
    let table = terms.table(entries);
    let mut value = terms.symbol("x", 16);
    for number in 0..8 {
        let found = terms.lookup(value, table);
        let other = terms.symbol(&format!("y{number}"), 16);
        value = terms.binary(Binary::Mul, found, other);
    }
    vec![equals(terms, value, 4_711)]
}

/// Different results of a function, all at arguments that only a search tells apart.
fn applications(terms: &mut Terms) -> Vec<Term> {
    let function = terms.function("f", 32);
    let x = terms.symbol("x", 32);
    let mut conditions = Vec::new();
    let mut before = x;
    for number in 0..300 {
        let y = terms.symbol(&format!("y{number}"), 32);
        let argument = terms.binary(Binary::Mul, before, y);
        let result = terms.apply(function, &[argument]);
        conditions.push(equals(terms, result, number % 7));
        before = terms.binary(Binary::Add, result, y);
    }
    conditions
}

/// The sum of squares is negative.
fn floats(terms: &mut Terms) -> Vec<Term> {
    let zero = terms.constant(64, 0);
    let mut sum = zero;
    for number in 0..50 {
        let x = terms.symbol(&format!("x{number}"), 64);
        let square = terms.binary(Binary::FMul, x, x);
        sum = terms.binary(Binary::FAdd, sum, square);
    }
    vec![terms.binary(Binary::FLt, sum, zero)]
}
