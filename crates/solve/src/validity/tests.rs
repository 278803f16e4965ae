//! The examples of the paper on higher-order tests; each strategy is carried out with a function that nobody can predict.

use super::*;
use crate::{Stack, StackOptions};
use coax_term::{Function, Functions};

/// Conditions over 32-bit inputs `x`, `y`, …, as text; what functions were seen to give.
fn ask(text: &str, seen: &[(&str, &[u64], u64)]) -> (Terms, Vec<Term>, Verdict) {
    let mut terms = Terms::new();
    let conditions: Vec<Term> = text.lines().map(|line| terms.parse(line.trim()).expect("a term")).collect();
    let mut samples = Samples::new();
    for &(name, arguments, value) in seen {
        terms.function(name, 32);
        assert_eq!(samples.add(name, arguments, value), Added::New);
    }
    let (&goal, assumptions) = conditions.split_last().expect("a goal");
    let query = Query { assumptions, goal, hint: &Model::new() };
    let mut stack = Stack::new(StackOptions::default());
    let verdict =
        strategy(&mut terms, &query, Knowledge(&[&samples]), &mut stack, &mut Budget::effort(100_000));
    (terms, conditions, verdict)
}

/// A function that nobody can predict.
struct Mixing;

impl Functions for Mixing {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let start = 0x9e37_79b9_7f4a_7c15 ^ function.index() as u64;
        Some(
            arguments
                .iter()
                .fold(start, |sum, &one| (sum ^ one).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(23))
                >> 16,
        )
    }
}

/// The input that a strategy leads to with real functions; all conditions hold with it.
fn carried_out((terms, conditions, verdict): (Terms, Vec<Term>, Verdict)) -> Model {
    let Verdict::Valid(strategy) = verdict else { panic!("{verdict:?}") };
    let input = strategy.execute(&terms, &Model::new(), &mut Mixing).expect("all values are known");
    for condition in conditions {
        let value = coax_term::Evaluator::new().eval_with(&terms, &input, &mut Mixing, condition);
        assert_eq!(value, Some(1), "{} by {:?}", terms.display(condition), strategy.in_words(&terms));
    }
    input
}

#[test]
fn an_equation_with_a_function_is_a_definition() {
    carried_out(ask("(eq x:32 (apply h:32 y:32))", &[]));
}

#[test]
fn several_steps_are_made_in_order() {
    carried_out(ask(
        "(eq x1:32 (apply h:32 x2:32))\n(eq x2:32 (apply h:32 x3:32))\n(eq x3:32 (apply h:32 x4:32))\n(eq x4:32 7:32)",
        &[],
    ));
}

/// What the mixing function gives at `y` once it was asked for, and nothing else.
struct Slowly(Vec<Vec<u64>>);

impl Functions for Slowly {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let is_known = self.0.iter().any(|known| known == arguments);
        Mixing.apply(function, arguments).filter(|_| is_known).map(|value| value & 0xffff_ffff)
    }
}

#[test]
fn a_run_for_each_step_is_enough() {
    for steps in 2..=6 {
        let equal = |step: usize| format!("(eq x{step}:32 (apply h:32 x{}:32))", step + 1);
        let conditions = (1..steps).map(equal).chain([format!("(eq x{steps}:32 7:32)")]);
        // As one condition, which makes `h` be applied to zero at first.
        let text = conditions.reduce(|all, one| format!("(and {all} {one})")).expect("some");
        let mut terms = Terms::new();
        let goal = terms.parse(&text).expect("a term");
        let h = terms.find_function("h").expect("it is there");
        let mut known = Slowly(vec![vec![0]]);
        let mut samples = Samples::new();
        samples.add("h", &[0], known.apply(h, &[0]).expect("it is known"));
        let mut stack = Stack::new(StackOptions { child: None, ..StackOptions::default() });
        let hint: Model = terms.symbols().map(|symbol| (symbol, 0)).collect();
        let mut runs = 0;
        let input = loop {
            let query = Query { assumptions: &[], goal, hint: &hint };
            let verdict =
                strategy(&mut terms, &query, Knowledge(&[&samples]), &mut stack, &mut Budget::effort(30_000));
            let Verdict::Valid(found) = verdict else { panic!("{steps}: {verdict:?}") };
            match found.execute(
                &terms,
                &hint,
                &mut Sampled { terms: &terms, knowledge: Knowledge(&[&samples]) },
            ) {
                Ok(input) => break input,
                Err(Wanted { arguments, .. }) => {
                    known.0.push(arguments.clone());
                    let value = known.apply(h, &arguments).expect("it is known");
                    assert_eq!(
                        samples.add("h", &arguments, value),
                        Added::New,
                        "{:?}",
                        found.in_words(&terms)
                    );
                }
            }
            runs += 1;
            assert!(runs < steps, "{steps} steps: {:?}", found.in_words(&terms));
        };
        let functions = &mut Sampled { terms: &terms, knowledge: Knowledge(&[&samples]) };
        assert_eq!(coax_term::Evaluator::new().eval_with(&terms, &input, functions, goal), Some(1));
    }
}

#[test]
fn what_must_differ_can_be_made_to() {
    carried_out(ask("(not (eq x:32 (apply h:32 y:32)))\n(eq y:32 10:32)", &[]));
}

#[test]
fn parts_of_an_input_are_set_together() {
    carried_out(ask(
        "(eq (concat (concat b:8 c:8) (concat d:8 e:8)) (apply h:32 y:32))\n(eq y:32 10:32)",
        &[],
    ));
}

#[test]
fn equal_arguments_give_equal_values() {
    carried_out(ask("(eq (apply f:32 x:32) (apply f:32 y:32))\n(ult 5:32 x:32)", &[]));
}

#[test]
fn samples_help_where_no_definition_does() {
    let (terms, _, verdict) =
        ask("(eq (apply f:32 x:32) (add (apply f:32 y:32) 1:32))", &[("f", &[0], 0), ("f", &[1], 1)]);
    let Verdict::Valid(strategy) = verdict else { panic!("{verdict:?}") };
    let value = |name: &str| strategy.chosen.get(terms.find_symbol(name).expect("it is there"));
    assert_eq!((value("x"), value("y")), (1, 0));
}

#[test]
fn a_hash_is_inverted_by_its_samples() {
    let seen: Vec<[u64; 1]> = (0..1000).map(|key| [key]).collect();
    let seen: Vec<(&str, &[u64], u64)> = seen.iter().map(|key| ("h", &key[..], 52 + key[0] / 7)).collect();
    let (terms, _, verdict) = ask("(eq (apply h:32 x:32) 100:32)\n(ult 339:32 x:32)", &seen);
    let Verdict::Valid(strategy) = verdict else { panic!("{verdict:?}") };
    let x = strategy.chosen.get(terms.find_symbol("x").expect("it is there"));
    assert!((340..343).contains(&x), "{x}");
}

/// `f(f(x))` is small in the run, whose samples are the oldest of many.
fn many_samples_after_those_of_the_run() -> (Terms, Vec<Term>, Samples, Model) {
    let mut terms = Terms::new();
    let conditions = ["(ult (apply f:32 (apply f:32 x:32)) 100:32)", "(eq y:32 10:32)"];
    let conditions = conditions.map(|text| terms.parse(text).expect("a term")).to_vec();
    let mut samples = Samples::new();
    samples.add("f", &[1], 5000);
    samples.add("f", &[5000], 7);
    (0..1000).for_each(|number| {
        samples.add("f", &[10_000 + number], 50);
    });
    let x = terms.find_symbol("x").expect("it is there");
    (terms, conditions, samples, Model::from_iter([(x, 1)]))
}

#[test]
fn what_the_run_gave_to_nested_applications_is_not_lost_among_many_samples() {
    let (mut terms, conditions, samples, hint) = many_samples_after_those_of_the_run();
    let mut stack = Stack::new(StackOptions { child: None, ..StackOptions::default() });
    let query = Query { assumptions: &conditions[..1], goal: conditions[1], hint: &hint };
    let mut budget = Budget::effort(100_000);
    let verdict = strategy(&mut terms, &query, Knowledge(&[&samples]), &mut stack, &mut budget);
    let Verdict::Valid(found) = verdict else { panic!("{verdict:?}") };
    assert_eq!(found.chosen.get(terms.find_symbol("x").expect("it is there")), 1);
}

/// Answers only what has no alternatives.
struct Impatient(Stack);

impl Layer for Impatient {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let conditions: Vec<Term> = query.conditions().collect();
        match terms
            .in_post_order(&conditions)
            .any(|it| matches!(terms.node(it), Node::Binary(Binary::Or, ..)))
        {
            true => Answer::Unknown(Reason::NotFound("the impatient")),
            false => self.0.solve(terms, query, budget),
        }
    }
}

#[test]
fn what_the_run_showed_is_tried_alone_when_all_samples_are_too_many() {
    let (mut terms, conditions, samples, hint) = many_samples_after_those_of_the_run();
    let mut layer = Impatient(Stack::new(StackOptions { child: None, ..StackOptions::default() }));
    let query = Query { assumptions: &conditions[..1], goal: conditions[1], hint: &hint };
    let mut budget = Budget::effort(100_000);
    let verdict = strategy(&mut terms, &query, Knowledge(&[&samples]), &mut layer, &mut budget);
    assert!(matches!(verdict, Verdict::Valid(_)), "{verdict:?}");
}

#[test]
fn a_value_that_is_wanted_may_have_been_seen() {
    let (terms, _, verdict) =
        ask("(slt 0:32 (apply h:32 x:32))\n(eq y:32 10:32)", &[("h", &[42], 567), ("h", &[33], 0xffff_ff00)]);
    let Verdict::Valid(strategy) = verdict else { panic!("{verdict:?}") };
    assert_eq!(strategy.chosen.get(terms.find_symbol("x").expect("it is there")), 42);
}

#[test]
fn what_is_not_valid_has_no_strategy() {
    for text in ["(eq x:32 (apply h:32 y:32))\n(eq y:32 (apply h:32 x:32))", "(eq (apply h:32 x:32) 5:32)"] {
        let (_, _, verdict) = ask(text, &[("h", &[42], 567), ("h", &[33], 0xffff_ff00)]);
        assert!(matches!(verdict, Verdict::NotFound(_)), "{text}: {verdict:?}");
    }
}

#[test]
fn what_is_not_valid_is_defeated_by_a_function() {
    let defeated = |text: &str, seen: &[(&str, &[u64], u64)]| {
        let mut terms = Terms::new();
        let conditions: Vec<Term> = text.lines().map(|line| terms.parse(line).expect("a term")).collect();
        let mut samples = Samples::new();
        for &(name, arguments, value) in seen {
            samples.add(name, arguments, value);
        }
        let (&goal, assumptions) = conditions.split_last().expect("a goal");
        let query = Query { assumptions, goal, hint: &Model::new() };
        let mut stack = Stack::new(StackOptions { child: None, ..StackOptions::default() });
        let mut budget = Budget::effort(100_000);
        defeat(&mut terms, &query, Knowledge(&[&samples]), &mut stack, &mut budget)
    };
    let each_other = "(eq x:32 (apply h:32 y:32))\n(eq y (apply h x))";
    assert_eq!(defeated(each_other, &[("h", &[42], 567)]), Some(Otherwise::Sum(1)));
    assert_eq!(defeated("(eq (apply h:32 x:32) 5:32)", &[("h", &[42], 567)]), Some(Otherwise::Always(0)));
    assert_eq!(defeated("(eq (apply h:32 x:32) 5:32)", &[("h", &[42], 5)]), None);
    assert_eq!(defeated("(eq (apply h:32 x:32) (apply h y:32))", &[]), None);
}
