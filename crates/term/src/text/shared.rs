//! Several terms as text, such that what they have in common is written once: for files, a line a definition.
//!
//! A term gets a name, `($1 (mul x y))`, if it is used more than once or if it would make a long line; a table if several
//! lookups use it. The text is as long as there are nodes, and depends only on the structure of the terms.

use super::{Names, Writer};
use crate::{Node, Table, Term, Terms};
use std::collections::BTreeMap;

/// A term of more nodes than this, as it is written, is given a name.
const LONGEST: usize = 24;

/// Terms that are written in order, each after the names that it needs. See [`Terms::share`].
#[derive(Clone, Debug)]
pub struct Shared<'a> {
    terms: &'a Terms,
    names: Names,
    /// What the terms consist of: for each, first what is new in it, the term itself last.
    order: std::vec::IntoIter<Term>,
    /// The number of the last name that was given a meaning.
    defined: u32,
    /// What was already taken from `order`.
    done: crate::walk::TermSet,
}

impl Terms {
    /// These terms as text that a [`crate::Parser`] reads.
    pub fn share(&self, terms: &[Term]) -> Shared<'_> {
        let order = self.post_order(terms);
        let names = name(self, terms, &order);
        Shared { terms: self, names, order: order.into_iter(), defined: 0, done: Default::default() }
    }
}

impl Shared<'_> {
    /// The definitions that the next term needs and those before it did not: to be asked for in the order in which the terms
    /// were given.
    pub fn definitions(&mut self, term: Term) -> Vec<String> {
        let mut definitions = Vec::new();
        while !self.done.contains(term) {
            let Some(next) = self.order.next() else { break };
            self.done.insert(next);
            if let Node::Lookup { table, .. } = self.terms.node(next)
                && let Some(&number) = self.names.tables.get(&table)
                && number > self.defined
            {
                definitions.push(self.definition(number, |writer| writer.write_table(table)));
            }
            if let Some(number) = self.names.of_term(next) {
                definitions.push(self.definition(number, |writer| writer.write(next)));
            }
        }
        definitions
    }

    /// The term, which may be a name.
    pub fn text(&self, term: Term) -> String {
        match self.names.of_term(term) {
            Some(number) => format!("${number}"),
            None => self.written(|writer| writer.write(term)),
        }
    }

    fn definition(&mut self, number: u32, write: impl Fn(&mut Writer<'_>) -> std::fmt::Result) -> String {
        self.defined = number;
        format!("(${number} {})", self.written(write))
    }

    fn written(&self, write: impl Fn(&mut Writer<'_>) -> std::fmt::Result) -> String {
        let mut text = String::new();
        let mut writer = Writer { terms: self.terms, names: &self.names, f: &mut text };
        write(&mut writer).expect("a string takes any text");
        text
    }
}

/// Names, numbered in the order in which they are needed.
fn name(terms: &Terms, roots: &[Term], order: &[Term]) -> Names {
    let arena = order.iter().map(|term| term.index() + 1).max().unwrap_or(0);
    let (mut uses, mut lookups) = (vec![0u32; arena], BTreeMap::<Table, u32>::new());
    roots.iter().for_each(|root| uses[root.index()] += 1);
    for &term in order {
        let node = terms.node(term);
        terms.operands(node, |operand| uses[operand.index()] += 1);
        if let Node::Lookup { table, .. } = node {
            *lookups.entry(table).or_default() += 1;
        }
    }
    let mut names = Names::default();
    // How many nodes of a term are written where it is used.
    let mut written = vec![1; arena];
    let mut last = 0;
    let mut next = || {
        last += 1;
        last
    };
    for &term in order {
        let node = terms.node(term);
        let mut size = 1;
        terms.operands(node, |operand| size += written[operand.index()]);
        if let Node::Lookup { table, .. } = node
            && lookups[&table] > 1
        {
            names.tables.entry(table).or_insert_with(&mut next);
        }
        let is_leaf = matches!(node, Node::Const { .. } | Node::Symbol(_));
        if !is_leaf && (uses[term.index()] > 1 || size > LONGEST) {
            names.terms.insert(term, next());
        } else {
            written[term.index()] = size;
        }
    }
    names
}
