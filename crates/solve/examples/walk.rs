//! Measures the concolic walk on the non-linear and float problems: which are solved, how fast, and what each of its parts
//! is worth. Or the whole stack, which has the walk in it.
//!
//!     cargo run --release -p coax-solve --features problems --example walk [-- OPTION…]
//!
//! `effort=N` is the budget of each problem, in units of about a microsecond (1000000); `seeds=N` how often each is tried (7);
//! `half=tuned` or `half=unseen` takes only the half of the problems that the walk was tuned with, or the other one; `ablation`
//! compares with walks that lack something, each from `starts=N` points (1); `random=N` takes so many random problems instead; `only=TEXT` takes problems whose names contain it.
//! `stack` asks the stack, without a child process; `child` with one, if there is one; `blast` the bit-blaster alone, which invents what
//! functions do. The last lines are by what a problem consists of: whom to ask first.

use coax_solve::problems::{self, Library, Problem};
use coax_solve::{Answer, Blast, Budget, ChildOptions, Layer, Query, Stack, StackOptions, Walk, WalkOptions};
use coax_term::{Binary, Evaluator, Node, Unary};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

struct Settings {
    effort: u64,
    seeds: u64,
    half: Option<bool>,
    ablation: bool,
    starts: usize,
    random: Option<u64>,
    only: String,
    who: Who,
}

/// Who is asked.
#[derive(Clone, Copy)]
enum Who {
    Walk,
    Blast,
    Stack,
    StackWithChild,
}

/// What one walk came to.
struct Outcome {
    solved: bool,
    time: Duration,
}

fn main() {
    let mut settings = Settings {
        effort: 1_000_000,
        seeds: 7,
        half: None,
        ablation: false,
        starts: 1,
        random: None,
        only: String::new(),
        who: Who::Walk,
    };
    for argument in std::env::args().skip(1) {
        match argument.split_once('=') {
            Some(("effort", n)) => settings.effort = n.parse().expect("a number"),
            Some(("seeds", n)) => settings.seeds = n.parse().expect("a number"),
            Some(("half", half)) => settings.half = Some(half == "tuned"),
            Some(("starts", n)) => settings.starts = n.parse().expect("a number"),
            Some(("random", n)) => settings.random = Some(n.parse().expect("a number")),
            Some(("only", text)) => settings.only = text.into(),
            _ if argument == "ablation" => settings.ablation = true,
            _ if argument == "blast" => settings.who = Who::Blast,
            _ if argument == "stack" => settings.who = Who::Stack,
            _ if argument == "child" => settings.who = Who::StackWithChild,
            _ => panic!("`{argument}` is no option. Read the first lines of this example."),
        }
    }
    if let Some(count) = settings.random {
        return report_random(count, &settings);
    }
    let mut problems = problems::all();
    problems
        .retain(|p| settings.half.is_none_or(|half| half == is_tuned(p)) && p.name.contains(&settings.only));
    report(&mut problems, &settings);
    if settings.ablation {
        ablate(&mut problems, &settings);
    }
}

/// Whether the walk was tuned with this problem: by a hash of its name, so that nobody chose.
fn is_tuned(problem: &Problem) -> bool {
    let hash = problem
        .name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    (hash >> 32) & 1 == 0
}

/// The table by problem; the share of problems that are solved with most seeds.
fn report(problems: &mut [Problem], settings: &Settings) {
    println!("{:<34} {:>6} {:>10}  half", "problem", "solved", "median ms");
    let mut by_half = [Vec::new(), Vec::new()];
    let mut by_kind: BTreeMap<&str, Vec<(bool, f64)>> = BTreeMap::new();
    let mut by_seed = vec![0; settings.seeds as usize];
    for problem in problems.iter_mut() {
        let outcomes: Vec<Outcome> = (0..settings.seeds)
            .map(|seed| try_once(problem, WalkOptions { seed, ..WalkOptions::default() }, settings))
            .collect();
        let solved = outcomes.iter().filter(|outcome| outcome.solved).count();
        outcomes.iter().zip(&mut by_seed).for_each(|(outcome, count)| *count += usize::from(outcome.solved));
        let mut times: Vec<Duration> = outcomes.iter().map(|outcome| outcome.time).collect();
        times.sort_unstable();
        let median = times[times.len() / 2].as_secs_f64() * 1000.0;
        let half = usize::from(!is_tuned(problem));
        by_half[half].push(2 * solved > outcomes.len());
        by_kind.entry(kind(problem)).or_default().push((2 * solved > outcomes.len(), median));
        println!(
            "{:<34} {:>4}/{} {:>10.2}  {}",
            problem.name,
            solved,
            outcomes.len(),
            median,
            ["tuned", "unseen"][half]
        );
    }
    let share = |solved: &[bool]| {
        100.0 * solved.iter().filter(|&&solved| solved).count() as f64 / solved.len().max(1) as f64
    };
    for (name, solved) in ["tuned", "unseen"].iter().zip(&by_half) {
        println!("{name}: {:.1} % of {} problems solved with most seeds", share(solved), solved.len());
    }
    for (kind, solved) in &mut by_kind {
        solved.sort_by(|one, other| one.1.total_cmp(&other.1));
        let share = share(&solved.iter().map(|one| one.0).collect::<Vec<_>>());
        let (count, middle, sum) =
            (solved.len(), solved[solved.len() / 2].1, solved.iter().map(|s| s.1).sum::<f64>());
        println!("{kind}: {share:.1} % of {count} problems, median {middle:.2} ms, {sum:.0} ms in all");
    }
    by_seed.sort_unstable();
    let median = 100.0 * by_seed[by_seed.len() / 2] as f64 / problems.len().max(1) as f64;
    println!("median over the seeds of the share that is solved: {median:.1} %");
}

/// What a problem consists of.
fn kind(problem: &Problem) -> &'static str {
    let order = problem.terms.post_order(&problem.conditions);
    let nodes = || order.iter().map(|&term| problem.terms.node(term));
    let is_float = |node: Node| match node {
        Node::Unary(op, _) => op >= Unary::FSqrt,
        Node::Binary(op, ..) => op >= Binary::FAdd && !op.is_comparison(),
        _ => false,
    };
    if nodes().any(|node| matches!(node, Node::Apply { .. })) {
        "functions"
    } else if nodes().any(is_float) {
        "float arithmetic"
    } else {
        "integers, and floats that are only compared"
    }
}

/// The share of random problems that are solved, by kind.
fn report_random(count: u64, settings: &Settings) {
    for kind in 0..3 {
        let mut problems: Vec<Problem> = (0..count).map(|i| problems::random(3 * i + kind)).collect();
        if settings.ablation {
            println!("\n{}", problems[0].name);
            ablate(&mut problems, settings);
            continue;
        }
        let shares = solved_shares(&mut problems, &WalkOptions::default(), settings);
        println!(
            "{}: {:.1} % of {count} solved, median over the seeds",
            problems[0].name,
            shares[shares.len() / 2]
        );
    }
}

/// By seed, the share of problems that are solved, by size.
fn solved_shares(problems: &mut [Problem], options: &WalkOptions, settings: &Settings) -> Vec<f64> {
    let mut share = |seed: u64| {
        let options = WalkOptions { seed, ..options.clone() };
        let solved = problems
            .iter_mut()
            .filter_map(|problem| try_once(problem, options.clone(), settings).solved.then_some(()));
        100.0 * solved.count() as f64 / problems.len().max(1) as f64
    };
    let mut shares: Vec<f64> = (0..settings.seeds).map(&mut share).collect();
    shares.sort_by(f64::total_cmp);
    shares
}

/// The table of walks that differ in one thing.
fn ablate(problems: &mut [Problem], settings: &Settings) {
    let standard = WalkOptions { starts: settings.starts, ..WalkOptions::default() };
    let variations: Vec<(&str, WalkOptions)> = vec![
        ("none: as it is", standard.clone()),
        ("tabu disabled", WalkOptions { tabu: 0, ..standard.clone() }),
        ("tabu extended (5)", WalkOptions { tabu: 5, ..standard.clone() }),
        ("bisection disabled", WalkOptions { bisection: false, ..standard.clone() }),
        ("polytope disabled", WalkOptions { polytope: false, ..standard.clone() }),
        ("inversion disabled", WalkOptions { inversion: false, ..standard.clone() }),
        ("Newton's method disabled", WalkOptions { newton: false, ..standard.clone() }),
        ("as published: neither", WalkOptions { newton: false, inversion: false, ..standard.clone() }),
        ("10 steps", WalkOptions { steps: 10, ..standard.clone() }),
        ("30 steps", WalkOptions { steps: 30, ..standard.clone() }),
        ("75 steps", WalkOptions { steps: 75, ..standard.clone() }),
        ("300 steps", WalkOptions { steps: 300, ..standard.clone() }),
        ("10 neighbours", WalkOptions { neighbours: 10, ..standard.clone() }),
        ("25 neighbours", WalkOptions { neighbours: 25, ..standard.clone() }),
        ("50 neighbours", WalkOptions { neighbours: 50, ..standard.clone() }),
        ("100 neighbours", WalkOptions { neighbours: 100, ..standard }),
    ];
    println!("\n{:<28} {:>8} {:>8}", "variation", "solved %", "fraction");
    let mut baseline = None;
    for (name, options) in variations {
        let shares = solved_shares(problems, &options, settings);
        let median = shares[shares.len() / 2];
        let fraction = median / *baseline.get_or_insert(median);
        println!("{name:<28} {median:>8.1} {fraction:>8.2}");
    }
}

#[expect(clippy::disallowed_methods, reason = "this measures time")]
fn try_once(problem: &mut Problem, options: WalkOptions, settings: &Settings) -> Outcome {
    let start = Instant::now();
    let functions = Box::new(Library::new(&problem.terms));
    let mut solver: Box<dyn Layer> = match settings.who {
        Who::Walk => Box::new(Walk::new(options, functions)),
        Who::Blast => Box::new(Blast::new()),
        Who::Stack | Who::StackWithChild => {
            let child = matches!(settings.who, Who::StackWithChild).then(ChildOptions::default);
            let functions = Some(functions as Box<dyn coax_term::Functions + Send>);
            Box::new(Stack::new(StackOptions { child, walk: options, functions, ..StackOptions::default() }))
        }
    };
    let (goal, assumptions) = problem.conditions.split_last().expect("a problem has a condition");
    let query = Query { assumptions, goal: *goal, hint: &problem.hint };
    let answer = solver.solve(&mut problem.terms, &query, &mut Budget::effort(settings.effort));
    let solved = match &answer {
        Answer::Sat(model) => {
            // Once with the functions' values that the model says, once with those that they have.
            let mut library = Library::new(&problem.terms);
            let mut evaluator = Evaluator::new();
            let mut holds = |&condition: &_| {
                let real = evaluator.eval_with(&problem.terms, model, &mut library, condition);
                problem.terms.eval(condition, model) == 1 && real == Some(1)
            };
            let is_real = problem.conditions.iter().all(&mut holds);
            assert!(is_real || matches!(settings.who, Who::Blast), "a wrong model of {}", problem.name);
            is_real
        }
        _ => false,
    };
    Outcome { solved, time: start.elapsed() }
}
