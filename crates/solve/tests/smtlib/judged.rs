//! z3 says the same of random scripts.

use crate::every_value::EveryValue;
use crate::random::{ArrayText, Text};
use crate::support::Random;
use crate::{is_z3_here, run};
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

/// What z3 prints for a script.
fn ask_z3(script: &str) -> Vec<String> {
    let mut z3 = Command::new("z3").arg("-in").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = z3.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(script.as_bytes()).unwrap());
        z3.wait_with_output().unwrap()
    });
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The values of constant expressions: z3 finds no other.
#[test]
fn z3_agrees_on_constant_expressions() {
    if !is_z3_here() {
        return;
    }
    let mut random = Random(31);
    let mut expressions = Vec::new();
    for round in 0..600 {
        let mut text = Text { random: &mut random, names: &[] };
        expressions.push(match round % 4 {
            0 => text.condition(3),
            1 => text.about_floats(2),
            2 => text.float([32, 64][round / 4 % 2], 2),
            _ => text.bits([1, 5, 8, 32, 64][round / 4 % 5], 3),
        });
    }
    let mut ours = "(check-sat)\n".to_owned();
    expressions.iter().for_each(|expression| ours += &format!("(get-value ({expression}))\n"));
    let printed = run(&ours, &mut EveryValue);
    let lines: Vec<&str> = printed.lines().skip(1).collect();
    assert_eq!(lines.len(), expressions.len(), "{}", lines[lines.len() - 1]);
    let mut theirs = String::new();
    for (expression, line) in expressions.iter().zip(&lines) {
        let value = &line[expression.len() + 3..line.len() - 2];
        theirs +=
            &format!("(echo \"next\")(push 1)(assert (not (= {expression} {value})))(check-sat)(pop 1)\n");
    }
    let said = ask_z3(&theirs);
    let answers: Vec<&[String]> = said.split(|line| line == "next").skip(1).collect();
    assert_eq!(answers.len(), expressions.len());
    let (mut wrong, mut refused) = (BTreeSet::new(), 0);
    for ((expression, line), answer) in expressions.iter().zip(lines).zip(answers) {
        // The least of zeros with different signs can be either, and so can integers that are out of range.
        let is_open = ["fp.min", "fp.max", "fp.to_"].iter().any(|op| expression.contains(op));
        // Older versions do not know all operators.
        match answer {
            [error, ..] if error.contains("unknown constant") => refused += 1,
            [answer] if answer == "unsat" => {}
            _ if is_open => {}
            _ => drop(wrong.insert(line)),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(refused < expressions.len() / 2, "z3 knows too few operators: {refused} refused");
}

#[test]
fn z3_agrees_on_random_scripts() {
    if !is_z3_here() {
        return;
    }
    let mut random = Random(41);
    let names = [("a", 4), ("b", 4), ("c", 3)];
    let declarations =
        "(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(declare-const c (_ BitVec 3))\n";
    let mut script = declarations.to_owned();
    for _ in 0..120 {
        script += "(push 1)\n";
        for _ in 0..1 + random.below(4) {
            let condition = Text { random: &mut random, names: &names }.condition(3);
            script += &format!("(assert {condition})(check-sat)\n");
        }
        script += "(pop 1)\n";
    }
    let printed = run(&script, &mut EveryValue);
    let ours: Vec<&str> = printed.lines().collect();
    assert_eq!(ours, ask_z3(&script));
    let count = |answer: &str| ours.iter().filter(|&&ours| ours == answer).count();
    assert!(count("sat") > 50 && count("unsat") > 20, "{} and {}", count("sat"), count("unsat"));
}

#[test]
fn z3_agrees_on_random_scripts_with_arrays_and_functions() {
    if !is_z3_here() {
        return;
    }
    let mut random = Random(43);
    let mut script = "(define-sort Two () (_ BitVec 2))(declare-const a Two)(declare-const b Two)\n\
        (declare-const m (Array Two Two))(declare-const n (Array Two Two))(declare-fun f (Two Bool) Two)\n\
        (define-fun g ((x Two) (y Two)) Two (bvadd (f x (= x y)) (bvmul y y)))\n"
        .to_owned();
    for _ in 0..150 {
        script += "(push 1)\n";
        for _ in 0..1 + random.below(4) {
            script += &format!("(assert {})(check-sat)\n", ArrayText(&mut random).condition(3));
        }
        script += "(pop 1)\n";
    }
    let printed = run(&script, &mut EveryValue);
    let (mut sat, mut unsat) = (0, 0);
    let theirs = ask_z3(&script);
    assert_eq!(printed.lines().count(), theirs.len());
    for (at, (ours, theirs)) in printed.lines().zip(&theirs).enumerate() {
        // There can be too many values to try.
        assert!(ours == theirs || ours == "unknown", "answer {at}: {ours}, but z3 says {theirs}\n{script}");
        sat += usize::from(ours == "sat");
        unsat += usize::from(ours == "unsat");
    }
    assert!(sat > 50 && unsat > 20, "{sat} and {unsat}");
}
