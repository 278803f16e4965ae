//! The hard set: questions of bit-vectors that cost solvers much, the bit-blaster's time for each beside that of z3, if it is there, in its
//! two modes; then a stream of small questions like those of a parser.
//!
//!     cargo run --release -p coax-solve --example hard [PART OF A NAME]

#![expect(clippy::disallowed_methods, reason = "it measures time")]

use coax_solve::{Answer, Blast, Budget, Layer, Query};
use coax_term::{Algebra, Binary, Evaluator, Model, Term, Terms, smt};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than this is given up.
const LIMIT: Duration = Duration::from_secs(20);

/// Conditions that must hold together, and whether they can.
struct Problem {
    name: &'static str,
    conditions: Vec<Term>,
    has_solution: bool,
}

fn main() {
    let part = std::env::args().nth(1).unwrap_or_default();
    let mut terms = Terms::new();
    println!("{:28} {:>9} {:>9} {:>9}", "milliseconds", "blast", "z3", "z3 QF_BV");
    for problem in problems(&mut terms).into_iter().filter(|problem| problem.name.contains(&part)) {
        let ours = blast(&mut terms, &problem);
        let theirs = [false, true].map(|has_logic| z3(&terms, &problem, has_logic));
        println!("{:28} {:>9} {:>9} {:>9}", problem.name, show(ours), show(theirs[0]), show(theirs[1]));
    }
    if "stream".contains(&part) {
        stream();
    }
}

fn show(time: Option<Duration>) -> String {
    time.map_or("-".to_owned(), |time| format!("{:.1}", time.as_secs_f64() * 1e3))
}

fn blast(terms: &mut Terms, problem: &Problem) -> Option<Duration> {
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..3 {
        let (&goal, assumptions) = problem.conditions.split_last()?;
        let query = Query { assumptions, goal, hint: &Model::new() };
        let start = Instant::now();
        let answer = Blast::new().solve(terms, &query, &mut Budget::unlimited().within(LIMIT));
        times.push(start.elapsed());
        match answer {
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new();
                let holds = |&condition: &Term| evaluator.eval(terms, &model, condition) == 1;
                assert!(problem.has_solution && problem.conditions.iter().all(holds), "{}", problem.name);
            }
            Answer::Unsat(_) => assert!(!problem.has_solution, "{}", problem.name),
            Answer::Unknown(_) => return None,
        }
    }
    times.sort_unstable();
    Some(times[1])
}

/// The time from `(check-sat)` to its answer, without that of starting z3 and reading the conditions.
fn z3(terms: &Terms, problem: &Problem, has_logic: bool) -> Option<Duration> {
    let mut child = Command::new("z3")
        .args(["-in", "-T:20"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let mut output = BufReader::new(child.stdout.take()?).lines();
    let script = smt::script(terms, &problem.conditions);
    let script = script
        .lines()
        .filter(|line| has_logic || !line.starts_with("(set-logic"))
        .collect::<Vec<_>>()
        .join("\n");
    writeln!(input, "{script}\n(echo \"ready\")").ok()?;
    output.next()?.ok()?;
    let start = Instant::now();
    writeln!(input, "(check-sat)").ok()?;
    let answer = output.next()?.ok()?;
    let time = start.elapsed();
    drop(input);
    child.wait().ok()?;
    match answer.as_str() {
        "sat" => assert!(problem.has_solution),
        "unsat" => assert!(!problem.has_solution),
        _ => return None,
    }
    Some(time)
}

fn problems(terms: &mut Terms) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut add = |name, conditions, has_solution| problems.push(Problem { name, conditions, has_solution });
    let sum = count(terms, "s", 100, b'a');
    add("sum of 100 ite == 3", vec![equals(terms, sum, 3)], true);
    add("sum of 100 ite == 97", vec![equals(terms, sum, 97)], true);
    add("sum of 100 ite > 100", vec![exceeds(terms, sum, 100)], false);
    let (conditions, contradiction) = characters(terms);
    add("16 characters counted", conditions, true);
    add("16 characters, impossible", contradiction, false);
    for (name, width, root) in
        [("x^3 == C, 32 bits", 32, 0x9e37_79b9), ("x^3 == C, 64 bits", 64, 0x9e37_79b9_7f4a_7c15)]
    {
        add(name, vec![cube(terms, width, root)], true);
    }
    add("x^2 == 3 mod 2^32", vec![square(terms, 32, 3)], false);
    let x = terms.symbol("mixed", 32);
    let mixed = murmur(terms, x);
    add("invert a 32-bit mix", vec![equals(terms, mixed, 0xdead_beef)], true);
    let twice = murmur(terms, mixed);
    add("invert it twice", vec![equals(terms, twice, 0xdead_beef)], true);
    add("table chain", tables(terms, 3), true);
    add("crc32 of 4 bytes", vec![crc(terms, 0x1234_5678)], true);
    for (name, width) in [("x % 1000003 == 17, x*x, 32", 32), ("x % 1000003 == 17, x*x, 64", 64)] {
        add(name, modular(terms, width), true);
    }
    add("x*x % 1000003 == 17, 32", vec![remainder_of_square(terms)], true);
    add("factors of a 32-bit product", factors(terms, 65_521, 65_519), true);
    add("decimal digits to number", decimal(terms), true);
    add("x / y == 7, x % y == 5", quotient(terms), true);
    problems
}

fn equals(terms: &mut Terms, term: Term, value: u64) -> Term {
    let value = terms.constant(terms.width_of(term), value);
    terms.eq(term, value)
}

fn exceeds(terms: &mut Terms, term: Term, value: u64) -> Term {
    let value = terms.constant(terms.width_of(term), value);
    terms.binary(Binary::Ult, value, term)
}

/// How many of the bytes are the character, 32 bits.
fn count(terms: &mut Terms, prefix: &str, bytes: usize, character: u8) -> Term {
    let (zero, one) = (terms.constant(32, 0), terms.constant(32, 1));
    (0..bytes).fold(zero, |sum, at| {
        let byte = terms.symbol(&format!("{prefix}{at}"), 8);
        let is = equals(terms, byte, u64::from(character));
        let counted = terms.ite(is, one, zero);
        terms.binary(Binary::Add, sum, counted)
    })
}

/// Of 16 bytes: 3 a, 4 b, twice as many c as d, of these together 9; and that with 10, which is too much.
fn characters(terms: &mut Terms) -> (Vec<Term>, Vec<Term>) {
    let [a, b, c, d] = [b'a', b'b', b'c', b'd'].map(|character| count(terms, "c", 16, character));
    let two = terms.constant(32, 2);
    let double = terms.binary(Binary::Mul, d, two);
    let both = terms.binary(Binary::Add, c, d);
    let mut conditions = vec![equals(terms, a, 3), equals(terms, b, 4), terms.eq(c, double)];
    let mut impossible = conditions.clone();
    conditions.push(equals(terms, both, 9));
    impossible.push(exceeds(terms, both, 9));
    (conditions, impossible)
}

fn cube(terms: &mut Terms, width: u8, root: u64) -> Term {
    let x = terms.symbol(&format!("root{width}"), width);
    let square = terms.binary(Binary::Mul, x, x);
    let cube = terms.binary(Binary::Mul, square, x);
    let root = root | 1;
    equals(terms, cube, root.wrapping_mul(root).wrapping_mul(root) & coax_term::mask(width))
}

fn square(terms: &mut Terms, width: u8, value: u64) -> Term {
    let x = terms.symbol(&format!("root{width}"), width);
    let square = terms.binary(Binary::Mul, x, x);
    equals(terms, square, value)
}

/// The finaliser of MurmurHash3 (Appleby).
fn murmur(terms: &mut Terms, mut x: Term) -> Term {
    for (shift, factor) in [(16, Some(0x85eb_ca6b)), (13, Some(0xc2b2_ae35)), (16, None)] {
        let count = terms.constant(32, shift);
        let shifted = terms.binary(Binary::LShr, x, count);
        x = terms.binary(Binary::Xor, x, shifted);
        if let Some(factor) = factor {
            let factor = terms.constant(32, factor);
            x = terms.binary(Binary::Mul, x, factor);
        }
    }
    x
}

/// A permutation of bytes looked up several times, from one byte, xored with another.
fn tables(terms: &mut Terms, times: usize) -> Vec<Term> {
    let entries =
        (0..256u64).map(|key| (key, terms.constant(8, (key * 167 + 91 ^ key >> 3) & 255))).collect();
    let table = terms.table(entries);
    let (mut x, key) = (terms.symbol("byte", 8), terms.symbol("key", 8));
    for _ in 0..times {
        let found = terms.lookup(x, table);
        x = terms.binary(Binary::Xor, found, key);
    }
    let low = terms.extract(key, 0, 4);
    vec![equals(terms, low, 9), equals(terms, x, 0x5a)]
}

/// The usual CRC, by its table.
fn crc(terms: &mut Terms, wanted: u64) -> Term {
    let entry =
        |byte: u64| (0..8).fold(byte, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 });
    let entries = (0..256).map(|key| (key, terms.constant(32, entry(key)))).collect();
    let table = terms.table(entries);
    let mut crc = terms.constant(32, 0xffff_ffff);
    for at in 0..4 {
        let byte = terms.symbol(&format!("crc{at}"), 8);
        let low = terms.extract(crc, 0, 8);
        let index = terms.binary(Binary::Xor, low, byte);
        let found = terms.lookup(index, table);
        let high = terms.extract(crc, 8, 24);
        let high = terms.zero_extend(high, 32);
        crc = terms.binary(Binary::Xor, found, high);
    }
    equals(terms, crc, wanted)
}

/// x is 17 modulo a prime, and the middle of x * x is that of one such number.
fn modular(terms: &mut Terms, width: u8) -> Vec<Term> {
    let x = terms.symbol(&format!("modular{width}"), width);
    let prime = terms.constant(width, 1_000_003);
    let rest = terms.binary(Binary::URem, x, prime);
    let square = terms.binary(Binary::Mul, x, x);
    let middle = terms.extract(square, width / 4, width / 2);
    let one = (17 + 1_000_003 * 3_141_592_653_589u64) & coax_term::mask(width);
    let one = one - one % 1_000_003 + 17;
    let wanted = coax_term::fold::extract(one.wrapping_mul(one), width / 4, width / 2);
    vec![equals(terms, rest, 17), equals(terms, middle, wanted)]
}

fn remainder_of_square(terms: &mut Terms) -> Term {
    let x = terms.symbol("squared", 32);
    let prime = terms.constant(32, 1_000_003);
    let square = terms.binary(Binary::Mul, x, x);
    let rest = terms.binary(Binary::URem, square, prime);
    equals(terms, rest, 17)
}

fn factors(terms: &mut Terms, one: u64, other: u64) -> Vec<Term> {
    let [x, y] = ["factor1", "factor2"].map(|name| terms.symbol(name, 16));
    let [wide_x, wide_y] = [x, y].map(|factor| terms.zero_extend(factor, 32));
    let product = terms.binary(Binary::Mul, wide_x, wide_y);
    vec![terms.binary(Binary::Ule, y, x), equals(terms, product, one * other)]
}

/// The value of eight decimal digits, as a parser computes it.
fn decimal(terms: &mut Terms) -> Vec<Term> {
    let mut conditions = Vec::new();
    let mut value = terms.constant(32, 0);
    for at in 0..8 {
        let byte = terms.symbol(&format!("digit{at}"), 8);
        let [low, high] = [b'0', b'9'].map(|edge| terms.constant(8, u64::from(edge)));
        conditions.push(terms.binary(Binary::Ule, low, byte));
        conditions.push(terms.binary(Binary::Ule, byte, high));
        let digit = terms.binary(Binary::Sub, byte, low);
        let digit = terms.zero_extend(digit, 32);
        let ten = terms.constant(32, 10);
        let shifted = terms.binary(Binary::Mul, value, ten);
        value = terms.binary(Binary::Add, shifted, digit);
    }
    conditions.push(equals(terms, value, 31_415_926));
    conditions
}

fn quotient(terms: &mut Terms) -> Vec<Term> {
    let (x, y) = (terms.symbol("dividend", 32), terms.symbol("divisor", 32));
    let (quotient, rest) = (terms.binary(Binary::UDiv, x, y), terms.binary(Binary::URem, x, y));
    vec![equals(terms, quotient, 7), equals(terms, rest, 5), exceeds(terms, y, 100_000)]
}

/// Paths of a parser: 40 decisions each on 32 bytes, and at each the question for the other direction.
fn stream() {
    let mut terms = Terms::new();
    let bytes: Vec<Term> = (0..32).map(|at| terms.symbol(&format!("in{at}"), 8)).collect();
    let mut blast = Blast::new();
    let (mut questions, mut found) = (0, 0);
    let mut seed = 1u64;
    let mut below = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    let mut spent = Duration::ZERO;
    let mut evaluator = Evaluator::new();
    for _ in 0..100 {
        let input: Model = bytes
            .iter()
            .flat_map(|&byte| terms.symbols_of(byte))
            .map(|symbol| (symbol, 32 + below(90)))
            .collect();
        let mut prefix: Vec<Term> = Vec::new();
        for step in 0..40 {
            let at = (step * 2 / 3 + below(3) as usize) % 30;
            let condition = decision(&mut terms, &bytes[at..], below(5), 32 + below(90));
            let negated = terms.not(condition);
            evaluator.reset();
            let (taken, other) = if evaluator.eval(&terms, &input, condition) == 1 {
                (condition, negated)
            } else {
                (negated, condition)
            };
            let query = Query { assumptions: &prefix, goal: other, hint: &input };
            let start = Instant::now();
            let answer = blast.solve(&mut terms, &query, &mut Budget::unlimited());
            spent += start.elapsed();
            questions += 1;
            if let Answer::Sat(model) = answer {
                found += 1;
                evaluator.reset();
                assert!(query.conditions().all(|condition| evaluator.eval(&terms, &model, condition) == 1));
            }
            prefix.push(taken);
        }
    }
    let each = spent.as_secs_f64() * 1e6 / f64::from(questions);
    println!("stream: {questions} small questions, {found} with a solution: {each:.0} µs each");
}

/// What parsers ask of their input.
fn decision(terms: &mut Terms, bytes: &[Term], kind: u64, value: u64) -> Term {
    match kind {
        0 => equals(terms, bytes[0], value),
        1 => exceeds(terms, bytes[0], value),
        2 => {
            let digit = terms.constant(8, u64::from(b'0'));
            let digit = terms.binary(Binary::Sub, bytes[0], digit);
            let ten = terms.constant(8, 10);
            terms.binary(Binary::Ult, digit, ten)
        }
        3 => {
            let word = terms.concat(bytes[1], bytes[0]);
            exceeds(terms, word, value << 8)
        }
        _ => terms.eq(bytes[0], bytes[1]),
    }
}
