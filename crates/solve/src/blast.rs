//! The bit-blaster: a question as clauses for a SAT solver. It decides everything, unless the budget ends first.
//!
//! A term becomes gates once (`encode.rs`), and a gate clauses once (`clauses.rs`), when a question first needs it. Clauses
//! only say what gates are; a question is a set of assumptions about them, so what the solver learns from one serves
//! others. Unknown functions are made consistent lazily (`functions.rs`).
//!
//! There are two SAT solvers: a small one of our own (`search.rs`), which answers small questions in microseconds and keeps its clauses, and
//! CaDiCaL, which is given what is left after [`SMALL_CONFLICTS`], each time anew. The numbers are in docs/decisions/0006-solver.md.
//!
//! Memory: the small solver starts anew when it has [`MOST_TIMES`] the variables of the question at hand and more than
//! [`ALWAYS_KEPT`], everything when there are more than [`MOST_GATES`] or the question is about another arena.

mod add;
mod clauses;
mod cone;
mod count;
mod divide;
mod encode;
mod float;
mod functions;
mod gates;
mod multiply;
mod sat;
mod search;
mod shift;
mod table;
mod word;

use crate::{Answer, Budget, Layer, Query, Reason, Spent};
use clauses::Clauses;
use coax_term::{Identity, Model, Node, Term, Terms};
use cone::{Cone, Leaves};
use encode::Encoder;
use gates::Bit;
use sat::{Cadical, Literal, Solver};
use search::Search;

/// Variables of earlier questions are kept up to so many times those of the question at hand …
const MOST_TIMES: usize = 8;

/// … and always up to so many: about 200 bytes each, with their clauses.
const ALWAYS_KEPT: usize = 4_000;

/// So many gates at most when a question is begun; about 30 bytes each.
const MOST_GATES: usize = 4_000_000;

/// After so many conflicts a question is not small.
const SMALL_CONFLICTS: u64 = 10_000;

/// The name in [`Reason::Budget`].
const NAME: &str = "the bit-blaster";

/// Answers by bit-blasting.
pub struct Blast {
    small_conflicts: u64,
    identity: Option<Identity>,
    encoder: Encoder,
    clauses: Clauses<Search>,
    leaves: Leaves,
    cone: Cone,
}

impl Default for Blast {
    fn default() -> Blast {
        Blast::with_small_conflicts(SMALL_CONFLICTS)
    }
}

impl Blast {
    /// Knows nothing yet.
    pub fn new() -> Blast {
        Blast::default()
    }

    /// One that asks CaDiCaL after so many conflicts of the small solver: at once for 0, never for `u64::MAX`. Default: 10,000.
    pub fn with_small_conflicts(small_conflicts: u64) -> Blast {
        Blast {
            small_conflicts,
            identity: None,
            encoder: Encoder::default(),
            clauses: Clauses::default(),
            leaves: Leaves::default(),
            cone: Cone::default(),
        }
    }

    fn decide(&mut self, terms: &Terms, query: &Query<'_>, budget: &mut Budget) -> Result<Answer, Spent> {
        let mut assumed: Vec<(Bit, Term)> = Vec::with_capacity(query.assumptions.len() + 1);
        for condition in query.conditions() {
            self.encoder.encode(terms, condition, budget)?;
            match self.encoder.word(terms, condition)[0] {
                Bit::TRUE => {}
                Bit::FALSE => return Ok(Answer::Unsat(core(query, [condition]))),
                bit => assumed.push((bit, condition)),
            }
        }
        self.leaves.find(terms, query, budget)?;
        let mut roots: Vec<Bit> = assumed.iter().map(|assumption| assumption.0).collect();
        roots.extend(functions::roots(&self.encoder, terms, &self.leaves.applications));
        self.cone.find(&self.encoder.gates, &roots, budget)?;
        if self.clauses.solver.variables() > ALWAYS_KEPT + MOST_TIMES * self.cone.len() {
            self.clauses.clear();
        }

        let question = Question { terms, query, assumed: &assumed };
        let given = self.small_conflicts.saturating_mul(Search::EFFORT_PER_CONFLICT);
        let is_all = given >= budget.left();
        let Blast { encoder, clauses, leaves, cone, .. } = self;
        let mut attempt = Attempt { encoder, leaves, cone, roots };
        let mut part = budget.part(given);
        let answer = attempt.decide(&question, clauses, &mut part);
        budget.settle(given, &part);
        match answer {
            Ok(answer) => Ok(answer),
            // What is left of all there was is not worth the clauses that CaDiCaL would have to be told.
            Err(Spent) if is_all || budget.is_over() => Err(Spent),
            Err(Spent) => attempt.decide(&question, &mut Clauses::<Cadical>::default(), budget),
        }
    }
}

impl Layer for Blast {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let identity = terms.identity();
        if self.identity != Some(identity) || self.encoder.gates.len() > MOST_GATES {
            let new = Blast::with_small_conflicts(self.small_conflicts);
            *self = Blast { identity: Some(identity), ..new };
        }
        self.decide(terms, query, budget).unwrap_or(Answer::Unknown(Reason::Budget(NAME)))
    }
}

/// Those of the conditions that are assumptions of the question.
fn core(query: &Query<'_>, conditions: impl IntoIterator<Item = Term>) -> Vec<Term> {
    conditions.into_iter().filter(|&condition| condition != query.goal).collect()
}

/// A question, with the bits of its conditions.
struct Question<'a> {
    terms: &'a Terms,
    query: &'a Query<'a>,
    assumed: &'a [(Bit, Term)],
}

/// What is needed to ask a SAT solver.
struct Attempt<'a> {
    encoder: &'a mut Encoder,
    leaves: &'a Leaves,
    cone: &'a mut Cone,
    /// The bits that the question is about.
    roots: Vec<Bit>,
}

impl Attempt<'_> {
    fn decide<S: Solver>(
        &mut self,
        question: &Question<'_>,
        clauses: &mut Clauses<S>,
        budget: &mut Budget,
    ) -> Result<Answer, Spent> {
        let Question { terms, query, assumed } = question;
        loop {
            for &root in &self.roots {
                clauses.literal(&self.encoder.gates, root, budget)?;
            }
            self.cone.evaluate(terms, self.encoder, &self.leaves.symbols, query.hint, budget)?;
            clauses.focus(self.cone, budget)?;
            let literal = |&(bit, _): &(Bit, Term)| clauses.literal(&self.encoder.gates, bit, budget);
            let literals = assumed.iter().map(literal).collect::<Result<Vec<Literal>, Spent>>()?;
            let found = clauses.solver.solve(&literals, budget.left() / S::EFFORT_PER_CONFLICT, budget);
            let spent = budget.spend(1 + found.conflicts * S::EFFORT_PER_CONFLICT);
            match found.satisfiable {
                Some(true) => {}
                Some(false) => {
                    let conditions = assumed.iter().zip(&literals);
                    let failed = conditions.filter(|&(_, &literal)| clauses.solver.failed(literal));
                    return Ok(Answer::Unsat(core(query, failed.map(|(assumption, _)| assumption.1))));
                }
                None => return Err(Spent),
            }
            match functions::values(clauses, self.encoder, terms, &self.leaves.applications) {
                Ok(values) => {
                    let mut model = self.model(question, clauses);
                    functions::tell(values, &mut model);
                    return Ok(Answer::Sat(model));
                }
                Err(lemmas) => {
                    spent?;
                    for &lemma in &lemmas {
                        clauses.assert(&self.encoder.gates, lemma, budget)?;
                    }
                    self.roots.extend(lemmas);
                    self.cone.find(&self.encoder.gates, &self.roots, budget)?;
                }
            }
        }
    }

    /// The values of the question's symbols in the solution. A bit that does not matter is as in the hint.
    fn model<S: Solver>(&self, question: &Question<'_>, clauses: &Clauses<S>) -> Model {
        let Question { terms, query, .. } = question;
        let value = |term: Term, hinted: u64| {
            let word = self.encoder.word(terms, term).iter().enumerate();
            word.map(|(at, &bit)| {
                let value = clauses.value(bit).unwrap_or(hinted >> at & 1 == 1);
                u64::from(value) << at
            })
            .sum()
        };
        let symbols = self.leaves.symbols.iter().filter_map(|&term| match terms.node(term) {
            Node::Symbol(symbol) => Some((symbol, value(term, query.hint.get(symbol)))),
            _ => None,
        });
        symbols.collect()
    }
}
