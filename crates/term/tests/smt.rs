//! SMT-LIB scripts: their form, and, where z3 is installed, that it gives terms the same meaning as evaluation does.

mod support;

use coax_term::{Algebra, Binary, Model, Term, Terms, Unary, smt};
use std::io::Write;
use std::process::{Command, Stdio};
use support::{Expr, Random, Shape};

#[test]
fn the_form() {
    let t = &mut Terms::new();
    let x = t.parse("in[0]:32").unwrap();
    let condition = t.parse("(and (ult in[0] 7:32) (not (eq (extract 0 8 in[0]) 3:8)))").unwrap();
    let script = smt::script(t, &[condition]);
    let first = "(bvult |in[0]| #x00000007)";
    let second = "(not (= ((_ extract 7 0) |in[0]|) #x03))";
    let expected = |a: &str, b: &str| {
        format!("(set-logic QF_BV)\n(declare-fun |in[0]| () (_ BitVec 32))\n(assert (and {a} {b}))\n")
    };
    // Which comes first is decided by hashes.
    assert!(script == expected(first, second) || script == expected(second, first), "{script}");
    let sqrt = t.unary(Unary::FSqrt, x);
    let f = t.function("f|%", 1);
    let applied = t.apply(f, &[sqrt]);
    let script = smt::script(t, &[applied]);
    assert!(script.starts_with("(set-logic QF_UFBVFP)\n"), "{script}");
    assert!(script.contains("(declare-fun |f%7c%25%(32)| ((_ BitVec 32)) (_ BitVec 1))"), "{script}");
    assert!(!script.contains("to_ieee"), "{script}");
}

#[test]
fn names_survive_quoting() {
    for name in ["x", "in[0]", "a b", "100%", "|\\|", "%7c", "", "é"] {
        let quoted = smt::quote(name);
        assert!(!quoted[1..quoted.len() - 1].contains(['|', '\\']), "{quoted}");
        assert_eq!(smt::unquote(&quoted).as_deref(), Some(name));
    }
    assert_eq!(smt::unquote("|%12|"), None, "a name of the script's own");
    assert_eq!(smt::unquote("|f%(8,8)|"), None, "a function");
}

#[test]
fn deep_terms_do_not_nest() {
    let t = &mut Terms::new();
    let (x, y) = (t.symbol("x", 32), t.symbol("y", 32));
    let term = (0..10_000).fold(x, |term, _| t.binary(Binary::UDiv, term, y));
    let condition = t.eq(term, y);
    let script = smt::script(t, &[condition]);
    let depth = |line: &str| line.matches('(').count();
    assert!(script.lines().map(depth).max() < Some(60));
}

/// Asks z3 all questions in one go; none if there is no z3.
fn ask_z3(questions: &str) -> Option<Vec<String>> {
    let started = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut z3) = started else {
        eprintln!("SKIPPED: z3 is not installed, so nothing judges the meaning of SMT-LIB scripts here");
        return None;
    };
    let mut input = z3.stdin.take().unwrap();
    let answers = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(questions.as_bytes()).unwrap());
        z3.wait_with_output().unwrap()
    });
    Some(String::from_utf8(answers.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// For each term a model: with it the term has the value that evaluation finds, and no other.
fn judge(cases: Vec<(Terms, Term, Model)>) {
    let mut questions = String::new();
    for (terms, term, model) in &cases {
        let mut terms = terms.clone();
        let value = terms.constant(terms.width_of(*term), terms.eval(*term, model));
        let holds = terms.eq(*term, value);
        let differs = terms.not(holds);
        let mut given: Vec<Term> = Vec::new();
        for (symbol, bits) in model.iter() {
            let constant = terms.constant(terms.symbol_width(symbol), bits);
            let symbol = terms.symbol_term(symbol);
            given.push(terms.eq(symbol, constant));
        }
        for condition in [holds, differs] {
            given.push(condition);
            questions += &smt::script(&terms, &given);
            questions += "(check-sat)\n(reset)\n";
            given.pop();
        }
    }
    let Some(answers) = ask_z3(&questions) else { return };
    assert_eq!(answers.len(), 2 * cases.len(), "{:?}", answers.iter().find(|line| line.contains("error")));
    for (answer, (terms, term, model)) in answers.chunks(2).zip(&cases) {
        assert_eq!(answer, ["sat", "unsat"], "{} with {model:?}", terms.display(*term));
    }
}

#[test]
fn z3_agrees_on_bit_vectors() {
    let mut random = Random(7);
    let shape = Shape { symbols: &[8, 32, 64, 1], widest: 64 };
    let mut cases = Vec::new();
    for round in 0..300 {
        let width = random.pick(&[1, 1, 7, 8, 32, 64]);
        let mut terms = Terms::new();
        let term = Expr::random(&mut random, &shape, width, 2 + round % 3).build(&mut terms);
        let model =
            terms.symbols().map(|symbol| (symbol, random.number(terms.symbol_width(symbol)))).collect();
        cases.push((terms, term, model));
    }
    judge(cases);
}

/// A number that floats find interesting.
fn float_bits(random: &mut Random, width: u8) -> u64 {
    let numbers =
        [0.0, -0.0, 1.0, 1.5, -2.5, 0.1, 3e9, -3e9, 1e19, 2147483648.0, 1e-310, f64::NAN, f64::NEG_INFINITY];
    let number = random.pick(&numbers);
    match random.below(3) {
        0 => random.number(width),
        _ if width == 32 => (number as f32).to_bits().into(),
        _ => number.to_bits(),
    }
}

#[test]
fn z3_agrees_on_floats() {
    let mut random = Random(8);
    let mut cases = Vec::new();
    let unary: Vec<Unary> = Unary::all().collect();
    let binary: Vec<Binary> = Binary::all().filter(|&op| op >= Binary::FAdd).collect();
    for round in 0..260 {
        let mut terms = Terms::new();
        let width = random.pick(&[32, 64]);
        let (x, y) = (terms.symbol("x", width), terms.symbol("y", width));
        let mut term = x;
        // Each operator in turn first, then some more on its result.
        for step in 0..1 + random.below(2) as usize {
            let at = round + step * 7;
            let width = terms.width_of(term);
            term = if at % 2 == 0 && unary[at / 2 % unary.len()].accepts(width) {
                terms.unary(unary[at / 2 % unary.len()], term)
            } else if terms.width_of(y) == width {
                terms.binary(binary[at / 2 % binary.len()], term, y)
            } else {
                term
            };
        }
        let model = terms.symbols().map(|symbol| (symbol, float_bits(&mut random, width))).collect();
        cases.push((terms, term, model));
    }
    judge(cases);
}
