//! What the end of a search leaves as it is: nobody makes tests small then, for that takes as long as it takes.

#[path = "common/subject.rs"]
mod subject;

use coax_execute::{Argument, Content, Input, Value};
use coax_program::Program;
use coax_search::{NoJournal, Options, Stop, StopReason, search};
use subject::{Silent, subject};

/// The parameter with which the test fails that a search finds, given this one.
fn failing(stop: &Stop, given: i32) -> u64 {
    let text = r#"(module (func (export "f") (param i32)
        (if (i32.gt_s (local.get 0) (i32.const 1000)) (then unreachable))))"#;
    let program = Program::parse(wat::parse_str(text).expect("it is text")).expect("it is valid");
    let subject = subject(&program, []);
    let params = Argument::list(&[Value::I32(given)]);
    let input = Input { entry: Some("f".into()), params, ..Input::default() };
    let options = Options { max_runs: Some(1), mutate: false, proofs: false, ..Options::default() };
    let findings = search(&subject, vec![input], Vec::new(), &options, stop, &mut NoJournal, &mut Silent)
        .expect("it runs");
    let test = findings.failures.first().expect("it fails").test;
    match findings.tests[test].input.params[0].content {
        Content::Number(number) => number.bits(),
        _ => panic!("it is a number"),
    }
}

#[test]
fn a_test_that_fails_is_made_small_unless_the_search_is_over() {
    let stop = Stop::default();
    assert_eq!(failing(&stop, 123_456), 1001);
    // The first run is made in any case.
    stop.now(StopReason::Time);
    assert_eq!(failing(&stop, 123_456), 123_456);
}
