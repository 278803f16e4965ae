//! The hard set: questions of bit-vectors that cost solvers much, the time of the stack without a child and of the bit-blaster for each beside
//! that of z3, if it is there, in its two modes; then a stream of small questions like those of a parser.
//!
//! Times are of the processor, not of the clock, so others may use the machine; that of z3 is read from Linux's `/proc`.
//!
//!     cargo run --release -p coax-solve --example hard [PART OF A NAME]

mod problems;

use coax_solve::{Answer, Blast, Budget, Layer, Query, Stack, StackOptions};
use coax_term::{Algebra, Binary, Evaluator, Model, Term, Terms, smt};
use problems::{Problem, equals, exceeds, problems};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Longer than this, by the clock, is given up.
const LIMIT: Duration = Duration::from_secs(20);
/// z3 may use so many seconds of the processor, and must be done after ten times as many by the clock.
const LIMIT_OF_Z3: u64 = 40;

/// Each question is asked with so many different constants: one can be lucky.
const VARIANTS: u64 = 3;

fn main() {
    let part = std::env::args().nth(1).unwrap_or_default();
    println!("Milliseconds, medians of {VARIANTS} variants of each question; in brackets the worst.");
    let mut rates = [Rate::default(), Rate::default(), Rate::default(), Rate::default()];
    let columns = ["stack", "blast", "small only", "CaDiCaL only", "z3", "z3 QF_BV"];
    println!("{:28} {}", "", columns.map(|column| format!("{column:>18}")).concat());
    let names: Vec<&str> = problems(&mut Terms::new(), 0).iter().map(|problem| problem.name).collect();
    for (at, name) in names.into_iter().enumerate().filter(|(_, name)| name.contains(&part)) {
        let mut times = columns.map(|_| Vec::new());
        for variant in 0..VARIANTS {
            let mut terms = Terms::new();
            let problem = &problems(&mut terms, variant)[at];
            let solvers: [Box<dyn Layer>; 4] = [
                Box::new(Stack::new(StackOptions { child: None, ..StackOptions::default() })),
                Box::new(Blast::new()),
                Box::new(Blast::with_small_conflicts(u64::MAX)),
                Box::new(Blast::with_small_conflicts(0)),
            ];
            for (at, mut solver) in solvers.into_iter().enumerate() {
                times[at].push(ours(&mut terms, problem, &mut *solver, &mut rates[at]));
            }
            times[4].push(z3(&terms, problem, false));
            times[5].push(z3(&terms, problem, true));
        }
        println!("{name:28} {}", times.map(show).concat());
    }
    for (rate, column) in rates.iter().zip(columns) {
        println!(
            "{column}: a unit of effort takes {:.2} µs",
            rate.time.as_secs_f64() * 1e6 / rate.effort.max(1) as f64
        );
    }
    if "stream".contains(&part) {
        stream("blast", Blast::new());
        stream("CaDiCaL only", Blast::with_small_conflicts(0));
    }
}

/// What effort was spent in which time.
#[derive(Default)]
struct Rate {
    effort: u64,
    time: Duration,
}

/// Median and worst; none is the limit.
fn show(mut times: Vec<Option<Duration>>) -> String {
    times.sort_unstable_by_key(|time| time.unwrap_or(Duration::MAX));
    let show = |time: Option<Duration>| {
        time.map_or("-".to_owned(), |time| format!("{:.1}", time.as_secs_f64() * 1e3))
    };
    let (median, worst) = (times[times.len() / 2], times[times.len() - 1]);
    format!("{:>18}", format!("{} ({})", show(median), show(worst)))
}

fn ours(terms: &mut Terms, problem: &Problem, solver: &mut dyn Layer, rate: &mut Rate) -> Option<Duration> {
    let (&goal, assumptions) = problem.conditions.split_last()?;
    let query = Query { assumptions, goal, hint: &Model::new() };
    let start = processor_time();
    let mut budget = Budget::unlimited().within(LIMIT);
    let answer = solver.solve(terms, &query, &mut budget);
    let time = processor_time().saturating_sub(start);
    rate.effort += u64::MAX - budget.left();
    rate.time += time;
    match answer {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new();
            let holds = |&condition: &Term| evaluator.eval(terms, &model, condition) == 1;
            assert!(problem.has_solution && problem.conditions.iter().all(holds), "{}", problem.name);
        }
        Answer::Unsat(_) => assert!(!problem.has_solution, "{}", problem.name),
        Answer::Unknown(_) => return None,
    }
    Some(time)
}

/// The time from `(check-sat)` to its answer, without that of starting z3 and reading the conditions.
fn z3(terms: &Terms, problem: &Problem, has_logic: bool) -> Option<Duration> {
    let limited = format!("ulimit -t {LIMIT_OF_Z3} && exec z3 -in -T:{}", 10 * LIMIT_OF_Z3);
    let mut child = Command::new("sh")
        .args(["-c", &limited])
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
    let start = processor_time_of(child.id())?;
    writeln!(input, "(check-sat)").ok()?;
    let answer = output.next().and_then(Result::ok);
    let time = processor_time_of(child.id());
    drop(input);
    child.wait().ok()?;
    match answer?.as_str() {
        "sat" => assert!(problem.has_solution),
        "unsat" => assert!(!problem.has_solution),
        _ => return None,
    }
    Some(time?.saturating_sub(start))
}

/// How long this thread has been running.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// How long another process has been running.
fn processor_time_of(process: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// Paths of a parser: 40 decisions each on 32 bytes, and at each the question for the other direction.
fn stream(name: &str, mut blast: Blast) {
    let mut terms = Terms::new();
    let bytes: Vec<Term> = (0..32).map(|at| terms.symbol(&format!("in{at}"), 8)).collect();
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
            let start = processor_time();
            let answer = blast.solve(&mut terms, &query, &mut Budget::unlimited());
            spent += processor_time().saturating_sub(start);
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
    println!("stream, {name}: {questions} small questions, {found} with a solution: {each:.0} µs each");
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
