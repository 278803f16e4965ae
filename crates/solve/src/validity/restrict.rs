//! What samples say of the conditions in which unknown functions occur: each application is one that was sampled.

use super::Knowledge;
use coax_term::{
    Algebra, Binary, Evaluator, Function, Functions, Model, Node, Substitution, Symbol, Term, Terms,
};
use std::collections::BTreeSet;

/// No application is made one of more samples: the first that may help.
const MOST_CANDIDATES: usize = 128;
/// No application is compared with more: the newest.
const MOST_COMPARED: usize = 4096;

/// Which samples applications may be, beside what the run that is asked about gave them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// None: what sound concretisation does.
    Run,
    /// Those of the program's own calls.
    Own,
    /// All.
    All,
}

/// An application, and the symbol that stands for its value.
struct Application {
    function: Function,
    /// In which others are replaced by what stands for them.
    arguments: Vec<Term>,
    /// What they are in the run that is asked about, if that was seen.
    now: Option<Vec<u64>>,
    stand_in: Term,
    symbol: Symbol,
}

impl Knowledge<'_> {
    /// The conditions with each application replaced by a symbol that stands for its value, which is one that was sampled. None if there is an
    /// application for which no sample may help.
    pub(super) fn restrict(
        &self,
        terms: &mut Terms,
        conditions: &[Term],
        hint: &Model,
        which: Which,
    ) -> Option<(Vec<Term>, BTreeSet<Symbol>)> {
        let mut substitution = Substitution::default();
        let mut stand_ins = BTreeSet::new();
        let mut question = Vec::new();
        let mut applications = Vec::new();
        let mut evaluator = Evaluator::new();
        for term in terms.post_order(conditions) {
            let Node::Apply { function, arguments } = terms.node(term) else { continue };
            let arguments = terms.arguments(arguments).to_vec();
            let mut sampled = Sampled { terms, knowledge: *self };
            let mut now = |&one: &Term| evaluator.eval_with(terms, hint, &mut sampled, one);
            let now = arguments.iter().map(&mut now).collect();
            let arguments =
                arguments.into_iter().map(|one| substitution.apply(terms, one, &mut |_| None)).collect();
            let width = terms.function_width(function);
            let stand_in = terms.symbol(&format!("?{}:{width}", stand_ins.len()), width);
            let Node::Symbol(symbol) = terms.node(stand_in) else { return None };
            stand_ins.insert(symbol);
            substitution.put(term, stand_in);
            applications.push(Application { function, arguments, now, stand_in, symbol });
        }
        for &condition in conditions {
            question.push(substitution.apply(terms, condition, &mut |_| None));
        }
        let symbols: Vec<Vec<Symbol>> = question.iter().map(|&one| terms.symbols_of(one)).collect();
        let said: Vec<(Term, Vec<Symbol>)> = question.iter().copied().zip(symbols).collect();
        for application in applications {
            let wanted = application.judges(terms, &said);
            let candidates = self.candidates(terms, &application, &wanted, which);
            question.push(one_of(terms, &candidates, &application.arguments, application.stand_in)?);
        }
        Some((question, stand_ins))
    }

    /// The samples that an application may be: their arguments are not others, and what depends on nothing but them and the value holds.
    fn candidates(
        &self,
        terms: &Terms,
        Application { function, arguments, now, symbol, .. }: &Application,
        wanted: &[Term],
        which: Which,
    ) -> Vec<(Vec<u64>, u64)> {
        let name = terms.function_name(*function);
        let mut evaluator = Evaluator::new();
        let mut fits = |values: &[u64], value: u64| {
            let at = arguments.iter().zip(values);
            let is_possible = |(&argument, &value): (&Term, &u64)| match terms.node(argument) {
                Node::Const { bits, .. } => bits == value,
                _ => true,
            };
            if values.len() != arguments.len() || !at.clone().all(is_possible) {
                return false;
            }
            let mut model = Model::new();
            model.set(*symbol, value);
            for (&argument, &value) in at {
                if let Node::Symbol(symbol) = terms.node(argument) {
                    model.set(symbol, value);
                }
            }
            evaluator.reset();
            wanted.iter().all(|&condition| evaluator.eval(terms, &model, condition) == 1)
        };
        // What the run that is asked about did comes first.
        let first = now.as_ref().and_then(|now| Some((now.clone(), self.get(name, now)?)));
        let exactly = wanted.iter().find_map(|&condition| only_value(terms, condition, *symbol));
        let own = self.own(name).filter(|_| which == Which::Own);
        let others = self.newest(name, exactly).take(MOST_COMPARED).filter(|_| which == Which::All);
        let mut seen = BTreeSet::new();
        let all = first.into_iter().chain(own).chain(others);
        let fitting = all.filter(|(values, value)| fits(values, *value) && seen.insert(values.clone()));
        fitting.take(MOST_CANDIDATES).collect()
    }
}

impl Application {
    /// The conditions that depend on nothing but its value and on those of its arguments that are symbols: a sample says whether they hold. Those that come last
    /// on a path were not true before, and rule out most: they are first here.
    fn judges(&self, terms: &Terms, conditions: &[(Term, Vec<Symbol>)]) -> Vec<Term> {
        let of_argument = |&argument: &Term| match terms.node(argument) {
            Node::Symbol(symbol) => Some(symbol),
            _ => None,
        };
        let mut known: BTreeSet<Symbol> = self.arguments.iter().filter_map(of_argument).collect();
        known.insert(self.symbol);
        let is_judge =
            |symbols: &[Symbol]| !symbols.is_empty() && symbols.iter().all(|symbol| known.contains(symbol));
        let judges = conditions.iter().rev().filter(|(_, symbols)| is_judge(symbols));
        judges.map(|(condition, _)| *condition).collect()
    }
}

/// The only value of a symbol with which a condition holds, if the condition just says so.
fn only_value(terms: &Terms, condition: Term, symbol: Symbol) -> Option<u64> {
    let Node::Binary(Binary::Eq, left, right) = terms.node(condition) else { return None };
    let is_symbol = |term| matches!(terms.node(term), Node::Symbol(it) if it == symbol);
    match (is_symbol(left), is_symbol(right)) {
        (true, _) => terms.as_constant(right),
        (_, true) => terms.as_constant(left),
        _ => None,
    }
}

/// What functions really give, as far as that is known.
pub struct Sampled<'a> {
    /// The arena of the functions.
    pub terms: &'a Terms,
    /// What was seen.
    pub knowledge: Knowledge<'a>,
}

impl Functions for Sampled<'_> {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        self.knowledge.get(self.terms.function_name(function), arguments)
    }
}

/// The condition that arguments and value are those of one of the samples; none if there is none.
fn one_of(
    terms: &mut Terms,
    candidates: &[(Vec<u64>, u64)],
    arguments: &[Term],
    value: Term,
) -> Option<Term> {
    let mut any = None;
    for (values, result) in candidates {
        let mut both = terms.has_value(value, *result);
        for (&argument, &bits) in arguments.iter().zip(values) {
            let same = terms.has_value(argument, bits);
            both = terms.and(both, same);
        }
        any = Some(any.map_or(both, |any| terms.or(any, both)));
    }
    any
}
