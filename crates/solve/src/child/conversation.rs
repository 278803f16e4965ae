//! Asking a solver's process one question after the other, and what it makes of them: values, cores, reasons.

use super::dialect::{Dialect, Floats};
use super::float_terms::FloatTerms;
use super::process::{Process, Trouble};
use crate::smtlib::literal::literal;
use crate::smtlib::syntax::{Expr, Syntax, shortened};
use crate::transcript::{ASSERTION, Style, Transcript};
use crate::{Answer, Budget, Query, Reason};
use coax_term::{Evaluator, Identity, Model, Node, Term, Terms};
use std::collections::BTreeSet;
use std::time::Duration;

/// Units of z3's `rlimit` for a unit of effort, about a microsecond: z3 5.4 counts 0.3 to 1.6 of them in one, on products,
/// sums of many `ite` and floats.
const RLIMIT_PER_EFFORT: u64 = 1;
/// Lets z3 work without a limit.
const UNLIMITED: &str = "(set-option :rlimit 0)\n";
/// Asks z3 what it has counted.
const COUNT: &str = "(get-info :rlimit)\n";
/// A solver that counts its work must be done after so many times what the count says by the clock.
const PATIENCE: u32 = 20;
/// Starting a program takes time, too.
const START: Duration = Duration::from_secs(2);

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Failure {
    /// It was not done when the budget was; who.
    OutOfBudget(&'static str),
    /// It cannot do this, as is known without asking it; what.
    Unsupported(String),
    /// It did not do as SMT-LIB says; what.
    Misbehaved(String),
}

pub(super) struct Conversation {
    process: Process,
    dialect: Dialect,
    transcript: Transcript,
    float_terms: FloatTerms,
    /// To be sent before the transcript's next piece.
    introduction: String,
}

impl Conversation {
    pub(super) fn new(process: Process, dialect: Dialect, identity: Identity) -> Conversation {
        let introduction = introduction(dialect);
        let transcript = Transcript::new(identity, Style::Named);
        Conversation { process, dialect, transcript, float_terms: FloatTerms::default(), introduction }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Makes the solver forget all if it is asked about another arena, or has more than so many definitions to remember.
    pub(super) fn start_anew_if_needed(&mut self, identity: Identity, most_definitions: usize) {
        if identity == self.transcript.identity() && self.transcript.session().names() <= most_definitions {
            return;
        }
        self.transcript = Transcript::new(identity, Style::Named);
        self.introduction = format!("(reset)\n{}", introduction(self.dialect));
    }

    /// Tells the solver a text of others. What it knew of terms is void afterwards.
    pub(super) fn tell_text(&mut self, commands: &str, budget: &Budget) -> Result<Vec<String>, Failure> {
        self.transcript = Transcript::new(Identity::default(), Style::Named);
        self.introduction.clear();
        let mut text = format!("{commands}\n");
        if self.dialect.counts {
            let limit = self.rlimit(budget);
            // After a reset, which forgets it.
            text = match text.strip_prefix("(reset)\n") {
                Some(rest) => format!("(reset)\n{limit}{rest}"),
                None => limit + &text,
            };
        }
        let clocked = self.clocked(budget);
        self.ask(text, &clocked)
    }

    /// The command that limits z3's work.
    fn rlimit(&self, budget: &Budget) -> String {
        let limit = budget.left().saturating_mul(RLIMIT_PER_EFFORT);
        // 0 means that there is no limit, as do numbers that are too big for z3.
        let limit = u32::try_from(limit).map_or(0, |limit| limit.max(1));
        format!("(set-option :rlimit {limit})\n")
    }

    pub(super) fn solve(
        &mut self,
        terms: &Terms,
        query: &Query<'_>,
        budget: &mut Budget,
    ) -> Result<Answer, Failure> {
        if self.float_terms.are_in(terms, query.conditions()) {
            match self.dialect.floats {
                Floats::Incrementally => {}
                Floats::Unknown => {
                    return Err(Failure::Unsupported(format!(
                        "a question with floats for {}",
                        self.dialect.name
                    )));
                }
                Floats::Afresh => {
                    // Of no arena: the next question will start anew, too.
                    self.transcript = Transcript::new(Identity::default(), Style::Once);
                    self.introduction = "(reset)\n(set-option :produce-models true)\n".to_owned();
                }
            }
        }
        self.transcript.write(terms, query);
        let mut commands = std::mem::take(&mut self.introduction);
        if self.dialect.counts {
            // The limit of the question before would cancel definitions, too.
            commands += UNLIMITED;
        }
        commands += &self.transcript.take_text();
        let clocked = self.clocked(budget);
        if self.dialect.counts {
            // Before and after: a reset may begin the count anew.
            commands += &format!("{COUNT}{}(check-sat)\n{COUNT}", self.rlimit(budget));
        } else {
            commands += "(check-sat)\n";
        }
        let mut answers = self.ask(commands, &clocked)?;
        let counts: Vec<u64> = answers.iter().filter_map(|answer| count_in(answer)).collect();
        answers.retain(|answer| count_in(answer).is_none());
        let spent = match counts[..] {
            [before, after] => after.saturating_sub(before) / RLIMIT_PER_EFFORT,
            _ => 0,
        };
        let is_limit = spent >= budget.left();
        // That nothing is left is the next one's concern.
        let _ = budget.spend(1 + spent);
        match answers.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["sat"] => self.model(terms, query, &clocked).map(Answer::Sat),
            ["unsat"] => self.core(query, &clocked).map(Answer::Unsat),
            // z3 4.8.12 does not always say that this was the reason.
            ["unknown"] if is_limit => Ok(Answer::Unknown(Reason::Budget(self.dialect.name))),
            ["unknown"] => self.reason(&clocked).map(Answer::Unknown),
            _ => Err(self.nonsense("`(check-sat)`", &answers)),
        }
    }

    /// The same budget, with an end by the clock.
    fn clocked(&self, budget: &Budget) -> Budget {
        let effort = Duration::from_micros(budget.left());
        let most =
            if self.dialect.counts { effort.saturating_mul(PATIENCE).saturating_add(START) } else { effort };
        budget.clone().within(most)
    }

    fn ask(&mut self, commands: String, budget: &Budget) -> Result<Vec<String>, Failure> {
        let name = self.dialect.name;
        self.process.ask(commands, budget).map_err(|trouble| match trouble {
            Trouble::Late => Failure::OutOfBudget(name),
            Trouble::Ended if self.dialect.is_out_of_memory(self.process.end()) => Failure::OutOfBudget(name),
            Trouble::Ended => Failure::Misbehaved(format!("{name} ended in the middle of a question")),
            Trouble::Flood => Failure::Misbehaved(format!("{name} answers without end")),
        })
    }

    fn nonsense(&self, to_what: &str, answers: &[String]) -> Failure {
        let name = self.dialect.name;
        // What went wrong first explains the rest.
        Failure::Misbehaved(match answers.first() {
            Some(answer) => format!("{name} answered to {to_what}: {}", shortened(answer)),
            None => format!("{name} answered nothing to {to_what}"),
        })
    }

    /// The values of all unknowns, if all conditions hold with them.
    fn model(&mut self, terms: &Terms, query: &Query<'_>, budget: &Budget) -> Result<Model, Failure> {
        let unknowns = self.transcript.unknowns();
        let mut values = Vec::new();
        if !unknowns.is_empty() {
            let names: Vec<&str> =
                unknowns.iter().filter_map(|&term| self.transcript.session().unknown(terms, term)).collect();
            let answers = self.ask(format!("(get-value ({}))\n", names.join(" ")), budget)?;
            match answers.as_slice() {
                [answer] if let Some(read) = values_in(answer, terms, &unknowns) => values = read,
                _ => return Err(self.nonsense("`(get-value …)`", &answers)),
            }
        }
        let mut model = Model::new();
        let mut evaluator = Evaluator::new();
        for (&term, value) in unknowns.iter().zip(values) {
            match terms.node(term) {
                Node::Symbol(symbol) => model.set(symbol, value),
                Node::Apply { function, arguments } => {
                    let arguments = terms.arguments(arguments).iter();
                    let at: Vec<u64> = arguments.map(|&a| evaluator.eval(terms, &model, a)).collect();
                    model.set_at(function, &at, value);
                }
                _ => {}
            }
        }
        evaluator.reset();
        if query.conditions().all(|condition| evaluator.eval(terms, &model, condition) == 1) {
            return Ok(model);
        }
        let name = self.dialect.name;
        Err(Failure::Misbehaved(format!("{name} gave values with which the conditions do not hold")))
    }

    /// The assumptions that were needed; all of them if the solver cannot tell.
    fn core(&mut self, query: &Query<'_>, budget: &Budget) -> Result<Vec<Term>, Failure> {
        if self.transcript.style() != Style::Named {
            return Ok(query.assumptions.to_vec());
        }
        let answers = self.ask("(get-unsat-core)\n".to_owned(), budget)?;
        let needed = match answers.as_slice() {
            [answer] => names_in(answer),
            _ => None,
        };
        Ok(match needed {
            Some(needed) => {
                let assumptions = self.transcript.assumptions().filter(|(_, number)| needed.contains(number));
                assumptions.map(|(assumption, _)| assumption).collect()
            }
            None => query.assumptions.to_vec(),
        })
    }

    fn reason(&mut self, budget: &Budget) -> Result<Reason, Failure> {
        let name = self.dialect.name;
        let answers = self.ask("(get-info :reason-unknown)\n".to_owned(), budget)?;
        let text = answers.first().map_or("", |answer| answer.as_str());
        let is_budget = ["cancel", "resource", "timeout", "rlimit"].iter().any(|&word| text.contains(word));
        Ok(match is_budget {
            true => Reason::Budget(name),
            false => Reason::Failed(format!("{name} answered unknown: {}", shortened(text))),
        })
    }
}

/// What z3 has counted, if that is what it says.
fn count_in(answer: &str) -> Option<u64> {
    answer.strip_prefix("(:rlimit")?.strip_suffix(')')?.trim().parse().ok()
}

/// What a solver is told first.
fn introduction(dialect: Dialect) -> String {
    let options = ["global-declarations", "produce-models", "produce-unsat-cores"];
    let mut text: String = options.iter().map(|option| format!("(set-option :{option} true)\n")).collect();
    if let Some(logic) = dialect.logic {
        text += &format!("(set-logic {logic})\n");
    }
    text
}

/// `((name value) …)`, as many as there are terms.
fn values_in(answer: &str, terms: &Terms, unknowns: &[Term]) -> Option<Vec<u64>> {
    let syntax = Syntax::read(answer).ok()?;
    let list = syntax.expressions().next()?;
    let value = |pair: Expr<'_>, term: Term| {
        let [_, value] = pair.exactly()?;
        literal(value).filter(|value| value.width == terms.width_of(term)).map(|value| value.bits)
    };
    let values: Vec<u64> =
        list.elements().zip(unknowns).map_while(|(pair, &term)| value(pair, term)).collect();
    (values.len() == unknowns.len() && list.elements().count() == unknowns.len()).then_some(values)
}

/// `(|%a3| |%a7|)`: the numbers.
fn names_in(answer: &str) -> Option<BTreeSet<usize>> {
    let syntax = Syntax::read(answer).ok()?;
    let list = syntax.expressions().next().filter(|list| list.is_list())?;
    list.elements().map(|name| name.symbol()?.strip_prefix(ASSERTION)?.parse().ok()).collect()
}
