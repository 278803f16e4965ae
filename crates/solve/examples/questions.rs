//! Asks questions again that `coax-judge bench solver --save DIRECTORY` wrote: for trying changes of the stack.
//!
//! `questions [--z3] [--milliseconds N] FILE…`

use coax_solve::questions::Questions;
use coax_solve::{Answer, Child, ChildOptions, Layer, Stack, StackOptions};
use std::time::{Duration, Instant};

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let with_z3 = files.first().is_some_and(|first| first == "--z3");
    files.drain(..usize::from(with_z3));
    let mut limit = Duration::from_secs(2);
    if files.first().is_some_and(|first| first == "--milliseconds") {
        limit = Duration::from_millis(files[1].parse().expect("a number of milliseconds"));
        files.drain(..2);
    }
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the file can be read");
        let mut questions = Questions::read(&text).expect("the file has questions");
        let mut stack = Stack::new(StackOptions::default());
        let mut z3 = Child::new(ChildOptions::default());
        let layer: &mut dyn Layer = if with_z3 { &mut z3 } else { &mut stack };
        let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
        let mut times = Vec::new();
        let mut begin = Instant::now();
        let from = begin;
        questions.ask(layer, limit, |_, answer| {
            match answer {
                Answer::Sat(_) => sat += 1,
                Answer::Unsat(_) => unsat += 1,
                Answer::Unknown(_) => unknown += 1,
            }
            times.push(begin.elapsed());
            begin = Instant::now();
        });
        let time = from.elapsed();
        times.sort();
        let asked = questions.len();
        let [median, most] = [times[asked / 2], times[asked * 95 / 100]];
        println!(
            "{file}: {asked} questions, {sat} sat, {unsat} unsat, {unknown} unknown, {time:?}, median {median:?}, 95 % {most:?}"
        );
        for (name, counts) in stack.counts() {
            println!("    {name} {counts:?}");
        }
    }
}
