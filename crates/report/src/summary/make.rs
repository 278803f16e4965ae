//! Makes the report of what a search found.

use super::{
    BoundHits, Bug, Coverage, Dead, LineSummary, LinesSummary, NotRun, Obstacle, Solver, Stop, Strategy,
    Summaries, Summary, Text, Uncalled, Uncovered, UnknownFunction,
};
use crate::{Description, Obstacle as Blocked, Obstacles, Report, dead_code};
use coax_execute::Verdict;
use coax_program::{Func, Site};
use coax_search::{Earlier, StopReason, WhyUnknown};
use std::collections::{BTreeMap, BTreeSet};

/// How many of the tests that execute a line are named.
const NAMED_TESTS: usize = 5;

/// How many of the calls are named that no run came to: a function of a library's may be called from everywhere.
const NAMED_CALLS: usize = 20;

/// The whole report. Of places that are to be reached it says nothing yet.
pub fn summary(report: &Report<'_>) -> Summary {
    let (findings, program) = (report.findings, report.program);
    let progress = &findings.progress;
    let scope = findings.coverage.counts(program, report.in_scope);
    let module = findings.coverage.counts(program, |_| true);
    let obstacles = Obstacles::new(program, &findings.coverage);
    let lines = report.lines();
    let mut texts = Texts::new(report);
    let bound = |(bound, hits): (&coax_execute::Bound, &u64)| BoundHits {
        bound: bound.to_string().into(),
        hits: *hits,
    };
    Summary {
        assumed: texts.all(&findings.assumed.all()),
        bounds: findings.bounds.iter().map(bound).collect(),
        bugs: bugs(report, &mut texts),
        command: report.command,
        compile_ms: report.times.compile.as_millis() as u64,
        concretisations: progress.concretisations,
        coverage: Coverage::of((&scope, lines.count()), (&module, lines.module)),
        cut_off: findings.is_cut_off,
        data_model: coax_search::data_model(program).into(),
        dead: dead(report, &mut texts),
        discarded: progress.discarded,
        divergences: progress.divergences,
        entry: report.entry.as_str().into(),
        explored: findings.is_complete,
        module: blake3::hash(&program.wasm).to_hex().as_str().into(),
        mutations: progress.mutations,
        not_run: not_run(report),
        paths: progress.paths,
        prepare_ms: report.times.prepare.as_millis() as u64,
        program: report.name.as_str().into(),
        runs: progress.runs,
        seed: report.seed,
        solver: Solver {
            backend_calls: progress.solver.backend_calls,
            queries: progress.solver.queries,
            sat: progress.solver.sat,
            time_ms: progress.solver.time.as_millis() as u64,
            unknown: progress.solver.unknown,
            unsat: progress.solver.unsat,
        },
        stop: findings.stop.into(),
        strategies: strategies(report),
        summaries: Summaries {},
        targets: Vec::new(),
        tests: findings.tests.len() as u64,
        time_ms: report.times.search.as_millis() as u64,
        tool: "coax".into(),
        uncalled: uncalled(report, &obstacles, &mut texts),
        uncovered: uncovered(report, &obstacles, &mut texts),
        unknown_functions: unknown_functions(report, &mut texts),
        version: env!("CARGO_PKG_VERSION").into(),
        work: progress.work,
    }
}

/// Which tests execute which lines, by file and number, or what stands in the way.
pub fn lines(report: &Report<'_>) -> LinesSummary {
    let obstacles = Obstacles::new(report.program, &report.findings.coverage);
    let mut texts = Texts::new(report);
    let names: Vec<Text> = report.findings.tests.iter().map(|test| report.test_name(test).into()).collect();
    let mut files = LinesSummary::new();
    for (name, file) in &report.lines().files {
        let mut one = |line: &crate::SourceLine| match line.first {
            Some((func, offset)) if line.tests.is_empty() => {
                texts.obstacle(obstacles.of(func, offset)).map(LineSummary::Behind)
            }
            _ => {
                let tests = line.tests.iter().take(NAMED_TESTS);
                Some(LineSummary::Covered(tests.map(|&test| names[test].clone()).collect()))
            }
        };
        let lines = file.lines.iter().map(|(number, line)| (*number, one(line))).collect();
        files.insert(name.clone(), lines);
    }
    files
}

/// The texts that many entries share.
struct Texts<'r, 'a> {
    report: &'r Report<'a>,
    places: BTreeMap<Site, Text>,
    functions: BTreeMap<Func, Text>,
    /// Reasons, and what is assumed.
    others: BTreeSet<Text>,
}

impl<'r, 'a> Texts<'r, 'a> {
    fn new(report: &'r Report<'a>) -> Self {
        Texts { report, places: BTreeMap::new(), functions: BTreeMap::new(), others: BTreeSet::new() }
    }

    /// Where a site is.
    fn place(&mut self, site: Site) -> Text {
        self.places.entry(site).or_insert_with(|| self.report.location(site).into()).clone()
    }

    /// What a function is called.
    fn function(&mut self, func: Func) -> Text {
        let name = || self.report.program.functions[func].name.as_str().into();
        self.functions.entry(func).or_insert_with(name).clone()
    }

    /// Any other text.
    fn one(&mut self, text: &str) -> Text {
        if let Some(known) = self.others.get(text) {
            return known.clone();
        }
        let text = Text::from(text);
        self.others.insert(text.clone());
        text
    }

    fn all(&mut self, texts: &[String]) -> Vec<Text> {
        texts.iter().map(|text| self.one(text)).collect()
    }

    fn obstacle(&mut self, blocked: Option<Blocked>) -> Option<Obstacle> {
        Some(match blocked? {
            Blocked::Direction(before, direction) => {
                Obstacle::Direction { direction, location: self.place(before), site: before.0 }
            }
            Blocked::NotCalled(func) => Obstacle::NotCalled { uncalled: func.0 },
        })
    }
}

fn unknown_functions(report: &Report<'_>, texts: &mut Texts<'_, '_>) -> Vec<UnknownFunction> {
    let one = |it: &coax_search::UnknownFunction| UnknownFunction {
        because_of: match it.why {
            WhyUnknown::TooHard(at) | WhyUnknown::Within(at) | WhyUnknown::Vectors(at) => {
                Some(report.place(at).into())
            }
            WhyUnknown::Earlier => Some("an earlier search".into()),
            WhyUnknown::Named => None,
        },
        direct_calls: it.direct_calls,
        earlier_contradicted: it.earlier == Earlier::Contradicted,
        followed_at_last: it.is_followed,
        name: texts.function(it.func),
        named: it.is_named,
        no_function: it.is_none.as_deref().map(Text::from),
        refused: it.refused,
        samples: it.samples,
    };
    report.findings.unknown.iter().map(one).collect()
}

fn not_run(report: &Report<'_>) -> Vec<NotRun> {
    let one = |it: &coax_search::NotRun| NotRun {
        input: serde_json::to_value(&it.input).unwrap_or_default(),
        why: it.what.as_str().into(),
    };
    report.findings.not_run.iter().map(one).collect()
}

/// How tests were found for which something had to be known of unknown functions.
fn strategies(report: &Report<'_>) -> Vec<Strategy> {
    let told = report.findings.tests.iter().filter(|test| !test.how.is_empty());
    let one = |test: &std::sync::Arc<coax_search::Kept>| Strategy {
        steps: test.how.iter().map(|step| step.as_str().into()).collect(),
        test: report.test_name(test).into(),
    };
    told.map(one).collect()
}

fn bugs(report: &Report<'_>, texts: &mut Texts<'_, '_>) -> Vec<Bug> {
    let bug = |failure: &coax_search::Failure| {
        let test = &report.findings.tests[failure.test];
        let Description { kind, message, .. } = report.failure(test);
        Bug {
            function: report.blamed(test).map(|frame| texts.function(frame.func)),
            hits: failure.hits,
            kind: match test.outcome.verdict() {
                Verdict::Trapped(_) => kind.into(),
                verdict => verdict.to_string().into(),
            },
            known: None,
            location: report.blamed_place(test).map(Text::from),
            message: message.map(Text::from),
            supposes: texts.all(&report.supposes(test)),
            test: report.test_name(test).into(),
        }
    };
    report.findings.failures.iter().map(bug).collect()
}

fn uncovered(report: &Report<'_>, obstacles: &Obstacles<'_>, texts: &mut Texts<'_, '_>) -> Vec<Uncovered> {
    // All directions of a branch are named together.
    let mut named: (Option<Site>, Vec<String>) = (None, Vec::new());
    let one = |it: &coax_search::Uncovered| {
        if named.0 != Some(it.site) {
            named = (Some(it.site), report.program.direction_names(it.site));
        }
        Uncovered {
            assumes: texts.all(&it.assumes),
            assuming: it.is_assuming(),
            branch: named.1.get_mut(it.direction as usize).map(|name| std::mem::take(name).into()),
            direction: it.direction,
            function: texts.function(report.program.sites[it.site].func),
            location: texts.place(it.site),
            obstacle: texts.obstacle(obstacles.of_site(it.site)),
            site: it.site.0,
            why: texts.one(&it.why.to_string()),
        }
    };
    report.findings.uncovered.iter().map(one).collect()
}

/// What nothing gets to, with the conditions that contradict each other.
fn dead(report: &Report<'_>, texts: &mut Texts<'_, '_>) -> Vec<Dead> {
    let one = |it: crate::Dead<'_>| {
        let offsets = it.behind.iter().flat_map(|it| &it.because);
        let mut because: Vec<Text> = offsets.map(|&offset| report.place(offset).into()).collect();
        because.dedup();
        let branch = it.behind.and_then(|it| report.program.direction_name(it.site, it.direction));
        Dead {
            assumes: texts.all(&it.assumes),
            assuming: !it.assumes.is_empty(),
            because,
            branch: branch.map(Text::from),
            function: texts.function(it.func),
            lines: it.lines,
            location: it.behind.map(|it| texts.place(it.site)),
        }
    };
    dead_code(report).into_iter().map(one).collect()
}

/// The functions in scope that no run called, by number, each with its calls: what stands in the way of all that is in it.
fn uncalled(
    report: &Report<'_>,
    obstacles: &Obstacles<'_>,
    texts: &mut Texts<'_, '_>,
) -> BTreeMap<u32, Uncalled> {
    let program = report.program;
    let is_own = |call: &&Site| (report.in_scope)(program.sites[**call].func);
    let mut functions = BTreeMap::new();
    for (func, function) in program.functions.iter() {
        let is_uncalled = function.defined().is_some() && !report.findings.coverage.entered(func);
        if !is_uncalled || !(report.in_scope)(func) {
            continue;
        }
        let calls = obstacles.calls_of(func);
        let own = calls.iter().filter(is_own).take(NAMED_CALLS);
        let own_calls = own.map(|&call| texts.place(call)).collect();
        let named = calls.iter().take(NAMED_CALLS);
        let uncalled = Uncalled {
            calls: named.map(|&call| texts.place(call)).collect(),
            function: texts.function(func),
            more_calls: calls.len().checked_sub(NAMED_CALLS).filter(|&more| more > 0).map(|more| more as u64),
            own_calls,
        };
        functions.insert(func.0, uncalled);
    }
    functions
}

impl From<StopReason> for Stop {
    fn from(reason: StopReason) -> Stop {
        match reason {
            StopReason::Complete => Stop::Complete,
            StopReason::Time => Stop::Time,
            StopReason::Runs => Stop::Runs,
            StopReason::Memory => Stop::Memory,
            StopReason::Interrupted => Stop::Interrupted,
        }
    }
}
