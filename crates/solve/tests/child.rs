//! Child processes: solvers that misbehave in every way, and z3 where it is installed.

mod every_value;
#[path = "../../term/tests/support/mod.rs"]
mod support;

use coax_solve::{Answer, Budget, Child, ChildOptions, Layer, Query, Reason};
use coax_term::{Algebra, Binary, Model, Term, Terms, Unary};
use every_value::try_all;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use support::{Expr, Random, Shape};

/// A solver that is a shell script.
fn fake(folder: &tempfile::TempDir, script: &str) -> Child {
    fake_called(folder, "fake", script)
}

fn fake_called(folder: &tempfile::TempDir, name: &str, script: &str) -> Child {
    let (text, path) = (folder.path().join("text"), folder.path().join(name));
    std::fs::write(&text, format!("#!/bin/sh\n{script}\n")).unwrap();
    // Not written by this process: a file that is open for writing, be it in a fork of another test, cannot be run.
    assert!(Command::new("install").args(["-m", "755"]).args([&text, &path]).status().unwrap().success());
    let command = vec![path.to_str().unwrap().to_owned()];
    Child::new(ChildOptions { command, ..ChildOptions::default() })
}

/// What a child says to `in[0] < 7`.
fn ask(child: &mut Child, budget: &mut Budget) -> Answer {
    let terms = &mut Terms::new();
    let goal = terms.parse("(ult in[0]:8 7:8)").unwrap();
    child.solve(terms, &Query { assumptions: &[], goal, hint: &Model::new() }, budget)
}

fn failure(child: &mut Child) -> String {
    match ask(child, &mut Budget::unlimited().within(Duration::from_secs(60))) {
        Answer::Unknown(reason) => reason.to_string(),
        other => panic!("{other:?}"),
    }
}

/// A script that answers `sat` and these values to any question, with the markers that it is asked for.
fn answering(values: &str) -> String {
    format!(
        r#"while read -r line; do case "$line" in
             "(check-sat)") echo sat ;;
             "(get-value"*) echo '{values}' ;;
             "(echo "*) line=${{line#(echo \"}}; echo "${{line%\")}}" ;;
           esac; done"#
    )
}

#[test]
fn a_solver_that_answers_is_believed_if_its_values_are_right() {
    let folder = tempfile::tempdir().unwrap();
    for (value, expected) in [("#x03", 3), ("#b00000110", 6), ("(_ bv5 8)", 5)] {
        let mut child = fake(&folder, &answering(&format!("((|in[0]| {value}))")));
        let answer = ask(&mut child, &mut Budget::unlimited());
        let Answer::Sat(model) = &answer else { panic!("{answer:?}") };
        assert_eq!(model.iter().map(|(_, value)| value).collect::<Vec<_>>(), [expected]);
    }
}

#[test]
fn what_a_solver_does_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("exit 3", "the solver ended in the middle of a question"),
        ("exec >&-; cat > /dev/null", "the solver ended in the middle of a question"),
        ("kill -SEGV $$", "the solver ended in the middle of a question"),
        ("yes 'sat'", "the solver answers without end"),
        ("yes '(' | tr -d '\\n'", "the solver answers without end"),
        (&answering("((|in[0]| #x09))"), "the solver gave values with which the conditions do not hold"),
        (&answering("((|in[0]| #x3))"), "the solver answered to `(get-value …)`: ((|in[0]| #x3))"),
        (&answering("(|in[0]| #x03)"), "the solver answered to `(get-value …)`: (|in[0]| #x03)"),
        (&answering(")"), "the solver answered to `(get-value …)`: )"),
        (
            &answering("").replace("echo sat", "echo '(error \"line 1: no\")'"),
            "the solver answered to `(check-sat)`: (error \"line 1: no\")",
        ),
        (&answering("").replace("echo sat", "echo maybe"), "the solver answered to `(check-sat)`: maybe"),
        (&answering("").replace("echo sat", ":"), "the solver answered nothing to `(check-sat)`"),
        (
            &answering("").replace("echo sat", "echo sat; echo sat"),
            "the solver answered to `(check-sat)`: sat",
        ),
    ];
    for (script, expected) in cases {
        assert_eq!(failure(&mut fake(&folder, script)), expected, "{script}");
    }
}

#[test]
fn a_solver_that_hangs_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // A shell that waits for another: both must end. The pipe is closed when they have.
    let script = format!("exec 3> {}; (echo started >&3; sleep 60; echo alive >&3) & wait", pipe.display());
    let mut child = fake(&folder, &script);
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = cancelled.clone();
    let reader = std::thread::spawn(move || {
        let mut lines = BufReader::new(File::open(pipe).unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "started");
        flag.store(true, Ordering::Relaxed);
        lines.count()
    });
    let budget = &mut Budget::unlimited().until(cancelled);
    assert_eq!(ask(&mut child, budget), Answer::Unknown(Reason::Budget("the solver")));
    assert_eq!(reader.join().unwrap(), 0);
    let mut child = fake(&folder, "sleep 60");
    // It counts nothing, so effort is time.
    let budget = &mut Budget::effort(50_000);
    assert_eq!(ask(&mut child, budget), Answer::Unknown(Reason::Budget("the solver")));
    assert_eq!(budget.left(), 0);
}

#[test]
fn that_memory_is_used_up_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = fake_called(&folder, "z3", "exit 101");
    for _ in 0..10 {
        assert_eq!(failure(&mut child), "z3 reached its budget");
    }
}

#[test]
fn a_solver_that_keeps_failing_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let count = folder.path().join("count");
    let mut child = fake(&folder, &format!("echo x >> {}; exit 1", count.display()));
    for _ in 0..3 {
        assert_eq!(failure(&mut child), "the solver ended in the middle of a question");
    }
    for _ in 0..1000 {
        assert!(failure(&mut child).contains("as it failed 3 times in a row"));
    }
    assert_eq!(failure(&mut child), "the solver ended in the middle of a question");
    assert_eq!(std::fs::read_to_string(count).unwrap().lines().count(), 4);
}

#[test]
fn a_solver_that_is_not_there_is_named() {
    let command = vec!["no-such-solver".to_owned()];
    let mut child = Child::new(ChildOptions { command, ..ChildOptions::default() });
    let said = failure(&mut child);
    assert_eq!(said, "no solver for what only a child can answer: there is no program `no-such-solver`");
}

/// z3 as a child; none if it is not installed.
fn z3() -> Option<Child> {
    if Command::new("z3").arg("--version").output().is_err() {
        eprintln!("SKIPPED: z3 is not installed, so nothing is asked of a real child here");
        return None;
    }
    Some(Child::new(ChildOptions { command: vec!["z3".to_owned()], ..ChildOptions::default() }))
}

fn holds(terms: &Terms, conditions: &[Term], model: &Model) -> bool {
    conditions.iter().all(|&condition| terms.eval(condition, model) == 1)
}

/// Paths of random conditions: each question goes one condition further, or back to a shorter prefix.
#[test]
fn z3_answers_paths_of_questions_rightly() {
    let Some(mut child) = z3() else { return };
    let mut random = Random(11);
    let shape = Shape { symbols: &[4, 3, 2, 1], widest: 9 };
    let (mut sat, mut unsat) = (0, 0);
    let mut terms = Terms::new();
    for round in 0..25 {
        if round % 5 == 0 {
            terms = Terms::new();
            for (at, &width) in shape.symbols.iter().enumerate() {
                terms.symbol(&format!("s{at}"), width);
            }
        }
        let mut path: Vec<Term> = Vec::new();
        for _ in 0..10 {
            let goal = Expr::random(&mut random, &shape, 1, 3).build(&mut terms);
            let query = Query { assumptions: &path, goal, hint: &Model::new() };
            let answer = child.solve(&mut terms, &query, &mut Budget::unlimited());
            let all: Vec<Term> = query.conditions().collect();
            match answer {
                Answer::Sat(model) => {
                    assert!(holds(&terms, &all, &model), "{model:?}");
                    path.push(goal);
                    sat += 1;
                }
                Answer::Unsat(mut core) => {
                    assert_eq!(try_all(&terms, &all), Some(None));
                    assert!(core.iter().all(|needed| path.contains(needed)));
                    core.push(goal);
                    assert_eq!(try_all(&terms, &core), Some(None), "the core suffices");
                    path.truncate(random.below(path.len() as u64 + 1) as usize);
                    unsat += 1;
                }
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
    }
    assert!(sat > 50 && unsat > 20, "{sat} and {unsat}");
}

/// The bits of computed floats have side conditions, which must be there again after a `pop`.
#[test]
fn z3_answers_questions_with_floats_and_functions_after_each_other() {
    let Some(mut child) = z3() else { return };
    let terms = &mut Terms::new();
    let (x, y) = (terms.symbol("x", 32), terms.symbol("y", 8));
    let sum = terms.binary(Binary::FAdd, x, x);
    let f = terms.function("f", 8);
    let low = terms.extract(sum, 0, 8);
    let (inner, seven) = (terms.apply(f, &[low, y]), terms.constant(8, 7));
    let outer = terms.apply(f, &[inner, y]);
    let four = terms.constant(32, 4f32.to_bits().into());
    let is_four = terms.binary(Binary::FEq, sum, four);
    let has_bits = terms.eq(sum, four);
    let other_bits = terms.not(has_bits);
    let outer_is_seven = terms.eq(outer, seven);
    let whole = terms.unary(Unary::FTrunc, sum);
    let whole_is_four = terms.eq(whole, four);
    let inner_is_y = terms.eq(inner, y);
    let y_is_not_seven = {
        let equal = terms.eq(y, seven);
        terms.not(equal)
    };
    let questions: [(&[Term], Term, bool); 8] = [
        (&[], is_four, true),
        (&[is_four], other_bits, false),
        (&[is_four, has_bits], outer_is_seven, true),
        (&[is_four], other_bits, false),
        (&[is_four], whole_is_four, true),
        // 4.5, for one.
        (&[whole_is_four], other_bits, true),
        (&[inner_is_y, y_is_not_seven], outer_is_seven, true),
        (&[outer_is_seven], has_bits, true),
    ];
    for (assumptions, goal, expected) in questions {
        let query = Query { assumptions, goal, hint: &Model::new() };
        match child.solve(terms, &query, &mut Budget::unlimited()) {
            Answer::Sat(model) => {
                assert!(expected);
                assert!(holds(terms, &query.conditions().collect::<Vec<_>>(), &model), "{model:?}");
            }
            Answer::Unsat(_) => assert!(!expected),
            Answer::Unknown(reason) => panic!("{reason}"),
        }
    }
}

/// Floats from a table, so that all can be tried.
#[test]
fn z3_answers_paths_of_questions_about_floats_rightly() {
    let Some(mut child) = z3() else { return };
    let mut random = Random(13);
    let numbers = [0.0, -0.0, 1.0, -1.5, 3e9, 0.1, f32::NAN, f32::NEG_INFINITY];
    let arithmetic = [Binary::FAdd, Binary::FSub, Binary::FMin, Binary::FMax];
    let rounding = [Unary::FCeil, Unary::FFloor, Unary::FTrunc, Unary::FNearest, Unary::FToSigned32];
    let compare = [Binary::FEq, Binary::FLt, Binary::FLe, Binary::Eq, Binary::Ult];
    let mut counts = [0, 0, 0];
    for _ in 0..4 {
        let t = &mut Terms::new();
        let mut floats: Vec<Term> = Vec::new();
        for name in ["i", "j", "k"] {
            let index = t.symbol(name, 3);
            let entries = numbers.iter().enumerate();
            let entries =
                entries.map(|(key, number)| (key as u64, t.constant(32, number.to_bits().into()))).collect();
            let table = t.table(entries);
            floats.push(t.lookup(index, table));
        }
        let mut path: Vec<Term> = Vec::new();
        for _ in 0..8 {
            let (x, y) = (random.pick(&floats), random.pick(&floats));
            let made = match random.below(3) {
                0 => t.unary(random.pick(&rounding), x),
                _ => t.binary(random.pick(&arithmetic), x, y),
            };
            floats.push(made);
            let other = random.pick(&floats);
            let mut goal = t.binary(random.pick(&compare), made, other);
            if random.below(2) == 0 {
                goal = t.not(goal);
            }
            let query = Query { assumptions: &path, goal, hint: &Model::new() };
            let all: Vec<Term> = query.conditions().collect();
            let expected = try_all(t, &all).unwrap();
            match child.solve(t, &query, &mut Budget::effort(300_000)) {
                Answer::Sat(model) => {
                    assert!(holds(t, &all, &model), "{model:?}");
                    path.push(goal);
                    counts[0] += 1;
                }
                Answer::Unsat(_) => {
                    assert_eq!(expected, None);
                    path.truncate(random.below(path.len() as u64 + 1) as usize);
                    counts[1] += 1;
                }
                Answer::Unknown(Reason::Budget(_)) => counts[2] += 1,
                Answer::Unknown(reason) => panic!("{reason}"),
            }
        }
    }
    assert!(counts[0] > 15 && counts[1] > 2 && counts[2] < 8, "{counts:?}");
}

/// As z3 4.8.12 does: the count begins anew with each reset, and the reason is not said.
#[test]
fn a_limit_that_was_reached_is_the_reason_whatever_the_solver_says() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"while read -r line; do case "$line" in
             "(reset)") count=300 ;;
             "(set-option :rlimit "*) limit=${line#(set-option :rlimit }; limit=${limit%)} ;;
             "(check-sat)") count=$((count + limit)); echo unknown ;;
             "(get-info :rlimit)") echo "(:rlimit $((count)))" ;;
             "(get-info :reason-unknown)") echo '(:reason-unknown "unknown")' ;;
             "(echo "*) line=${line#(echo \"}; echo "${line%\")}" ;;
           esac; done"#;
    let mut child = fake_called(&folder, "z3", script);
    // Each question is about another arena.
    for effort in [5_000, 2_000, 4_000] {
        let budget = &mut Budget::effort(effort);
        assert_eq!(ask(&mut child, budget), Answer::Unknown(Reason::Budget("z3")));
        assert_eq!(budget.left(), 0);
    }
}

#[test]
fn z3_stops_at_its_budget_and_goes_on() {
    let Some(mut child) = z3() else { return };
    let terms = &mut Terms::new();
    // A product of two large primes.
    let hard = terms
        .parse("(and (eq (mul (zext 64 x:32) (zext 64 y:32)) 18446743979220271189:64) (and (ult 1:32 x) (ult 1:32 y)))")
        .unwrap();
    let query = Query { assumptions: &[], goal: hard, hint: &Model::new() };
    let budget = &mut Budget::effort(20_000);
    let answer = child.solve(terms, &query, budget);
    assert_eq!(answer, Answer::Unknown(Reason::Budget("z3")));
    assert_eq!(budget.left(), 0);
    let easy = terms.parse("(ult x:32 7:32)").unwrap();
    let query = Query { goal: easy, ..query };
    assert!(matches!(child.solve(terms, &query, &mut Budget::unlimited()), Answer::Sat(_)));
}

#[test]
fn z3_forgets_definitions_when_there_are_too_many() {
    if z3().is_none() {
        return;
    }
    let options = ChildOptions { command: vec!["z3".to_owned()], definitions: 3, ..ChildOptions::default() };
    let mut child = Child::new(options);
    let terms = &mut Terms::new();
    let x = terms.symbol("x", 32);
    let mut term = x;
    let mut path = Vec::new();
    for step in 1..20u64 {
        let shared = terms.binary(Binary::Add, term, x);
        term = terms.binary(Binary::Xor, shared, term);
        let limit = terms.constant(32, u64::from(u32::MAX) - step);
        let goal = terms.binary(Binary::Ule, term, limit);
        let query = Query { assumptions: &path, goal, hint: &Model::new() };
        let answer = child.solve(terms, &query, &mut Budget::unlimited());
        assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
        path.push(goal);
    }
}
