//! The bit-blaster: a question as clauses for a SAT solver. It decides everything, unless the budget ends first.
//!
//! A term becomes gates once (`encode.rs`), and a gate clauses once (`clauses.rs`), when a question first needs it. Clauses
//! only say what gates are; a question is a set of assumptions about them, so what the solver learns from one serves
//! all others. Unknown functions are made consistent lazily (`functions.rs`).
//!
//! Memory: the SAT solver starts anew when it has more than [`MOST_CLAUSES`], the gates when there are more than [`MOST_GATES`], and both
//! when the question is about another arena.

mod add;
mod clauses;
mod count;
mod divide;
mod encode;
mod float;
mod functions;
mod gates;
mod multiply;
mod sat;
mod shift;
mod table;
mod word;

use crate::{Answer, Budget, Layer, Query, Reason, Spent};
use clauses::Clauses;
use coax_term::{Identity, Model, Node, Term, Terms};
use encode::Encoder;
use gates::Bit;
use sat::Literal;

/// So many clauses at most when a question is begun; about 100 bytes each.
const MOST_CLAUSES: usize = 2_000_000;

/// So many gates at most when a question is begun; about 30 bytes each.
const MOST_GATES: usize = 4_000_000;

/// What a conflict of the SAT solver costs, in units of effort.
const EFFORT_PER_CONFLICT: u64 = 30;

/// The name in [`Reason::Budget`].
const NAME: &str = "the bit-blaster";

/// Answers by bit-blasting.
#[derive(Default)]
pub struct Blast {
    identity: Option<Identity>,
    encoder: Encoder,
    clauses: Clauses,
    cone: Cone,
}

impl Blast {
    /// Knows nothing yet.
    pub fn new() -> Blast {
        Blast::default()
    }

    /// Forgets what is of another arena, and what has become too large.
    fn prepare(&mut self, identity: Identity) {
        if self.identity != Some(identity) || self.encoder.gates.len() > MOST_GATES {
            *self = Blast { identity: Some(identity), ..Blast::default() };
        } else if self.clauses.sat.clauses() > MOST_CLAUSES {
            self.clauses = Clauses::default();
        }
    }

    fn decide(&mut self, terms: &Terms, query: &Query<'_>, budget: &mut Budget) -> Result<Answer, Spent> {
        let mut assumed: Vec<(Literal, Term)> = Vec::with_capacity(query.assumptions.len() + 1);
        for condition in query.conditions() {
            self.encoder.encode(terms, condition, budget)?;
            match self.encoder.word(terms, condition)[0] {
                Bit::TRUE => {}
                Bit::FALSE => return Ok(Answer::Unsat(core(query, [condition]))),
                bit => assumed.push((self.clauses.literal(&self.encoder.gates, bit), condition)),
            }
        }
        self.cone.of(terms, query);
        functions::prepare(&mut self.clauses, &self.encoder, terms, &self.cone.applications);
        let literals: Vec<Literal> = assumed.iter().map(|assumption| assumption.0).collect();
        loop {
            if budget.is_over() {
                return Err(Spent);
            }
            let found = self.clauses.sat.solve(&literals, budget.left() / EFFORT_PER_CONFLICT, budget);
            let spent = budget.spend(1 + found.conflicts * EFFORT_PER_CONFLICT);
            match found.satisfiable {
                Some(true) => {}
                Some(false) => {
                    let failed = assumed.iter().filter(|assumption| self.clauses.sat.failed(assumption.0));
                    return Ok(Answer::Unsat(core(query, failed.map(|assumption| assumption.1))));
                }
                None => return Err(Spent),
            }
            let applications = &self.cone.applications;
            match functions::refine(&mut self.clauses, &mut self.encoder, terms, applications) {
                Ok(values) => {
                    let mut model = self.model(terms, query.hint);
                    functions::tell(values, &mut model);
                    return Ok(Answer::Sat(model));
                }
                Err(()) => spent?,
            }
        }
    }

    /// The values of the question's symbols in the solution. A bit that does not matter is as in the hint.
    fn model(&self, terms: &Terms, hint: &Model) -> Model {
        let value = |term: Term, hinted: u64| {
            let word = self.encoder.word(terms, term).iter().enumerate();
            word.map(|(at, &bit)| {
                let value = self.clauses.value(bit).unwrap_or(hinted >> at & 1 == 1);
                u64::from(value) << at
            })
            .sum()
        };
        let symbols = self.cone.symbols.iter().filter_map(|&term| match terms.node(term) {
            Node::Symbol(symbol) => Some((symbol, value(term, hint.get(symbol)))),
            _ => None,
        });
        symbols.collect()
    }
}

impl Layer for Blast {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        self.prepare(terms.identity());
        self.decide(terms, query, budget).unwrap_or(Answer::Unknown(Reason::Budget(NAME)))
    }
}

/// Those of the conditions that are assumptions of the question.
fn core(query: &Query<'_>, conditions: impl IntoIterator<Item = Term>) -> Vec<Term> {
    // A goal that is also assumed is no part of it: without it the question is the same.
    conditions.into_iter().filter(|&condition| condition != query.goal).collect()
}

/// What the conditions of a question consist of.
#[derive(Default)]
struct Cone {
    symbols: Vec<Term>,
    /// In post order.
    applications: Vec<Term>,
    /// By term: the last question that had it.
    seen: Vec<u32>,
    question: u32,
    stack: Vec<Term>,
}

impl Cone {
    fn of(&mut self, terms: &Terms, query: &Query<'_>) {
        self.symbols.clear();
        self.applications.clear();
        self.seen.resize(self.seen.len().max(terms.len()), 0);
        self.question = self.question.wrapping_add(1);
        if self.question == 0 {
            self.seen.fill(0);
            self.question = 1;
        }
        self.stack.extend(query.conditions());
        while let Some(term) = self.stack.pop() {
            if self.seen[term.index()] == self.question {
                continue;
            }
            self.seen[term.index()] = self.question;
            let node = terms.node(term);
            match node {
                Node::Symbol(_) => self.symbols.push(term),
                Node::Apply { .. } => self.applications.push(term),
                _ => {}
            }
            terms.operands(node, |operand| self.stack.push(operand));
        }
        // Operands are older than what is made of them.
        self.applications.sort_unstable();
    }
}
