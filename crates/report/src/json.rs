//! The report that other programs read: one JSON object. Keys may be added, never renamed.

use crate::{Dead, Description, Obstacle, Obstacles, Report, dead_code};
use coax_execute::{Count, Counts, Verdict};
use coax_program::Site;
use coax_search::{Earlier, StopReason, WhyUnknown};
use serde_json::{Value, json};

/// The whole report.
pub fn summary(report: &Report<'_>) -> Value {
    let findings = report.findings;
    let progress = &findings.progress;
    let scope = findings.coverage.counts(report.program, report.in_scope);
    let module = findings.coverage.counts(report.program, |_| true);
    let obstacles = Obstacles::new(report.program, &findings.coverage);
    let lines = report.lines();
    let mut coverage = counts(&scope, lines.count());
    coverage["module"] = counts(&module, lines.module);
    let mut summary = json!({
        "tool": "coax",
        "version": env!("CARGO_PKG_VERSION"),
        "command": report.command,
        "program": report.name,
        "entry": report.entry,
        "seed": report.seed,
        "stop": stop(findings.stop),
        "explored": findings.is_complete,
        "assumed": findings.assumed.all(),
        "data_model": coax_search::data_model(report.program),
        "cut_off": findings.is_cut_off,
        "time_ms": report.times.search.as_millis() as u64,
        "compile_ms": report.times.compile.as_millis() as u64,
        "prepare_ms": report.times.prepare.as_millis() as u64,
        "runs": progress.runs,
        "paths": progress.paths,
        "tests": findings.tests.len(),
        "divergences": progress.divergences,
        "not_run": findings.not_run.iter().map(|it| json!({"why": it.what, "input": it.input})).collect::<Vec<_>>(),
        "discarded": progress.discarded,
        "coverage": coverage,
        "concretisations": progress.concretisations,
        "mutations": findings.progress.mutations,
        "bounds": findings.bounds.iter().map(|(bound, hits)| json!({"bound": bound, "hits": hits})).collect::<Vec<_>>(),
        "solver": {
            "queries": progress.solver.queries,
            "sat": progress.solver.sat,
            "unsat": progress.solver.unsat,
            "unknown": progress.solver.unknown,
            "time_ms": progress.solver.time.as_millis() as u64,
            "backend_calls": progress.solver.backend_calls,
        },
        "bugs": bugs(report),
        "targets": [],
        "unknown_functions": unknown_functions(report),
        "strategies": strategies(report),
        "summaries": {},
    });
    // What may be large is not copied, as it would be above.
    summary["uncovered"] = uncovered(report, &obstacles).into();
    summary["uncalled"] = uncalled(report, &obstacles);
    summary["dead"] = dead(report).into();
    summary
}

fn unknown_functions(report: &Report<'_>) -> Vec<Value> {
    let one = |it: &coax_search::UnknownFunction| {
        json!({
            "name": report.program.functions[it.func].name,
            "because_of": match it.why {
                WhyUnknown::TooHard(at) | WhyUnknown::Within(at) | WhyUnknown::Vectors(at) => Some(report.place(at)),
                WhyUnknown::Earlier => Some("an earlier search".to_owned()),
                WhyUnknown::Named => None,
            },
            "named": it.is_named,
            "samples": it.samples,
            "earlier_contradicted": it.earlier == Earlier::Contradicted,
            "direct_calls": it.direct_calls,
            "refused": it.refused,
            "no_function": it.is_none,
            "followed_at_last": it.is_followed,
        })
    };
    report.findings.unknown.iter().map(one).collect()
}

/// How tests were found for which something had to be known of unknown functions.
fn strategies(report: &Report<'_>) -> Vec<Value> {
    let told = report.findings.tests.iter().filter(|test| !test.how.is_empty());
    told.map(|test| json!({"test": report.test_name(test), "steps": test.how})).collect()
}

fn bugs(report: &Report<'_>) -> Vec<Value> {
    let bug = |failure: &coax_search::Failure| {
        let test = &report.findings.tests[failure.test];
        let Description { kind, message, .. } = report.failure(test);
        let kind = match test.outcome.verdict() {
            Verdict::Trapped(_) => kind.to_owned(),
            verdict => verdict.to_string(),
        };
        json!({
            "kind": kind,
            "message": message,
            "location": report.blamed_place(test),
            "function": report.blamed(test).map(|frame| &report.program.functions[frame.func].name),
            "test": report.test_name(test),
            "supposes": report.supposes(test),
            "hits": failure.hits,
        })
    };
    report.findings.failures.iter().map(bug).collect()
}

/// How many of the tests that execute a line are named.
const NAMED_TESTS: usize = 5;

/// How many of the calls are named that no run came to: a function of a library's may be called from everywhere.
const NAMED_CALLS: usize = 20;

/// Which tests execute which lines, by file and number, or what stands in the way: for those who ask about one line.
pub fn lines(report: &Report<'_>) -> Value {
    let obstacles = Obstacles::new(report.program, &report.findings.coverage);
    let mut files = serde_json::Map::new();
    for (name, file) in &report.lines().files {
        let mut lines = serde_json::Map::new();
        for (number, line) in &file.lines {
            let tests = line.tests.iter().take(NAMED_TESTS);
            let names: Vec<String> =
                tests.map(|&test| report.test_name(&report.findings.tests[test])).collect();
            let entry = match (names.is_empty(), line.first) {
                (true, Some((func, offset))) => obstacle_json(report, obstacles.of(func, offset)),
                _ => json!(names),
            };
            lines.insert(number.to_string(), entry);
        }
        files.insert(name.clone(), Value::Object(lines));
    }
    Value::Object(files)
}

fn uncovered(report: &Report<'_>, obstacles: &Obstacles<'_>) -> Vec<Value> {
    // All directions of a branch are named together.
    let mut named: (Option<Site>, Vec<String>) = (None, Vec::new());
    let one = |it: &coax_search::Uncovered| {
        let data = &report.program.sites[it.site];
        if named.0 != Some(it.site) {
            named = (Some(it.site), report.program.direction_names(it.site));
        }
        json!({
            "location": report.location(it.site),
            "function": report.program.functions[data.func].name,
            "site": it.site.0,
            "branch": named.1.get(it.direction as usize),
            "direction": it.direction,
            "obstacle": obstacle_json(report, obstacles.of_site(it.site)),
            "why": it.why.to_string(),
            "assuming": it.is_assuming(),
            "assumes": it.assumes,
        })
    };
    report.findings.uncovered.iter().map(one).collect()
}

/// What nothing gets to, with the conditions that contradict each other.
fn dead(report: &Report<'_>) -> Vec<Value> {
    let one = |Dead { func, behind, lines, assumes }: &Dead<'_>| {
        let branch = behind.and_then(|it| report.program.direction_name(it.site, it.direction));
        let mut because: Vec<String> =
            behind.iter().flat_map(|it| &it.because).map(|&offset| report.place(offset)).collect();
        because.dedup();
        json!({
            "function": report.program.functions[*func].name,
            "location": behind.map(|it| report.location(it.site)),
            "branch": branch,
            "lines": lines,
            "because": because,
            "assuming": !assumes.is_empty(),
            "assumes": assumes,
        })
    };
    dead_code(report).iter().map(one).collect()
}

fn obstacle_json(report: &Report<'_>, obstacle: Option<Obstacle>) -> Value {
    match obstacle {
        None => Value::Null,
        Some(Obstacle::Direction(before, direction)) => {
            json!({"site": before.0, "direction": direction, "location": report.location(before)})
        }
        Some(Obstacle::NotCalled(func)) => json!({"uncalled": func.0}),
    }
}

/// The functions in scope that no run called, by number, each with its calls: what stands in the way of all that is in it.
fn uncalled(report: &Report<'_>, obstacles: &Obstacles<'_>) -> Value {
    let program = report.program;
    let mut functions = serde_json::Map::new();
    for (func, function) in program.functions.iter() {
        let is_uncalled = function.defined().is_some() && !report.findings.coverage.entered(func);
        if !is_uncalled || !(report.in_scope)(func) {
            continue;
        }
        let calls = obstacles.calls_of(func);
        let own = calls.iter().filter(|&&call| (report.in_scope)(program.sites[call].func));
        let own: Vec<String> = own.take(NAMED_CALLS).map(|&call| report.location(call)).collect();
        let named: Vec<String> = calls.iter().take(NAMED_CALLS).map(|&call| report.location(call)).collect();
        let mut entry = json!({"function": function.name, "calls": named, "own_calls": own});
        if let Some(more) = calls.len().checked_sub(NAMED_CALLS).filter(|&more| more > 0) {
            entry["more_calls"] = json!(more);
        }
        functions.insert(func.0.to_string(), entry);
    }
    Value::Object(functions)
}

fn counts(counts: &Counts, lines: Count) -> Value {
    let one = |count: Count| json!({"covered": count.covered, "total": count.total});
    json!({
        "branches": one(counts.branches),
        "lines": one(lines),
        "selects": one(counts.selects),
        "functions": one(counts.functions),
    })
}

fn stop(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Complete => "complete",
        StopReason::Time => "time",
        StopReason::Runs => "runs",
        StopReason::Memory => "memory",
        StopReason::Interrupted => "interrupted",
    }
}
