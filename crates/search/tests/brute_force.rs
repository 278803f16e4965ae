//! The search against brute force: small programs whose parameters have so few values that all of them can be tried. What a search covers must be
//! all that can be covered, what it calls proved must be so, and every test must do what it did when it was found.

#[path = "common/input.rs"]
mod input;
#[path = "common/programs.rs"]
mod programs;
#[path = "common/subject.rs"]
mod subject;

use coax_execute::{Coverage, Input};
use coax_program::Program;
use coax_search::{Findings, Journal, NoJournal, Options, Record, Stop, StopReason, Subject, Why, search};
use input::input;
use programs::PROGRAMS;
use serde_json::Value;
use std::collections::{BTreeSet, VecDeque};
use subject::{Silent, subject};

fn found(subject: &Subject<'_>, options: &Options) -> Findings {
    found_with(subject, options, &mut NoJournal)
}

fn found_with(subject: &Subject<'_>, options: &Options, journal: &mut dyn Journal) -> Findings {
    search(subject, vec![input(0, 0)], Vec::new(), options, &Stop::default(), journal, &mut Silent)
        .expect("the search ends")
}

/// A journal in memory: what an earlier search wrote, and what this one writes.
#[derive(Default)]
struct Memory {
    earlier: VecDeque<Record>,
    kept: Vec<Record>,
}

impl Journal for Memory {
    fn next(&mut self) -> Option<Record> {
        self.earlier.pop_front()
    }

    fn keep(&mut self, record: Record) {
        self.kept.push(record);
    }
}

/// The record with an input that could not be tried, if it has trials.
fn with_failed_trial(record: &Record, failed: &Value) -> Option<Record> {
    let mut json = serde_json::to_value(record).expect("it can be written");
    let mut answers = json["answers"].as_array_mut()?.iter_mut().flat_map(|of_slot| of_slot.as_array_mut());
    let tried = answers.find_map(|of_slot| of_slot.iter_mut().find_map(|it| it.get_mut("tried")))?;
    tried["failed"] = Value::from(vec![failed.clone()]);
    Some(serde_json::from_value(json).expect("it is a record"))
}

#[test]
fn what_could_not_be_tried_is_known_when_a_search_goes_on() {
    let mut records = 0;
    for (name, wat) in PROGRAMS {
        let program = Program::parse(wat::parse_str(wat).expect(name)).expect(name);
        let subject = subject(&program, []);
        let options = Options { epoch: 2, batches_before_mutation: 1, ..Options::default() };
        let mut journal = Memory::default();
        found_with(&subject, &options, &mut journal);
        let failed = serde_json::json!({ "input": input(3, 4), "what": "there is no room" });
        for place in 0..journal.kept.len() {
            let Some(record) = with_failed_trial(&journal.kept[place], &failed) else { continue };
            records += 1;
            let mut earlier: VecDeque<Record> = journal.kept[..=place].iter().cloned().collect();
            earlier[place] = record;
            let findings = found_with(&subject, &options, &mut Memory { earlier, kept: Vec::new() });
            assert_eq!(findings.progress.not_run, 1, "{name}");
            assert_eq!(serde_json::to_value(&findings.not_run[0]).expect(name), failed, "{name}");
            assert!(!findings.is_complete, "{name}");
        }
    }
    assert!(records > 0, "some programs have trials");
}

/// What all inputs together cover, and how often each of them fails.
fn truth(subject: &Subject<'_>) -> (Coverage, BTreeSet<String>) {
    let mut coverage = Coverage::new(subject.program);
    let mut failures = BTreeSet::new();
    for a in 0..16 {
        for b in 0..16 {
            let run = subject.plain.run_with_coverage(&input(a, b), &subject.limits).expect("it runs");
            coverage.merge(run.coverage.as_ref().expect("coverage was asked for"));
            if run.outcome.verdict().is_failure() {
                failures.insert(run.outcome.verdict().to_string());
            }
        }
    }
    (coverage, failures)
}

#[test]
fn a_search_covers_all_that_can_be_covered_and_proves_the_rest() {
    for (name, wat) in PROGRAMS {
        let program = Program::parse(wat::parse_str(wat).expect(name)).expect(name);
        let subject = subject(&program, []);
        let findings = found(&subject, &Options::default());
        assert_eq!(findings.stop, StopReason::Complete, "{name}");
        assert_eq!(findings.progress.divergences, 0, "{name}");
        let (truth, failures) = truth(&subject);
        for site in program.sites.ids() {
            assert_eq!(findings.coverage.directions(site), truth.directions(site), "{name}: {site}");
        }
        for uncovered in &findings.uncovered {
            let is_called = truth.entered(program.sites[uncovered.site].func);
            let why = if is_called { Why::Proved } else { Why::ProvedNotCalled };
            assert_eq!(uncovered.why, why, "{name}: {}", uncovered.site);
        }
        let found: BTreeSet<String> = findings
            .failures
            .iter()
            .map(|it| findings.tests[it.test].outcome.verdict().to_string())
            .collect();
        assert_eq!(found, failures, "{name}");
    }
}

#[test]
fn tests_do_again_what_they_did_and_cover_all_together() {
    for (name, wat) in PROGRAMS {
        let program = Program::parse(wat::parse_str(wat).expect(name)).expect(name);
        let subject = subject(&program, []);
        let findings = found(&subject, &Options::default());
        let mut together = Coverage::new(&program);
        for test in &findings.tests {
            let run = subject.plain.run_with_coverage(&test.input, &subject.limits).expect(name);
            assert_eq!(run.outcome.verdict(), test.outcome.verdict(), "{name}");
            together.merge(run.coverage.as_ref().expect("coverage was asked for"));
        }
        for site in program.sites.ids() {
            assert_eq!(together.directions(site), findings.coverage.directions(site), "{name}: {site}");
        }
    }
}

#[test]
fn threads_change_nothing() {
    for (name, wat) in PROGRAMS {
        let program = Program::parse(wat::parse_str(wat).expect(name)).expect(name);
        let subject = subject(&program, []);
        let inputs = |options: &Options| -> Vec<Input> {
            found(&subject, options).tests.into_iter().map(|test| test.input.clone()).collect()
        };
        let alone = inputs(&Options::default());
        assert_eq!(inputs(&Options { workers: 3, ..Options::default() }), alone, "{name}");
        // A slot that forgets everything after each batch asks the same.
        let forgetful = Options { max_terms: 0, ..Options::default() };
        assert_eq!(inputs(&forgetful).len(), alone.len(), "{name}");
    }
}

#[test]
fn a_search_makes_as_many_runs_as_it_may() {
    let (name, wat) = PROGRAMS[2];
    let program = Program::parse(wat::parse_str(wat).expect(name)).expect(name);
    let subject = subject(&program, []);
    let findings = found(&subject, &Options { max_runs: Some(3), ..Options::default() });
    assert_eq!((findings.stop, findings.progress.runs), (StopReason::Runs, 3));
    assert!(findings.uncovered.iter().all(|it| !matches!(it.why, Why::Proved | Why::ProvedNotCalled)));
}

#[test]
fn a_search_goes_on_where_another_was() {
    let mut epochs = 0;
    for (name, wat) in PROGRAMS {
        let program = Program::parse(wat::parse_str(wat).expect(name)).expect(name);
        let subject = subject(&program, []);
        let options = Options { epoch: 2, batches_before_mutation: 1, ..Options::default() };
        let mut journal = Memory::default();
        let whole = found_with(&subject, &options, &mut journal);
        let inputs = |findings: &Findings| -> Vec<Input> {
            findings.tests.iter().map(|test| test.input.clone()).collect()
        };
        for batches in (0..=journal.kept.len()).step_by(options.epoch as usize) {
            epochs += 1;
            let earlier = journal.kept[..batches].iter().cloned().collect();
            let mut later = Memory { earlier, kept: Vec::new() };
            let findings = found_with(&subject, &options, &mut later);
            assert_eq!(inputs(&findings), inputs(&whole), "{name} after {batches} batches");
            assert_eq!(findings.progress, whole.progress, "{name} after {batches} batches");
            assert_eq!(later.kept, journal.kept[batches..], "{name} after {batches} batches");
        }
    }
    assert!(epochs > 2 * PROGRAMS.len(), "most programs take several epochs");
}

#[test]
fn mutants_find_what_solvers_are_not_asked_for() {
    let (name, wat) = PROGRAMS[0];
    let program = Program::parse(wat::parse_str(wat).expect(name)).expect(name);
    let subject = subject(&program, []);
    let with = found(&subject, &Options { batches_before_mutation: 0, ..Options::default() });
    assert!(with.progress.mutations > 0, "inputs were changed");
    let without = found(&subject, &Options { mutate: false, ..Options::default() });
    assert_eq!(without.progress.mutations, 0);
    assert_eq!(with.coverage, without.coverage);
}
