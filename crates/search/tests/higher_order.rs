//! Searches through unknown functions against brute force: random programs `f(a, b)` that look at the lowest four bits of their parameters, and call
//! a function that looks something up in a table. No input goes elsewhere than promised, what is called proved is so, and all is covered that can be.

#[path = "common/input.rs"]
mod input;
#[path = "common/subject.rs"]
mod subject;

use coax_execute::Coverage;
use coax_program::{Func, Program};
use coax_search::{Findings, Imprecision, NoJournal, Options, Stop, Subject, Why, search};
use coax_solve::Random;
use input::input;
use subject::{Silent, subject};

const PROGRAMS: u64 = 8;

/// A value of four bits.
fn value(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 3 } else { 7 }) {
        0 => format!("(i32.const {})", random.below(16)),
        1 => "(local.get $a)".to_owned(),
        2 => "(local.get $b)".to_owned(),
        3 => {
            let operator = ["add", "sub", "xor", "and"][random.below(4)];
            let (a, b) = (value(random, depth - 1), value(random, depth - 1));
            format!("(i32.and (i32.{operator} {a} {b}) (i32.const 15))")
        }
        _ => format!("(call $h {})", value(random, depth - 1)),
    }
}

fn statements(random: &mut Random, depth: usize) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(2) {
        if depth == 0 {
            break;
        }
        let operator = ["eq", "eq", "ne", "lt_u", "le_s"][random.below(5)];
        let (a, b) = (value(random, 2), value(random, 1));
        let (then, otherwise) = (statements(random, depth - 1), statements(random, depth / 2));
        text += &format!("(if (i32.{operator} {a} {b}) (then {then}) (else {otherwise}))\n");
    }
    text
}

/// The function is the first.
fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let table: String = (0..16).map(|_| format!("\\{:02x}", random.below(16))).collect();
    let statements = statements(&mut random, 3);
    format!(
        "(module (memory 1) (data (i32.const 64) \"{table}\")
           (func $h (param $x i32) (result i32)
             (i32.load8_u offset=64 (i32.and (local.get $x) (i32.const 15))))
           (func (export \"f\") (param $a i32) (param $b i32)
             (local.set $a (i32.and (local.get $a) (i32.const 15)))
             (local.set $b (i32.and (local.get $b) (i32.const 15)))
             {statements}))"
    )
}

fn found(subject: &Subject<'_>, options: &Options) -> Findings {
    search(subject, vec![input(0, 0)], Vec::new(), options, &Stop::default(), &mut NoJournal, &mut Silent)
        .expect("the search ends")
}

/// What all inputs together cover.
fn truth(subject: &Subject<'_>) -> Coverage {
    let mut coverage = Coverage::new(subject.program);
    for a in 0..16 {
        for b in 0..16 {
            let run = subject.plain.run_with_coverage(&input(a, b), &subject.limits).expect("it runs");
            coverage.merge(run.coverage.as_ref().expect("coverage was asked for"));
        }
    }
    coverage
}

fn directions(program: &Program, coverage: &Coverage) -> usize {
    program.sites.ids().map(|site| coverage.directions(site).iter().filter(|&&taken| taken).count()).sum()
}

#[test]
fn searches_through_unknown_functions_promise_nothing_that_is_not_so() {
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let program = Program::parse(wat::parse_str(&text).expect("it is text")).expect("it is a module");
        let subject = subject(&program, [Func(0)]);
        let truth = truth(&subject);
        let covered = |imprecision: Imprecision, direct_calls: bool| {
            let options = Options { mutate: false, imprecision, direct_calls, ..Options::default() };
            let findings = found(&subject, &options);
            let of = format!("{seed}, {imprecision:?}, direct calls: {direct_calls}, {text}");
            assert_eq!(findings.progress.divergences, 0, "{of}");
            for uncovered in &findings.uncovered {
                if matches!(uncovered.why, Why::Proved | Why::ProvedNotCalled) {
                    let is_taken = truth.directions(uncovered.site)[uncovered.direction as usize];
                    assert!(!is_taken, "{}: {of}", uncovered.site);
                }
            }
            directions(&program, &findings.coverage)
        };
        let all = covered(Imprecision::HigherOrder, true);
        assert_eq!(all, directions(&program, &truth), "{seed}: {text}");
        // What sound concretisation covers is covered without asking functions directly, too.
        let (runs, sound) = (covered(Imprecision::HigherOrder, false), covered(Imprecision::Sound, false));
        assert!(runs >= sound, "{seed}: {runs} {sound}: {text}");
    }
}
