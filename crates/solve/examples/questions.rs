//! Asks questions again that `coax-judge bench solver --save DIRECTORY` wrote: for trying changes of the stack.
//!
//! `questions [--z3] [--milliseconds N] [--slowest N] [--check N] FILE…`; `--slowest` prints the questions that took longest, `--check` asks
//! z3 and the bit-blaster of every Nth contradiction whether it is one.

use coax_solve::questions::Questions;
use coax_solve::{Answer, Blast, Budget, Child, ChildOptions, Layer, Query, Stack, StackOptions};
use coax_term::{Model, Term, Terms};
use std::time::{Duration, Instant};

/// What is said on the command line.
struct Options {
    with_z3: bool,
    limit: Duration,
    slowest: usize,
    check: Option<usize>,
    files: Vec<String>,
}

impl Options {
    fn read() -> Options {
        let limit = Duration::from_secs(2);
        let mut options = Options { with_z3: false, limit, slowest: 0, check: None, files: Vec::new() };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut number = || arguments.next().and_then(|text| text.parse().ok()).expect("a number");
            match &*argument {
                "--z3" => options.with_z3 = true,
                "--milliseconds" => options.limit = Duration::from_millis(number()),
                "--slowest" => options.slowest = number() as usize,
                "--check" => options.check = Some(number() as usize),
                _ => options.files.push(argument),
            }
        }
        options
    }
}

/// One question: how long it took, who answered, and what was asked.
struct Asked {
    time: Duration,
    text: String,
}

/// The stack, watched.
struct Watched {
    stack: Stack,
    keeps_texts: bool,
    log: Vec<Asked>,
}

impl Layer for Watched {
    #[expect(clippy::disallowed_methods, reason = "it measures")]
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let before = self.stack.counts();
        let begin = Instant::now();
        let answer = self.stack.solve(terms, query, budget);
        let time = begin.elapsed();
        let mut text = String::new();
        if self.keeps_texts {
            let after = self.stack.counts();
            let mut asked = before.iter().zip(&after).filter(|(old, new)| old.1.asked != new.1.asked);
            let last = asked.next_back().map_or("none", |(_, new)| new.0);
            let answer = match &answer {
                Answer::Sat(_) => "sat".to_owned(),
                Answer::Unsat(core) => format!("unsat by {}", core.len()),
                Answer::Unknown(reason) => format!("unknown: {reason}"),
            };
            let goal = terms.display(query.goal).to_string();
            text = format!("{last}, {answer}, {} assumptions: {goal}", query.assumptions.len());
        }
        self.log.push(Asked { time, text });
        answer
    }
}

fn main() {
    let options = Options::read();
    for file in &options.files {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        let mut questions = Questions::read(&text).expect("the file has questions");
        ask(file, &mut questions, &options);
    }
}

#[expect(clippy::disallowed_methods, reason = "it measures")]
fn ask(file: &str, questions: &mut Questions, options: &Options) {
    let stack = Stack::new(StackOptions::default());
    let mut watched = Watched { stack, keeps_texts: options.slowest > 0, log: Vec::new() };
    let mut z3 = Child::new(ChildOptions::default());
    let layer: &mut dyn Layer = if options.with_z3 { &mut z3 } else { &mut watched };
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    let from = Instant::now();
    let mut contradictions: Vec<(Vec<Term>, Term)> = Vec::new();
    questions.ask(layer, options.limit, |query, answer| match answer {
        Answer::Sat(_) => sat += 1,
        Answer::Unsat(core) => {
            unsat += 1;
            contradictions.push((core.clone(), query.goal));
        }
        Answer::Unknown(_) => unknown += 1,
    });
    let time = from.elapsed();
    let asked = questions.len();
    println!("{file}: {asked} questions, {sat} sat, {unsat} unsat, {unknown} unknown, {time:?}");
    for (name, counts) in watched.stack.counts() {
        println!("    {name} {counts:?}");
    }
    if let Some(every) = options.check {
        contradictions.sort();
        contradictions.dedup();
        check(&mut questions.terms, contradictions.into_iter().step_by(every), options.limit);
    }
    watched.log.sort_by_key(|asked| std::cmp::Reverse(asked.time));
    for Asked { time, text } in watched.log.iter().take(options.slowest) {
        println!("    {time:?} {text}");
    }
}

/// Asks z3 and the bit-blaster, which know nothing of the other layers, whether contradictions are contradictions.
fn check(terms: &mut Terms, contradictions: impl Iterator<Item = (Vec<Term>, Term)>, limit: Duration) {
    let mut judges: [(Box<dyn Layer>, usize); 2] =
        [(Box::new(Child::new(ChildOptions::default())), 0), (Box::new(Blast::new()), 0)];
    let (mut count, mut open) = (0, 0);
    for (core, goal) in contradictions {
        count += 1;
        let query = Query { assumptions: &core, goal, hint: &Model::new() };
        let mut is_open = true;
        for (judge, same) in &mut judges {
            match judge.solve(terms, &query, &mut Budget::unlimited().within(limit)) {
                Answer::Unsat(_) => *same += 1,
                Answer::Unknown(_) => continue,
                Answer::Sat(_) => println!("    WRONG: {}", terms.display(goal)),
            }
            is_open = false;
        }
        open += usize::from(is_open);
    }
    let [z3, blast] = judges.map(|judge| judge.1);
    println!(
        "    {count} contradictions: z3 says so too of {z3}, the bit-blaster of {blast}, nobody of {open}"
    );
}
