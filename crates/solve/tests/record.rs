//! What is recorded can be asked again, with the same answers.

mod every_value;
#[path = "../../term/tests/support/mod.rs"]
mod support;

use coax_solve::smtlib::{Solvers, Verdict, run_script};
use coax_solve::{Answer, Budget, Layer, Query, Record};
use coax_term::{Algebra, Binary, Model, Term, Terms};
use every_value::EveryValue;
use std::process::Command;
use support::{Expr, Random, Shape};

/// The bits of computed floats have side conditions, which must be there again after a `pop`.
#[test]
fn a_recording_says_what_the_bits_of_floats_are() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = Record::new(Box::new(EveryValue), folder.path()).unwrap();
    let t = &mut Terms::new();
    let numbers = [0.0, -0.0, 1.0, f32::NAN];
    let float = |t: &mut Terms, name: &str| {
        let index = t.symbol(name, 2);
        let entries =
            (0..4).map(|key| (key, t.constant(32, numbers[key as usize].to_bits().into()))).collect();
        let table = t.table(entries);
        t.lookup(index, table)
    };
    let (x, y) = (float(t, "i"), float(t, "j"));
    let sum = t.binary(Binary::FAdd, x, y);
    let zero = t.constant(32, 0);
    let is_zero = t.binary(Binary::FEq, sum, zero);
    let has_zero_bits = t.eq(sum, zero);
    let has_other_bits = t.not(has_zero_bits);
    let x_has_zero_bits = t.eq(x, zero);
    let least = t.binary(Binary::FMin, sum, y);
    let least_has_zero_bits = t.eq(least, zero);
    let nan = t.constant(32, 0x7fc0_0001);
    let is_another_nan = t.eq(sum, nan);
    let questions: [(&[Term], Term, &str); 7] = [
        (&[is_zero], has_other_bits, "sat"),
        (&[is_zero, x_has_zero_bits], has_other_bits, "unsat"),
        (&[is_zero], has_zero_bits, "sat"),
        (&[x_has_zero_bits, is_zero], has_other_bits, "unsat"),
        (&[x_has_zero_bits, is_zero], least_has_zero_bits, "sat"),
        (&[], is_another_nan, "unsat"),
        (&[has_other_bits, is_zero], least_has_zero_bits, "unsat"),
    ];
    for (assumptions, goal, expected) in questions {
        let query = Query { assumptions, goal, hint: &Model::new() };
        let answer = record.solve(t, &query, &mut Budget::unlimited());
        assert_eq!(if let Answer::Sat(_) = answer { "sat" } else { "unsat" }, expected);
    }
    record.finish().unwrap();
    match Command::new("z3").arg(folder.path().join("0001.smt2")).output() {
        Ok(output) => {
            let answers: Vec<&str> = questions.iter().map(|question| question.2).collect();
            assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), answers);
        }
        Err(_) => eprintln!("SKIPPED: z3 is not installed, so it does not judge recordings here"),
    }
}

#[test]
fn a_recording_is_a_script_with_the_same_answers() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = Record::new(Box::new(EveryValue), &folder.path().join("questions")).unwrap();
    let mut random = Random(3);
    let shape = Shape { symbols: &[4, 3, 2, 1], widest: 9 };
    let mut answers: Vec<Vec<&str>> = Vec::new();
    for _ in 0..3 {
        let terms = &mut Terms::new();
        let mut path: Vec<Term> = Vec::new();
        let mut file = Vec::new();
        for _ in 0..20 {
            let goal = Expr::random(&mut random, &shape, 1, 3).build(terms);
            let query = Query { assumptions: &path, goal, hint: &Model::new() };
            match record.solve(terms, &query, &mut Budget::unlimited()) {
                Answer::Sat(_) => {
                    path.push(goal);
                    file.push("sat");
                }
                Answer::Unsat(_) => {
                    path.truncate(random.below(path.len() as u64 + 1) as usize);
                    file.push("unsat");
                }
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
        answers.push(file);
    }
    // A question that nobody answered, with the bits of a float.
    let terms = &mut Terms::new();
    let x = terms.symbol("x", 32);
    let sum = terms.binary(Binary::FAdd, x, x);
    let goal = terms.eq(sum, x);
    record.solve(terms, &Query { assumptions: &[], goal, hint: &Model::new() }, &mut Budget::unlimited());
    record.finish().unwrap();

    let read = |number: usize| {
        std::fs::read_to_string(folder.path().join(format!("questions/{number:04}.smt2"))).unwrap()
    };
    let is_z3_here = Command::new("z3").arg("--version").output().is_ok();
    if !is_z3_here {
        eprintln!("SKIPPED: z3 is not installed, so it does not judge recordings here");
    }
    for (at, expected) in answers.iter().enumerate() {
        let text = read(at + 1);
        let mut out = Vec::new();
        let solvers = Solvers { layer: &mut EveryValue, child: None, budget: &mut Budget::unlimited };
        let outcome = run_script(&text, solvers, &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), *expected);
        assert!(outcome.contradictions.is_empty());
        // The other way round each answer contradicts.
        let wrong = text.replace("status sat", "status SAT").replace("status unsat", "status sat");
        let wrong = wrong.replace("status SAT", "status unsat");
        let solvers = Solvers { layer: &mut EveryValue, child: None, budget: &mut Budget::unlimited };
        let outcome = run_script(&wrong, solvers, &mut Vec::new()).unwrap();
        assert_eq!(outcome.contradictions.len(), expected.len());
        if is_z3_here {
            let path = folder.path().join(format!("questions/{:04}.smt2", at + 1));
            let output = Command::new("z3").arg(path).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap().lines().collect::<Vec<_>>(), *expected);
        }
    }
    assert!(answers.iter().flatten().any(|&answer| answer == "unsat"));
    let last = read(answers.len() + 1);
    assert!(last.ends_with("(set-info :status unknown)\n(check-sat)\n"), "{last}");
    let solvers = Solvers { layer: &mut EveryValue, child: None, budget: &mut Budget::unlimited };
    let outcome = run_script(&last, solvers, &mut Vec::new()).unwrap();
    assert!(matches!(outcome.verdicts.as_slice(), [Verdict::Unknown(_)]));
}
