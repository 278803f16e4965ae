//! Evaluation: the value of a term when the symbols have values.

use crate::walk::TermSet;
use crate::{Function, Node, Symbol, Term, Terms, fold};
use std::collections::BTreeMap;

/// Values of symbols and of functions at some arguments. A symbol that was given no value is 0, and so is a function at
/// other arguments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    values: Vec<Option<u64>>,
    functions: BTreeMap<Function, BTreeMap<Box<[u64]>, u64>>,
}

impl Model {
    /// Every symbol is 0.
    pub fn new() -> Model {
        Model::default()
    }

    /// Gives a symbol a value; bits above its width are ignored in evaluation.
    pub fn set(&mut self, symbol: Symbol, value: u64) {
        if symbol.index() >= self.values.len() {
            self.values.resize(symbol.index() + 1, None);
        }
        self.values[symbol.index()] = Some(value);
    }

    /// The value of a symbol.
    #[inline]
    pub fn get(&self, symbol: Symbol) -> u64 {
        self.given(symbol).unwrap_or(0)
    }

    /// The value that a symbol was given.
    #[inline]
    pub fn given(&self, symbol: Symbol) -> Option<u64> {
        self.values.get(symbol.index()).copied().flatten()
    }

    /// Gives a function a value at some arguments.
    pub fn set_at(&mut self, function: Function, arguments: &[u64], value: u64) {
        self.functions.entry(function).or_default().insert(arguments.into(), value);
    }

    /// The value that a function was given at some arguments.
    pub fn given_at(&self, function: Function, arguments: &[u64]) -> Option<u64> {
        self.functions.get(&function)?.get(arguments).copied()
    }

    /// Where functions were given values: the function, the arguments and the value, in order.
    pub fn applications(&self) -> impl Iterator<Item = (Function, &[u64], u64)> + '_ {
        self.functions.iter().flat_map(|(&function, values)| {
            values.iter().map(move |(arguments, &value)| (function, &**arguments, value))
        })
    }

    /// Takes over the values that another model gives, of symbols and of functions.
    pub fn overlay(&mut self, other: &Model) {
        other.iter().for_each(|(symbol, value)| self.set(symbol, value));
        for (function, arguments, value) in other.applications() {
            self.set_at(function, arguments, value);
        }
    }

    /// The symbols that were given values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, u64)> + '_ {
        self.values.iter().enumerate().filter_map(|(id, value)| Some((Symbol(id as u32), (*value)?)))
    }
}

impl FromIterator<(Symbol, u64)> for Model {
    fn from_iter<I: IntoIterator<Item = (Symbol, u64)>>(values: I) -> Model {
        let mut model = Model::new();
        values.into_iter().for_each(|(symbol, value)| model.set(symbol, value));
        model
    }
}

/// Knows values of functions.
pub trait Functions {
    /// The function's value for these arguments; none if it is not known.
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64>;
}

/// Knows no value of any function.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFunctions;

impl Functions for NoFunctions {
    fn apply(&mut self, _: Function, _: &[u64]) -> Option<u64> {
        None
    }
}

impl Functions for &Model {
    fn apply(&mut self, function: Function, arguments: &[u64]) -> Option<u64> {
        Some(self.given_at(function, arguments).unwrap_or(0))
    }
}

/// Evaluates terms and remembers their values, so that what terms share is evaluated once.
///
/// It may be used for one arena, which may grow, and one model; [`Evaluator::reset`] it for another.
#[derive(Clone, Debug, Default)]
pub struct Evaluator {
    /// Of terms that are not known, anything.
    values: Vec<u64>,
    known: TermSet,
    stack: Vec<Term>,
}

impl Evaluator {
    /// Remembers nothing yet.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Forgets all values, but keeps the memory.
    pub fn reset(&mut self) {
        self.known.clear();
    }

    /// The value of a term.
    pub fn eval(&mut self, terms: &Terms, model: &Model, term: Term) -> u64 {
        self.eval_with(terms, model, &mut { model }, term).unwrap_or(0)
    }

    /// The value of a term; none if it depends on a function's value that is not known. Only what the value depends on
    /// is evaluated: of an `ite` one arm, of a table one entry.
    pub fn eval_with(
        &mut self,
        terms: &Terms,
        model: &Model,
        functions: &mut dyn Functions,
        term: Term,
    ) -> Option<u64> {
        if self.values.len() <= term.index() {
            self.values.resize(term.index() + 1, 0);
        }
        self.stack.clear();
        self.stack.push(term);
        while let Some(&top) = self.stack.last() {
            if !self.known.contains(top) {
                match self.step(terms, model, functions, top) {
                    Step::Value(value) => {
                        self.values[top.index()] = value;
                        self.known.insert(top);
                    }
                    Step::Unknown => return None,
                    Step::OperandsFirst => continue,
                }
            }
            self.stack.pop();
        }
        Some(self.values[term.index()])
    }

    /// The value of a term if its operands have theirs; else puts them on the stack.
    #[inline]
    fn step(&mut self, terms: &Terms, model: &Model, functions: &mut dyn Functions, term: Term) -> Step {
        let waiting = self.stack.len();
        let value = match terms.node(term) {
            Node::Const { bits, .. } => bits,
            Node::Symbol(symbol) => model.get(symbol) & fold::mask(terms.symbol_width(symbol)),
            Node::Unary(op, a) => fold::unary(op, terms.width_of(a), self.ask(a)),
            Node::Binary(op, a, b) => {
                let (x, y) = (self.ask(a), self.ask(b));
                if self.stack.len() > waiting {
                    return Step::OperandsFirst;
                }
                fold::binary(op, terms.width_of(a), x, y)
            }
            Node::Ite(condition, then, otherwise) => {
                let chosen = if self.ask(condition) != 0 { then } else { otherwise };
                if self.stack.len() > waiting {
                    return Step::OperandsFirst;
                }
                self.ask(chosen)
            }
            Node::Extract { low, width, term } => fold::extract(self.ask(term), low, width),
            Node::ZeroExtend { term, .. } => self.ask(term),
            Node::SignExtend { width, term } => {
                fold::sign_extend(terms.width_of(term), self.ask(term), width)
            }
            Node::Concat(high, low) => fold::concat(self.ask(high), self.ask(low), terms.width_of(low)),
            Node::Lookup { index, table } => {
                let key = self.ask(index);
                if self.stack.len() > waiting {
                    return Step::OperandsFirst;
                }
                terms.table_get(table, key).map_or(0, |value| self.ask(value))
            }
            Node::Apply { function, arguments } => {
                let values: Vec<u64> = terms.arguments(arguments).iter().map(|&a| self.ask(a)).collect();
                if self.stack.len() > waiting {
                    return Step::OperandsFirst;
                }
                match functions.apply(function, &values) {
                    Some(value) => value & fold::mask(terms.function_width(function)),
                    None => return Step::Unknown,
                }
            }
        };
        if self.stack.len() > waiting { Step::OperandsFirst } else { Step::Value(value) }
    }

    /// The value of an operand if it is known, else any value, and the operand is on the stack.
    #[inline]
    fn ask(&mut self, operand: Term) -> u64 {
        if self.known.contains(operand) {
            return self.values[operand.index()];
        }
        self.stack.push(operand);
        0
    }
}

enum Step {
    Value(u64),
    Unknown,
    OperandsFirst,
}

impl Terms {
    /// The value of a term.
    pub fn eval(&self, term: Term, model: &Model) -> u64 {
        Evaluator::new().eval(self, model, term)
    }
}
