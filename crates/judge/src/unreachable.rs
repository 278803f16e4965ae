//! What a backward search calls unreachable, judged by trying all inputs of small random programs.

mod expression;
mod program;
mod statement;

use anyhow::{Context, Result};
use coax_execute::semantics::Scalar;
use coax_execute::{
    Answer, Argument, Coverage, Entry, Input, Limits, Number, Outcome, PlainModule, Request, Symbols, Value,
};
use coax_program::ir::{Body, Terminator};
use coax_program::{Func, Program, Site};
use coax_search::{BackwardOptions, Goal, Graph, Past, Trust, Verdict, backward};
use std::collections::BTreeSet;
use std::ops::AddAssign;
use std::sync::Arc;

/// A run that takes longer has covered what it has covered.
const FUEL: u64 = 200_000;
/// Pieces of code that a search goes through: fewer than usual, for what is not proved soon is not judged.
const SEGMENTS: u64 = 200;

/// What was judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Places of a kind.
    pub targets: u64,
    /// Of these, no input gets to so many.
    pub infeasible: u64,
    /// So many were called unreachable.
    pub proved: u64,
    /// So many of them by some input's way.
    pub wrong: u64,
    /// Where the search gave up.
    pub bounds: u64,
    /// Pieces of code that all searches went through.
    pub segments: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.targets += other.targets;
        self.infeasible += other.infeasible;
        self.proved += other.proved;
        self.wrong += other.wrong;
        self.bounds += other.bounds;
        self.segments += other.segments;
    }
}

/// The kinds of places.
pub const KINDS: [&str; 3] = ["directions of branches", "functions", "traps"];

/// What was judged, by kind.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// For each of [`KINDS`].
    pub tallies: [Tally; KINDS.len()],
    /// Programs.
    pub programs: u64,
    /// Those of them that have a past.
    pub pasts: u64,
    /// Places that were called unreachable and are not.
    pub wrong: Vec<Wrong>,
}

impl Judged {
    /// Both together.
    pub fn and(mut self, other: Judged) -> Judged {
        self.tallies.iter_mut().zip(other.tallies).for_each(|(tally, more)| *tally += more);
        self.programs += other.programs;
        self.pasts += other.pasts;
        self.wrong.extend(other.wrong);
        self
    }
}

/// A place that was called unreachable, and an input gets there.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The program's number.
    pub seed: u64,
    /// Its text.
    pub text: String,
    /// The place.
    pub target: String,
    /// Parameters that get there.
    pub input: (i32, i32),
}

/// A place, and how an input that gets there shows.
struct Target {
    kind: usize,
    goal: Goal,
    sign: Sign,
}

enum Sign {
    Direction(Site, u32),
    Entered(Func),
    Trapped(Site),
}

/// What the run on an input has shown.
struct Seen {
    input: (i32, i32),
    coverage: Coverage,
    trap: Option<Site>,
}

impl Sign {
    fn is_in(&self, seen: &Seen) -> bool {
        match *self {
            Sign::Direction(site, direction) => seen.coverage.directions(site)[direction as usize],
            Sign::Entered(func) => seen.coverage.entered(func),
            Sign::Trapped(site) => seen.trap == Some(site),
        }
    }
}

/// How a program gets its two numbers.
#[derive(Clone, Copy)]
enum Given {
    /// They are the parameters of `f`.
    Params,
    /// `begin` asks for them, after it has done something else.
    Asked,
}

impl Given {
    fn input(self, a: i32, b: i32) -> Input {
        match self {
            Given::Params => {
                let params = Argument::list(&[Value::I32(a), Value::I32(b)]);
                Input { entry: Some("f".into()), params, ..Input::default() }
            }
            Given::Asked => {
                let value = |number: i32| Answer::Number(Number::Value(Value::I32(number)));
                let request = |number| Request { name: String::new(), value: value(number) };
                Input {
                    entry: Some("begin".into()),
                    values: vec![request(a), request(b)],
                    ..Input::default()
                }
            }
        }
    }
}

/// Judges the random program with this number: from its beginning, and from where it is given its input.
pub fn judge(seed: u64) -> Result<Judged> {
    let from_beginning = judge_text(seed, program::text(seed), Given::Params)?;
    Ok(from_beginning.and(judge_text(seed, program::text_with_past(seed), Given::Asked)?))
}

fn judge_text(seed: u64, text: String, given: Given) -> Result<Judged> {
    let what = || format!("program {seed}:\n{text}");
    let program = Program::parse(wat::parse_str(&text).with_context(what)?).with_context(what)?;
    let program = Arc::new(program);
    let runs = run_all(&program, given).with_context(what)?;
    let first = given.input(0, 0);
    let roots = Entry::find(&program, first.entry.as_deref())?.roots(&program);
    let limits = Limits::default();
    let past = Past::of(&program, &first, Symbols::default(), &limits, &Arc::default());
    let trust = Trust { start: past.is_some(), ..Trust::default() };
    let graph = Graph::new(&program, &roots).with_past(past);
    let pasts = graph.has_past().into();
    let options = BackwardOptions { segments: SEGMENTS, trust, ..BackwardOptions::default() };
    let mut judged = Judged { programs: 1, pasts, ..Judged::default() };
    for Target { kind, goal, sign } in targets(&program) {
        let found = backward(&graph, goal, &options, None, &Arc::default());
        let reaching = runs.iter().find(|seen| sign.is_in(seen));
        let is_proved = matches!(found.verdict, Verdict::Unreachable(_));
        judged.tallies[kind] += Tally {
            targets: 1,
            infeasible: u64::from(reaching.is_none()),
            proved: u64::from(is_proved),
            wrong: u64::from(is_proved && reaching.is_some()),
            bounds: u64::from(matches!(found.verdict, Verdict::Bound(_))),
            segments: found.segments,
        };
        if let (true, Some(seen)) = (is_proved, reaching) {
            let target = format!("{goal:?} {}", program.functions[goal.func()].symbol);
            judged.wrong.push(Wrong { seed, text: text.clone(), target, input: seen.input });
        }
    }
    Ok(judged)
}

/// Runs a program on all its inputs: those that are worth keeping, because they have shown something new.
fn run_all(program: &Program, given: Given) -> Result<Vec<Seen>> {
    let limits = Limits { fuel: FUEL, ..Limits::default() };
    let plain = PlainModule::new(program, &limits)?;
    let (mut all, mut traps, mut runs) = (Coverage::new(program), BTreeSet::new(), Vec::new());
    for number in 0..256 {
        let (a, b) = (number & 15, number >> 4);
        let run = plain.run_with_coverage(&given.input(a, b), &limits)?;
        let coverage = run.coverage.context("the run was not counted")?;
        let trap = match &run.outcome {
            Outcome::Trapped(trap) => trap.site,
            _ => None,
        };
        let is_new_trap = trap.is_some_and(|site| traps.insert(site));
        if all.merge(&coverage) || is_new_trap {
            runs.push(Seen { input: (a, b), coverage, trap });
        }
    }
    Ok(runs)
}

/// All places of a program.
fn targets(program: &Program) -> Vec<Target> {
    let mut found = Vec::new();
    for (func, function) in program.functions.iter() {
        let Some(defined) = function.defined() else { continue };
        found.push(Target { kind: 1, goal: Goal::Point(func, Body::ENTRY, 0), sign: Sign::Entered(func) });
        for (block, data) in defined.body.blocks.iter() {
            for inst in data.insts() {
                let of_inst = &defined.body.insts[inst];
                let can_trap = Scalar::of(&of_inst.op).is_some_and(|scalar| scalar.can_trap());
                if let (true, Some(site)) = (can_trap, program.site_at(of_inst.offset)) {
                    let goal = Goal::Trap(func, block, inst);
                    found.push(Target { kind: 2, goal, sign: Sign::Trapped(site) });
                }
            }
            let Some(site) = program.site_at(data.end_offset) else { continue };
            match data.end {
                Terminator::Branch { .. } | Terminator::Switch { .. } => {
                    let directions = 0..program.sites[site].kind.directions();
                    found.extend(directions.map(|direction| Target {
                        kind: 0,
                        goal: Goal::Direction(func, block, direction),
                        sign: Sign::Direction(site, direction),
                    }));
                }
                Terminator::Unreachable => {
                    let goal = Goal::Point(func, block, data.insts().len());
                    found.push(Target { kind: 2, goal, sign: Sign::Trapped(site) });
                }
                _ => {}
            }
        }
    }
    found
}
