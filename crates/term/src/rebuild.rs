//! Making terms again through the constructors: with other symbols, or in another arena.

use crate::{Algebra, Node, Symbol, Term, Terms};

/// Replaces symbols and remembers what it made, so that what terms share is made once.
///
/// It may be used for one arena, which may grow, and one replacement of each symbol.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    made: Vec<Option<Term>>,
    /// Terms to be made, each after its operands.
    stack: Vec<Term>,
}

impl Substitution {
    /// From now on a term, whatever it is, is replaced by another of its width.
    pub fn put(&mut self, term: Term, replacement: Term) {
        if self.made.len() <= term.index() {
            self.made.resize(term.index() + 1, None);
        }
        self.made[term.index()] = Some(replacement);
    }

    /// The term with symbols replaced by what the function gives for them; the others stay.
    ///
    /// # Panics
    /// If a replacement has another width than its symbol.
    pub fn apply(
        &mut self,
        terms: &mut Terms,
        term: Term,
        replacement: &mut dyn FnMut(Symbol) -> Option<Term>,
    ) -> Term {
        if self.made.len() <= term.index() {
            self.made.resize(term.index() + 1, None);
        }
        self.stack.push(term);
        while let Some(&old) = self.stack.last() {
            let waiting = self.stack.len();
            if self.made[old.index()].is_none() {
                let (made, stack) = (&self.made, &mut self.stack);
                let mut changed = false;
                terms.operands(terms.node(old), |operand| match made[operand.index()] {
                    None => stack.push(operand),
                    new => changed |= new != Some(operand),
                });
                if self.stack.len() > waiting {
                    continue;
                }
                let new = match terms.node(old) {
                    Node::Symbol(symbol) => replacement(symbol).unwrap_or(old),
                    node if changed => terms.rebuild(None, node, |term| made_of(&self.made, term)),
                    _ => old,
                };
                assert_eq!(terms.width_of(new), terms.width_of(old), "a replacement has its symbol's width");
                self.made[old.index()] = Some(new);
            }
            self.stack.pop();
        }
        made_of(&self.made, term)
    }
}

/// Makes terms of one arena in another and remembers them, so that what terms share is made once.
///
/// It may be used for one arena to take from and one to make in; both may grow.
#[derive(Clone, Debug, Default)]
pub struct Import {
    made: Vec<Option<Term>>,
    /// Terms to be made, each after its operands.
    stack: Vec<Term>,
}

impl Import {
    /// The term of the other arena, in this one.
    pub fn apply(&mut self, terms: &mut Terms, other: &Terms, term: Term) -> Term {
        if self.made.len() <= term.index() {
            self.made.resize(term.index() + 1, None);
        }
        self.stack.push(term);
        while let Some(&old) = self.stack.last() {
            let waiting = self.stack.len();
            if self.made[old.index()].is_none() {
                let (made, stack) = (&self.made, &mut self.stack);
                other.operands(other.node(old), |operand| {
                    if made[operand.index()].is_none() {
                        stack.push(operand);
                    }
                });
                if self.stack.len() > waiting {
                    continue;
                }
                self.made[old.index()] =
                    Some(terms.rebuild(Some(other), other.node(old), |term| made_of(&self.made, term)));
            }
            self.stack.pop();
        }
        made_of(&self.made, term)
    }
}

impl Terms {
    /// The term with symbols replaced by what the function gives for them; the others stay. See [`Substitution`].
    pub fn substitute(&mut self, term: Term, replacement: &mut dyn FnMut(Symbol) -> Option<Term>) -> Term {
        Substitution::default().apply(self, term, replacement)
    }

    /// The term of another arena, made in this one. See [`Import`] for several.
    pub fn import(&mut self, other: &Terms, term: Term) -> Term {
        Import::default().apply(self, other, term)
    }

    /// The node of a term made again, over other operands: those that the function gives for its own.
    pub fn with_operands(&mut self, term: Term, operand: impl Fn(Term) -> Term) -> Term {
        self.rebuild(None, self.node(term), operand)
    }

    /// A node (of another arena, or of this one) over the terms that were made for its operands.
    fn rebuild(&mut self, from: Option<&Terms>, node: Node, new: impl Fn(Term) -> Term) -> Term {
        match node {
            Node::Const { width, bits } => self.constant(width, bits),
            Node::Symbol(symbol) => match from {
                Some(other) => self.symbol(other.symbol_name(symbol), other.symbol_width(symbol)),
                None => self.symbol_term(symbol),
            },
            Node::Unary(op, a) => self.unary(op, new(a)),
            Node::Binary(op, a, b) => self.binary(op, new(a), new(b)),
            Node::Ite(c, a, b) => self.ite(new(c), new(a), new(b)),
            Node::Extract { low, width, term } => self.extract(new(term), low, width),
            Node::ZeroExtend { width, term } => self.zero_extend(new(term), width),
            Node::SignExtend { width, term } => self.sign_extend(new(term), width),
            Node::Concat(high, low) => self.concat(new(high), new(low)),
            Node::Lookup { index, table } => {
                let entries = from.unwrap_or(self).table_entries(table);
                let is_same = from.is_none() && entries.iter().all(|&(_, value)| new(value) == value);
                let table = match is_same {
                    true => table,
                    false => self.table(entries.iter().map(|&(key, value)| (key, new(value))).collect()),
                };
                self.lookup(new(index), table)
            }
            Node::Apply { function, arguments } => {
                let list = from.unwrap_or(self).arguments(arguments);
                let list: Vec<Term> = list.iter().map(|&argument| new(argument)).collect();
                let function = match from {
                    Some(other) => {
                        self.function(other.function_name(function), other.function_width(function))
                    }
                    None => function,
                };
                self.apply(function, &list)
            }
        }
    }
}

fn made_of(made: &[Option<Term>], term: Term) -> Term {
    made[term.index()].expect("operands are made before what consists of them")
}
