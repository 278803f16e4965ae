//! The backward search against brute force over a small domain: what it calls unreachable no input reaches, what it says values for they reach, and of what
//! nothing reaches it proves all but what is known to be too much.

#[path = "common/input.rs"]
mod input;
#[path = "common/programs.rs"]
mod programs;

use coax_execute::semantics::Scalar;
use coax_execute::{Entry, Input, Limits, Outcome, PlainModule, Run};
use coax_program::ir::{Body, Terminator};
use coax_program::{Program, Site};
use coax_search::{BackwardOptions, Concrete, Goal, Graph, Verdict, Workshop, backward};
use input::input;
use programs::PROGRAMS;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What no input reaches, and no proof says so: the program, and how the goal is called here. One more is a proof that was lost; one less is one to be proud of.
const NOT_PROVED: &[(&str, &str)] = &[
    // Of rounds before the last nothing is known.
    ("a loop", "site2 1"),
    // Solvers give up on NaN.
    ("floats", "site2 1"),
    // A function that calls itself demands nothing of itself.
    ("recursion", "site10 1"),
];

/// No values are found for so many of the goals that inputs reach: the forward search is there for these.
const MOST_NOT_FOUND: usize = 19;

/// Something that runs may reach.
#[derive(Clone, Copy)]
enum What {
    Direction(Site, u32),
    Called(coax_program::Func),
    Trap(Site),
}

impl What {
    /// As `NOT_PROVED` has it.
    fn name(self) -> String {
        match self {
            What::Direction(site, direction) => format!("{site} {direction}"),
            What::Called(func) => func.to_string(),
            What::Trap(site) => format!("{site} traps"),
        }
    }

    fn is_reached_by(self, run: &Run) -> bool {
        let coverage = run.coverage.as_ref().expect("it was counted");
        match self {
            What::Direction(site, direction) => coverage.directions(site)[direction as usize],
            What::Called(func) => coverage.entered(func),
            What::Trap(site) => {
                matches!(&run.outcome, Outcome::Trapped(trap) if trap.site == Some(site))
            }
        }
    }
}

fn parsed(name: &str, text: &str) -> Program {
    Program::parse(wat::parse_str(text).expect(name)).expect(name)
}

/// A program, and all that it does.
struct Tried<'p> {
    program: &'p Program,
    plain: PlainModule<'p>,
    limits: Limits,
    runs: Vec<Run>,
}

impl<'p> Tried<'p> {
    fn new(program: &'p Program) -> Tried<'p> {
        let limits = Limits { fuel: 1_000_000, ..Limits::default() };
        let plain = PlainModule::new(program, &limits).expect("it can be compiled");
        let mut tried = Tried { program, plain, limits, runs: Vec::new() };
        // The programs look at no other bits.
        tried.runs = (0..256).map(|number| tried.run(&input(number & 15, number >> 4))).collect();
        tried
    }

    fn run(&self, input: &Input) -> Run {
        self.plain.run_with_coverage(input, &self.limits).expect("it runs")
    }

    fn is_reached(&self, what: What) -> bool {
        self.runs.iter().any(|run| what.is_reached_by(run))
    }

    /// All directions of branches, beginnings of functions, and operators on numbers that may trap.
    fn goals(&self) -> Vec<(What, Goal)> {
        let mut found = Vec::new();
        for (func, function) in self.program.functions.iter() {
            let Some(defined) = function.defined() else { continue };
            found.push((What::Called(func), Goal::Point(func, Body::ENTRY, 0)));
            for (block, data) in defined.body.blocks.iter() {
                for inst in data.insts() {
                    let data = &defined.body.insts[inst];
                    if let Some(site) = self.program.site_at(data.offset)
                        && Scalar::of(&data.op).is_some_and(|scalar| scalar.can_trap())
                    {
                        found.push((What::Trap(site), Goal::Trap(func, block, inst)));
                    }
                }
                let Some(site) = self.program.site_at(data.end_offset) else { continue };
                if let Terminator::Branch { .. } | Terminator::Switch { .. } = data.end {
                    let directions = 0..self.program.sites[site].kind.directions();
                    let goal = |one| (What::Direction(site, one), Goal::Direction(func, block, one));
                    found.extend(directions.map(goal));
                }
            }
        }
        found
    }
}

#[test]
fn what_is_called_unreachable_is_so_and_little_else_is_unreachable() {
    let mut not_proved = BTreeSet::new();
    let mut proved = 0;
    for (name, text) in PROGRAMS {
        let program = parsed(name, text);
        let tried = Tried::new(&program);
        let graph =
            Graph::new(&program, &Entry::find(&program, Some("f")).expect("an entry").roots(&program));
        for (what, goal) in tried.goals() {
            let is_reached = tried.is_reached(what);
            let found = backward(&graph, goal, &BackwardOptions::default(), None, &Arc::default());
            let is_proved = matches!(found.verdict, Verdict::Unreachable(_));
            assert!(!(is_proved && is_reached), "{name}: {} is reached by an input", what.name());
            proved += usize::from(is_proved);
            if !is_proved && !is_reached {
                not_proved.insert((*name, what.name()));
            }
        }
    }
    let known = NOT_PROVED.iter().map(|(program, goal)| (*program, (*goal).to_owned())).collect();
    assert_eq!(not_proved, known, "beside {proved} that are proved");
}

#[test]
fn values_that_are_found_get_there() {
    let (mut found, mut missed) = (0, BTreeSet::new());
    for (name, text) in PROGRAMS {
        let program = parsed(name, text);
        let tried = Tried::new(&program);
        let graph =
            Graph::new(&program, &Entry::find(&program, Some("f")).expect("an entry").roots(&program));
        let workshop = Workshop::default();
        for (what, goal) in tried.goals() {
            let is_reached_with = |values: &[Option<u64>]| {
                let [a, b] = [0, 1].map(|number| values[number].unwrap_or_default() as i32);
                what.is_reached_by(&tried.run(&input(a, b)))
            };
            let mut reaches = is_reached_with;
            let mut concrete = Concrete::new(&mut reaches, &workshop);
            let options = BackwardOptions::default();
            let verdict = backward(&graph, goal, &options, Some(&mut concrete), &Arc::default()).verdict;
            match verdict {
                Verdict::Reached(values) => {
                    assert!(is_reached_with(&values), "{name}: {} is not reached", what.name());
                    found += 1;
                }
                Verdict::Unreachable(_) => {
                    assert!(!tried.is_reached(what), "{name}: {} is reached by an input", what.name());
                }
                Verdict::Open | Verdict::Bound(_) if tried.is_reached(what) => {
                    missed.insert((*name, what.name()));
                }
                Verdict::Open | Verdict::Bound(_) => {}
            }
        }
    }
    assert!(missed.len() <= MOST_NOT_FOUND, "{found} are found, not {missed:?}");
}
