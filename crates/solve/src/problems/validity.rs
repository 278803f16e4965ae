//! Judges strategies and defeats on random questions with unknown functions, by trying all functions and all inputs.
//!
//! A strategy must lead to the goal with *every* function that agrees with the samples; a defeat is one with which no input does. Where fixing
//! the arguments of all applications to those of the run leaves a solution, there must be a strategy (Godefroid, PLDI 2011, theorem 4).
//!
//! Functions are not tried one by one: a function is made up as it is asked, and each time that it is asked for a new value, all values are tried one
//! after the other. Functions that differ only where nobody looks are the same then.

use super::opaque::{Kind, Question, applications};
use crate::validity::{Knowledge, Otherwise, Samples, Strategy, Verdict, defeat, strategy};
use crate::{Budget, Query, Stack, StackOptions};
use coax_term::{Evaluator, Function, Functions, Model, Term, Terms, mask};

/// Whether a question can be decided is tried in so many evaluations at most.
const MOST_EVALUATIONS: u64 = 100_000;

/// What came of some questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// How many questions there were.
    pub asked: u64,
    /// For how many a strategy was found.
    pub strategies: u64,
    /// How many of these set an input to a term in which there is a function.
    pub sampling: u64,
    /// With how many functions the strategies were carried out.
    pub carried_out: u64,
    /// How many strategies lead elsewhere with some function.
    pub unsound: u64,
    /// How many questions were said to be defeated.
    pub defeats: u64,
    /// How many defeats are none.
    pub unconfirmed: u64,
    /// How often there is a solution with all arguments as in the run.
    pub fixed: u64,
    /// How often there was no strategy then.
    pub missed: u64,
    /// How many questions have an answer for every function.
    pub valid: u64,
    /// For how many of these a strategy was found.
    pub valid_found: u64,
    /// How many have none for some function.
    pub not_valid: u64,
    /// For how many of these a defeat was found.
    pub not_valid_found: u64,
    /// How often a strategy or a defeat contradicts that.
    pub contradictions: u64,
}

impl Table {
    /// Adds the counts of another table.
    #[must_use]
    pub fn and(self, other: &Table) -> Table {
        Table {
            asked: self.asked + other.asked,
            strategies: self.strategies + other.strategies,
            sampling: self.sampling + other.sampling,
            carried_out: self.carried_out + other.carried_out,
            unsound: self.unsound + other.unsound,
            defeats: self.defeats + other.defeats,
            unconfirmed: self.unconfirmed + other.unconfirmed,
            fixed: self.fixed + other.fixed,
            missed: self.missed + other.missed,
            valid: self.valid + other.valid,
            valid_found: self.valid_found + other.valid_found,
            not_valid: self.not_valid + other.not_valid,
            not_valid_found: self.not_valid_found + other.not_valid_found,
            contradictions: self.contradictions + other.contradictions,
        }
    }

    /// How many verdicts are wrong, or missing where one is promised.
    pub fn wrong(&self) -> u64 {
        self.unsound + self.unconfirmed + self.missed + self.contradictions
    }
}

/// Asks, and judges the answers.
pub struct Judge {
    stack: Stack,
    /// What may be spent on one answer.
    effort: u64,
}

impl Judge {
    /// One who lets an answer cost so much.
    pub fn new(effort: u64) -> Judge {
        Judge { stack: Stack::new(StackOptions { child: None, ..StackOptions::default() }), effort }
    }

    /// Judges what is said to one question; what is wrong with it is put into words.
    pub fn question(&mut self, kind: Kind, seed: u64, wrong: &mut Vec<String>) -> Table {
        let mut question = Question::random(kind, seed);
        let verdict = self.strategy(&mut question);
        let defeated = self.defeat(&mut question);
        let trial = Trial::new(&question);
        let mut table = Table { asked: 1, ..Table::default() };
        let mut is_wrong = |count: &mut u64, what: &str| {
            *count += 1;
            wrong.push(format!("{kind:?} {seed}: {what}\n{}", in_words(&question, &verdict, defeated)));
        };
        if let Verdict::Valid(found) = &verdict {
            table.strategies = 1;
            table.sampling = found.settings.iter().any(|&(_, term)| has_function(&question, term)).into();
            if !trial.always_leads_there(found, &mut table.carried_out) {
                is_wrong(&mut table.unsound, "the strategy leads elsewhere with some function");
            }
        }
        if let Some(otherwise) = defeated {
            table.defeats = 1;
            if !trial.is_defeat(otherwise) {
                is_wrong(&mut table.unconfirmed, "there is an input in spite of the defeat");
            }
        }
        if trial.has_solution_of_run() {
            table.fixed = 1;
            if table.strategies == 0 {
                is_wrong(&mut table.missed, "there is a solution with the arguments of the run, no strategy");
            }
        }
        if kind != Kind::Crowded
            && let Some(is_valid) = trial.is_valid()
        {
            (table.valid, table.not_valid) = (is_valid.into(), (!is_valid).into());
            table.valid_found = table.valid & table.strategies;
            table.not_valid_found = table.not_valid & table.defeats;
            if table.valid & table.defeats | table.not_valid & table.strategies != 0 {
                is_wrong(&mut table.contradictions, "trying all functions shows the contrary");
            }
        }
        table
    }

    fn strategy(&mut self, question: &mut Question) -> Verdict {
        let (&goal, assumptions) = question.conditions.split_last().expect("there is a condition");
        let query = Query { assumptions, goal, hint: &question.hint };
        let samples = [&question.run, &question.earlier];
        let mut budget = Budget::effort(self.effort);
        strategy(&mut question.terms, &query, Knowledge(&samples), &mut self.stack, &mut budget)
    }

    fn defeat(&mut self, question: &mut Question) -> Option<Otherwise> {
        let (&goal, assumptions) = question.conditions.split_last().expect("there is a condition");
        let query = Query { assumptions, goal, hint: &question.hint };
        let samples = [&question.run, &question.earlier];
        let mut budget = Budget::effort(self.effort);
        defeat(&mut question.terms, &query, Knowledge(&samples), &mut self.stack, &mut budget)
    }
}

fn has_function(Question { terms, .. }: &Question, term: Term) -> bool {
    terms.has_application(&[term])
}

/// All there is to know of a question, one thing a line.
fn in_words(question: &Question, verdict: &Verdict, defeated: Option<Otherwise>) -> String {
    let Question { terms, conditions, hint, run, earlier, .. } = question;
    let mut lines: Vec<String> = conditions.iter().map(|&one| terms.display(one).to_string()).collect();
    for (symbol, value) in hint.iter() {
        lines.push(format!("in the run {} = {value}", terms.symbol_name(symbol)));
    }
    for (samples, whose) in [(run, "of the run"), (earlier, "earlier")] {
        for (function, arguments, value, is_own) in samples.iter() {
            let own = if is_own { ", the program's own" } else { "" };
            lines.push(format!("{function}{arguments:?} = {value} ({whose}{own})"));
        }
    }
    match verdict {
        Verdict::Valid(found) => lines.extend(found.in_words(terms)),
        Verdict::NotFound(why) => lines.push(format!("no strategy: {why:?}")),
    }
    lines.extend(defeated.map(|otherwise| format!("defeated by {otherwise}")));
    lines.join("\n    ")
}

/// Where a function is asked for its value.
type Place = (Function, Vec<u64>);

/// A function that is made up as it is asked.
struct MadeUp<'a> {
    terms: &'a Terms,
    samples: [&'a Samples; 2],
    assumed: Vec<(Place, u64)>,
    /// Where it was asked, and nothing was assumed yet.
    missing: Option<Place>,
}

impl Functions for MadeUp<'_> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let name = self.terms.function_name(function);
        let is_here = |((its, at), _): &&(Place, u64)| *its == function && *at == *arguments;
        let seen = Knowledge(&self.samples).get(name, arguments);
        let value = seen.or_else(|| self.assumed.iter().find(is_here).map(|(_, value)| *value));
        if value.is_none() {
            self.missing = Some((function, arguments.to_vec()));
        }
        value
    }
}

/// What is known where it was seen, and elsewhere what a defeat says.
struct Defeat<'a>(&'a Terms, [&'a Samples; 2], Otherwise);

impl Functions for Defeat<'_> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        let Defeat(terms, samples, otherwise) = self;
        let seen = Knowledge(samples).get(terms.function_name(function), arguments);
        Some(seen.unwrap_or_else(|| otherwise.value(arguments, terms.function_width(function))))
    }
}

/// A question and all inputs.
struct Trial<'a> {
    question: &'a Question,
    inputs: Vec<Model>,
}

impl<'a> Trial<'a> {
    fn new(question: &'a Question) -> Trial<'a> {
        let widths: Vec<u8> =
            question.inputs.iter().map(|&input| question.terms.symbol_width(input)).collect();
        let input = |mut point: u64| {
            let mut value = |width: u8| {
                let value = point & mask(width);
                point >>= width;
                value
            };
            question.inputs.iter().zip(&widths).map(|(&input, &width)| (input, value(width))).collect()
        };
        let inputs = (0..1 << widths.iter().sum::<u8>()).map(input).collect();
        Trial { question, inputs }
    }

    /// Whether the conditions hold; none if that depends on a value that is not known.
    fn holds(&self, input: &Model, functions: &mut dyn Functions) -> Option<bool> {
        let mut evaluator = Evaluator::new();
        let mut all = Some(true);
        for &condition in &self.question.conditions {
            match evaluator.eval_with(&self.question.terms, input, functions, condition) {
                Some(0) => return Some(false),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }

    fn made_up(&self) -> MadeUp<'_> {
        let Question { terms, run, earlier, .. } = self.question;
        MadeUp { terms, samples: [run, earlier], assumed: Vec::new(), missing: None }
    }

    /// Whether a strategy leads to the goal with every function.
    fn always_leads_there(&self, strategy: &Strategy, functions: &mut u64) -> bool {
        let Question { terms, hint, .. } = self.question;
        self.for_every(&mut self.made_up(), &mut |made_up| {
            let input = strategy.execute(terms, hint, made_up).ok()?;
            let holds = self.holds(&input, made_up)?;
            *functions += 1;
            Some(holds)
        })
    }

    /// Whether something is so with every function; it says none if it must know more of it.
    fn for_every(
        &self,
        made_up: &mut MadeUp<'_>,
        is_so: &mut dyn FnMut(&mut MadeUp<'_>) -> Option<bool>,
    ) -> bool {
        made_up.missing = None;
        if let Some(is_so) = is_so(made_up) {
            return is_so;
        }
        let Some(place) = made_up.missing.take() else { return false };
        (0..self.question.truth.values).all(|value| {
            made_up.assumed.push((place.clone(), value));
            let is_so = self.for_every(made_up, is_so);
            made_up.assumed.pop();
            is_so
        })
    }

    /// Whether no input leads to the goal with what a defeat says.
    fn is_defeat(&self, otherwise: Otherwise) -> bool {
        let Question { terms, run, earlier, .. } = self.question;
        let mut defeat = Defeat(terms, [run, earlier], otherwise);
        self.inputs.iter().all(|input| self.holds(input, &mut defeat) == Some(false))
    }

    /// Whether an input leads to the goal that gives functions what the run gave them.
    fn has_solution_of_run(&self) -> bool {
        let Question { terms, conditions, hint, truth, .. } = self.question;
        let given = applications(terms, conditions, hint, *truth);
        self.inputs.iter().any(|input| {
            self.holds(input, &mut { *truth }) == Some(true)
                && applications(terms, conditions, input, *truth) == given
        })
    }

    /// Whether there is an input for every function; none if that takes too long.
    fn is_valid(&self) -> Option<bool> {
        let mut left = MOST_EVALUATIONS;
        self.is_solved(&mut self.made_up(), 0, &mut left)
    }

    /// Whether there is an input, from this one on, for every function that is made up like this.
    fn is_solved(&self, made_up: &mut MadeUp<'_>, from: usize, left: &mut u64) -> Option<bool> {
        for (number, input) in self.inputs.iter().enumerate().skip(from) {
            *left = left.checked_sub(1)?;
            match self.holds(input, made_up) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => {
                    let place = made_up.missing.take()?;
                    for value in 0..self.question.truth.values {
                        made_up.assumed.push((place.clone(), value));
                        let is_solved = self.is_solved(made_up, number, left);
                        made_up.assumed.pop();
                        if is_solved != Some(true) {
                            return is_solved;
                        }
                    }
                    return Some(true);
                }
            }
        }
        Some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_random_questions_is_right() {
        let mut judge = Judge::new(100_000);
        let mut wrong = Vec::new();
        for kind in Kind::ALL {
            let tables = (0..80).map(|seed| judge.question(kind, seed, &mut wrong));
            let table = tables.fold(Table::default(), |all, table| all.and(&table));
            assert!(table.strategies > 0 && table.sampling > 0 && table.defeats > 0, "{kind:?}: {table:?}");
        }
        assert_eq!(wrong, Vec::<String>::new());
    }

    /// All functions of two bits that agree with the samples, one by one.
    #[test]
    fn making_functions_up_is_trying_all() {
        let (mut valid, mut not_valid) = (0, 0);
        for seed in 0..60 {
            let question = Question::random(Kind::One, seed);
            let trial = Trial::new(&question);
            let Question { terms, run, earlier, .. } = &question;
            let is_solved = |table: u64| {
                let value = |at: u64| table >> (2 * at) & 3;
                let known = Knowledge(&[run, earlier]);
                let agrees = (0..4).all(|at| known.get("f", &[at]).is_none_or(|seen| seen == value(at)));
                let f = terms.find_function("f").expect("it is there");
                let mut model = Model::new();
                (0..4).for_each(|at| model.set_at(f, &[at], value(at)));
                let holds = |input: &Model| trial.holds(input, &mut { &model }) == Some(true);
                !agrees || trial.inputs.iter().any(holds)
            };
            let is_valid = (0..256).all(is_solved);
            assert_eq!(trial.is_valid(), Some(is_valid), "{seed}");
            if is_valid { valid += 1 } else { not_valid += 1 }
        }
        assert!(valid > 5 && not_valid > 5, "{valid} {not_valid}");
    }

    #[test]
    fn who_guesses_is_found_out() {
        let mut found_out = 0;
        for seed in 0..40 {
            let question = Question::random(Kind::Two, seed);
            let trial = Trial::new(&question);
            if trial.is_valid() != Some(false) {
                continue;
            }
            // Whatever is chosen, some function does not like it.
            for input in trial.inputs.iter().step_by(7) {
                let guess = Strategy { chosen: input.clone(), settings: Vec::new() };
                assert!(!trial.always_leads_there(&guess, &mut 0), "{seed}");
            }
            let solved = |input: &&Model| trial.holds(input, &mut { question.truth }) == Some(true);
            if trial.inputs.iter().any(|input| solved(&input)) {
                found_out += 1;
            }
        }
        assert!(found_out > 0);
    }
}
