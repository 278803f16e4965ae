//! Searches with strategies of the tests' own: what the engine does for every strategy, and what a strategy is told.

#[path = "../../tests/common/input.rs"]
mod input;
#[path = "../../tests/common/subject.rs"]
mod subject;

use super::search_by;
use crate::engine::compose::Composer;
use crate::findings::{Findings, StopReason, WhyUnknown};
use crate::journal::NoJournal;
use crate::strategies::random_walk::RandomWalk;
use crate::strategies::strategies;
use crate::strategy::{Candidate, Event, Strategy, View};
use crate::task::{Done, Look, Task, Watched};
use crate::{Options, Stop};
use coax_execute::{Error, Input};
use coax_program::{Func, Program};
use input::input;
use std::sync::{Arc, Mutex};
use subject::{Silent, subject};

/// Conditions within each other, of two numbers.
const NESTED: &str = include_str!("../../tests/programs/nested.wat");

/// A function that gives something, and one that looks at it.
const TWICE: &str = r#"(module
  (func $twice (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
  (func (export "f") (param i32 i32) (result i32)
    (if (result i32) (i32.eq (call $twice (local.get 0)) (i32.const 8)) (then (i32.const 1)) (else (i32.const 2)))))"#;

fn program(text: &str) -> Program {
    Program::parse(wat::parse_str(text).expect("it is text")).expect("it is a module")
}

/// Searches `f` from zeros by these strategies.
fn found<'p>(program: &'p Program, by: Vec<Box<dyn Strategy<'p>>>) -> Findings {
    let subject = subject(program, []);
    let (options, stop) = (Options::default(), Stop::default());
    search_by(by, &subject, (vec![input(0, 0)], Vec::new()), &options, &stop, (&mut NoJournal, &mut Silent))
        .expect("the search ends")
}

/// What a strategy was told, in words.
type Told = Arc<Mutex<Vec<&'static str>>>;

fn tell(told: &Told, what: &'static str) {
    told.lock().expect("nobody panics with it").push(what);
}

/// Does what it is told to in each batch, and writes down what it is told.
struct Scripted<F> {
    script: F,
    batch: usize,
    told: Told,
}

impl<'p, F> Strategy<'p> for Scripted<F>
where
    F: FnMut(usize, &mut View<'_, '_, 'p>, &mut Composer<'_, 'p>) + Send,
{
    fn propose(&mut self, view: &mut View<'_, '_, 'p>, batch: &mut Composer<'_, 'p>) {
        (self.script)(self.batch, view, batch);
        self.batch += 1;
    }

    fn learn(&mut self, _: &mut View<'_, '_, 'p>, task: u64, done: Done) -> Result<Vec<Candidate>, Error> {
        assert_eq!(task, 7, "a strategy gets back the number that it gave");
        let Done::Watched(Watched::Sizes(sizes)) = done else { panic!("it asked for sizes") };
        assert_eq!(sizes.len(), 1);
        tell(&self.told, "sizes");
        Ok(Vec::new())
    }

    fn saw(&mut self, _: &mut View<'_, '_, 'p>, event: &Event<'_>) {
        tell(
            &self.told,
            match event {
                Event::Ran(_) => "ran",
                Event::Answered { done: Done::Found(..), .. } => "found",
                Event::Answered { .. } => "answered",
                Event::Test(_) => "test",
            },
        );
    }

    fn begin_anew(&mut self, _: &mut View<'_, '_, 'p>) {
        tell(&self.told, "begins anew");
    }
}

fn scripted<'p, F>(script: F) -> (Box<dyn Strategy<'p>>, Told)
where
    F: FnMut(usize, &mut View<'_, '_, 'p>, &mut Composer<'_, 'p>) + Send + 'static,
{
    let told = Told::default();
    (Box::new(Scripted { script, batch: 0, told: Arc::clone(&told) }), told)
}

fn taken(told: &Told) -> Vec<&'static str> {
    told.lock().expect("nobody panics with it").clone()
}

#[test]
fn a_random_walk_covers_what_all_strategies_together_cover() {
    let program = program(NESTED);
    let alone = found(&program, vec![Box::new(RandomWalk::new(1))]);
    let all = found(&program, all_strategies(&program));
    assert_eq!((alone.stop, all.stop), (StopReason::Complete, StopReason::Complete));
    assert_eq!(alone.progress.divergences, 0);
    for site in program.sites.ids() {
        assert_eq!(alone.coverage.directions(site), all.coverage.directions(site), "{site}");
    }
}

/// The usual ones.
fn all_strategies<'p>(program: &'p Program) -> Vec<Box<dyn Strategy<'p>>> {
    strategies(program, &|_| true, &Options::default())
}

#[test]
fn a_search_without_strategies_runs_what_it_is_given_and_ends() {
    let program = program(NESTED);
    let findings = found(&program, Vec::new());
    assert_eq!((findings.stop, findings.progress.runs, findings.tests.len()), (StopReason::Complete, 1, 1));
    assert!(!findings.is_complete, "decisions are open");
}

#[test]
fn a_strategy_is_told_what_happens_whoever_asked() {
    let program = program(NESTED);
    let (silent, told) = scripted(|_, _, _| {});
    let (asks, also_told) = scripted(|_, view, batch| {
        let goal = view.exploration.open_goals().next();
        if let Some(goal) = goal {
            let question = view.exploration.question(goal, view.search);
            batch.ask(view, question, None);
        }
    });
    found(&program, vec![silent, asks]);
    let told = taken(&told);
    assert_eq!(told, taken(&also_told));
    assert_eq!(told[..2], ["test", "ran"], "what was given first");
    let answers = told.iter().filter(|it| **it == "found").count();
    let runs = told.iter().filter(|it| **it == "ran").count();
    assert_eq!(runs, answers + 1, "each answer is run, and is not asked for again");
}

#[test]
fn a_decision_is_asked_about_by_one_strategy_at_a_time() {
    let program = program(NESTED);
    let (asks, told) = scripted(|batch_number, view, batch| {
        if batch_number != 1 {
            return;
        }
        let goal = view.exploration.open_goals().next().expect("the first run decided something");
        let question = view.exploration.question(goal, view.search);
        batch.ask(view, question, None);
        assert!(view.exploration.open_goals().all(|open| open != goal), "somebody asks about it");
    });
    found(&program, vec![asks]);
    assert_eq!(taken(&told).iter().filter(|it| **it == "found").count(), 1);
}

#[test]
fn a_task_of_its_own_comes_back_to_a_strategy() {
    let program = program(TWICE);
    let (watches, told) = scripted(|batch_number, view, batch| {
        if batch_number == 1 {
            let input = Arc::new(view.search.suite.first.clone().expect("something was run"));
            batch.add(batch.idlest(), Task::Watch(input, Look::Sizes(vec![Func(0)])), 7);
        }
    });
    let (other, others_told) = scripted(|_, _, _| {});
    found(&program, vec![other, watches]);
    assert!(taken(&told).contains(&"sizes"));
    assert!(!taken(&others_told).contains(&"sizes"));
}

#[test]
fn another_treatment_of_calls_begins_another_exploration() {
    let program = program(TWICE);
    let (changes, told) = scripted(|batch_number, view, batch| {
        if batch_number == 1 {
            view.search.unknown.becomes_unknown(Func(0), WhyUnknown::TooHard(0));
            let input = Arc::new(view.search.suite.first.clone().expect("something was run"));
            batch.add(batch.idlest(), Task::Watch(input, Look::Sizes(vec![Func(0)])), 7);
        }
        if batch_number == 2 {
            assert_eq!(view.exploration.open_goals().count(), 0, "nothing is known of its paths");
        }
    });
    let findings = found(&program, vec![changes]);
    let told = taken(&told);
    let begins = told.iter().position(|it| *it == "begins anew").expect("it is told");
    assert!(told[begins..].contains(&"ran"), "what the search was given is run again");
    assert!(findings.unknown.iter().any(|it| it.func == Func(0) && it.samples > 0));
}

/// Has found something when the search is told to end.
struct FindsLate(Option<Input>);

impl<'p> Strategy<'p> for FindsLate {
    fn propose(&mut self, view: &mut View<'_, '_, 'p>, _: &mut Composer<'_, 'p>) {
        self.0 = Some(input(4, 0));
        view.search.stop.now(StopReason::Interrupted);
    }

    fn finish(&mut self, batch: &mut Composer<'_, 'p>) {
        if let Some(found) = self.0.take() {
            batch.add(0, Task::Test(Box::new(found)), 0);
        }
    }

    fn learn(&mut self, _: &mut View<'_, '_, 'p>, number: u64, done: Done) -> Result<Vec<Candidate>, Error> {
        let Done::Tested(confirmed, smaller) = done else { panic!("it was not tested") };
        Ok(vec![Candidate { confirmed: *confirmed, smaller, number }])
    }
}

#[test]
fn what_was_found_when_a_search_is_stopped_becomes_a_test() {
    let program = program(TWICE);
    let findings = found(&program, vec![Box::new(FindsLate(None))]);
    assert_eq!((findings.stop, findings.tests.len()), (StopReason::Interrupted, 2));
    assert_eq!(findings.progress.covered, 2, "both ways of the only branch");
}

#[test]
fn who_only_listens_changes_nothing() {
    let program = program(NESTED);
    let all = found(&program, all_strategies(&program));
    let mut with = all_strategies(&program);
    with.push(scripted(|_, _, _| {}).0);
    let same = found(&program, with);
    let inputs =
        |findings: &Findings| findings.tests.iter().map(|test| test.input.clone()).collect::<Vec<_>>();
    assert_eq!(inputs(&all), inputs(&same));
}
