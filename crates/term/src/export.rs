//! Terms without an arena, so that they can be sent: a list of nodes, each after its operands.
//!
//! Nodes name their operands by their places in the list, and symbols, functions and tables by what they are. The list is read through the
//! constructors, so it cannot break an arena's invariants; a list that no arena wrote is refused.

use crate::{Algebra, Binary, Node, Term, Terms, Unary};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exported {
    nodes: Vec<Part>,
    /// What was to be exported, in order.
    roots: Vec<u32>,
}

/// A node; operands are places in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Part {
    Const { width: u8, bits: u64 },
    Symbol { name: String, width: u8 },
    Unary(Unary, u32),
    Binary(Binary, u32, u32),
    Ite(u32, u32, u32),
    Extract { low: u8, width: u8, term: u32 },
    ZeroExtend { width: u8, term: u32 },
    SignExtend { width: u8, term: u32 },
    Concat(u32, u32),
    Lookup { index: u32, entries: Vec<(u64, u32)> },
    Apply { function: String, width: u8, arguments: Vec<u32> },
}

impl Terms {
    /// These terms with all that they consist of.
    pub fn export(&self, roots: &[Term]) -> Exported {
        let mut places = BTreeMap::new();
        let mut nodes = Vec::new();
        for term in self.in_post_order(roots) {
            let part = self.part(term, &|operand| places[&operand]);
            places.insert(term, nodes.len() as u32);
            nodes.push(part);
        }
        Exported { nodes, roots: roots.iter().map(|root| places[root]).collect() }
    }

    /// The terms that were exported; none if no arena can have written this.
    pub fn import_all(&mut self, exported: &Exported) -> Option<Vec<Term>> {
        let mut made: Vec<Term> = Vec::with_capacity(exported.nodes.len());
        for part in &exported.nodes {
            let term = self.of_part(part, &|place| made.get(place as usize).copied())?;
            made.push(term);
        }
        exported.roots.iter().map(|&root| made.get(root as usize).copied()).collect()
    }

    fn part(&self, term: Term, place: &dyn Fn(Term) -> u32) -> Part {
        match self.node(term) {
            Node::Const { width, bits } => Part::Const { width, bits },
            Node::Symbol(symbol) => {
                Part::Symbol { name: self.symbol_name(symbol).to_owned(), width: self.symbol_width(symbol) }
            }
            Node::Unary(op, a) => Part::Unary(op, place(a)),
            Node::Binary(op, a, b) => Part::Binary(op, place(a), place(b)),
            Node::Ite(condition, then, other) => Part::Ite(place(condition), place(then), place(other)),
            Node::Extract { low, width, term } => Part::Extract { low, width, term: place(term) },
            Node::ZeroExtend { width, term } => Part::ZeroExtend { width, term: place(term) },
            Node::SignExtend { width, term } => Part::SignExtend { width, term: place(term) },
            Node::Concat(high, low) => Part::Concat(place(high), place(low)),
            Node::Lookup { index, table } => {
                let entries = self.table_entries(table).iter().map(|&(key, value)| (key, place(value)));
                Part::Lookup { index: place(index), entries: entries.collect() }
            }
            Node::Apply { function, arguments } => Part::Apply {
                function: self.function_name(function).to_owned(),
                width: self.function_width(function),
                arguments: self.arguments(arguments).iter().map(|&argument| place(argument)).collect(),
            },
        }
    }

    /// A node over the terms that were made before. Constructors take for granted that widths fit, so that is looked at here.
    fn of_part(&mut self, part: &Part, made: &dyn Fn(u32) -> Option<Term>) -> Option<Term> {
        let is_width = |width: u8| (1..=64).contains(&width);
        Some(match *part {
            Part::Const { width, bits } if is_width(width) => self.constant(width, bits),
            Part::Symbol { ref name, width } if is_width(width) => {
                let known = self.find_symbol(name);
                known
                    .is_none_or(|known| self.symbol_width(known) == width)
                    .then(|| self.symbol(name, width))?
            }
            Part::Unary(op, a) => self.unary(op, made(a)?),
            Part::Binary(op, a, b) => {
                let [a, b] = [made(a)?, made(b)?];
                (self.width_of(a) == self.width_of(b)).then(|| self.binary(op, a, b))?
            }
            Part::Ite(condition, then, other) => {
                let [condition, then, other] = [made(condition)?, made(then)?, made(other)?];
                let fits = self.width_of(condition) == 1 && self.width_of(then) == self.width_of(other);
                fits.then(|| self.ite(condition, then, other))?
            }
            Part::Extract { low, width, term } => {
                let term = made(term)?;
                let fits = is_width(width) && low.checked_add(width)? <= self.width_of(term);
                fits.then(|| self.extract(term, low, width))?
            }
            Part::ZeroExtend { width, term } => {
                let term = made(term)?;
                (is_width(width) && self.width_of(term) <= width).then(|| self.zero_extend(term, width))?
            }
            Part::SignExtend { width, term } => {
                let term = made(term)?;
                (is_width(width) && self.width_of(term) <= width).then(|| self.sign_extend(term, width))?
            }
            Part::Concat(high, low) => {
                let [high, low] = [made(high)?, made(low)?];
                is_width(self.width_of(high) + self.width_of(low)).then(|| self.concat(high, low))?
            }
            Part::Lookup { index, ref entries } => {
                let all = entries.iter().map(|&(key, value)| Some((key, made(value)?)));
                let all: Vec<(u64, Term)> = all.collect::<Option<_>>()?;
                let &(_, first) = all.first()?;
                let is_table = all.is_sorted_by(|a, b| a.0 < b.0)
                    && all.iter().all(|&(_, value)| self.width_of(value) == self.width_of(first));
                let table = is_table.then(|| self.table(all))?;
                self.lookup(made(index)?, table)
            }
            Part::Apply { ref function, width, ref arguments } if is_width(width) => {
                let known = self.find_function(function);
                let fits = known.is_none_or(|known| self.function_width(known) == width);
                let function = fits.then(|| self.function(function, width))?;
                let arguments: Vec<Term> = arguments.iter().map(|&it| made(it)).collect::<Option<_>>()?;
                self.apply(function, &arguments)
            }
            Part::Const { .. } | Part::Symbol { .. } | Part::Apply { .. } => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&str; 6] = [
        "(ult x:32 (add y:32 3:32))",
        "(eq (ite (ult x y) (mul x y) (not x)) (sext 32 (extract 8 7 x)))",
        "(eq (concat high:8 low:8) (zext 16 (popcnt high)))",
        "(eq (lookup x (1 10:8) (5 low)) 10:8)",
        "(ult (apply f:32 x low) (apply g:32))",
        "(eq 3:8 low)",
    ];

    fn some(terms: &mut Terms) -> Vec<Term> {
        let parsed = TEXTS.iter().filter_map(|text| terms.parse(text).ok());
        parsed.collect()
    }

    #[test]
    fn what_is_exported_comes_back_in_any_arena() {
        let mut terms = Terms::new();
        let all = some(&mut terms);
        let exported = terms.export(&all);
        assert_eq!(terms.import_all(&exported), Some(all.clone()), "nothing is made twice");
        let mut other = Terms::new();
        other.symbol("something else", 8);
        let made = other.import_all(&exported).expect("an arena wrote it");
        let hashes = |terms: &Terms, all: &[Term]| all.iter().map(|&it| terms.hash(it)).collect::<Vec<_>>();
        assert_eq!(hashes(&other, &made), hashes(&terms, &all));
        assert_eq!(other.export(&made), exported, "the same in the same order");
    }

    #[test]
    fn what_no_arena_wrote_is_refused() {
        let x = || Part::Symbol { name: "x".into(), width: 8 };
        let wide = || Part::Symbol { name: "wide".into(), width: 60 };
        let wrong: Vec<Vec<Part>> = vec![
            vec![Part::Unary(Unary::Not, 0)],
            vec![x(), Part::Binary(Binary::Add, 0, 2)],
            vec![x(), wide(), Part::Binary(Binary::Add, 0, 1)],
            vec![x(), Part::Ite(0, 0, 0)],
            vec![x(), Part::Extract { low: 4, width: 5, term: 0 }],
            vec![x(), Part::ZeroExtend { width: 65, term: 0 }],
            vec![x(), wide(), Part::Concat(0, 1)],
            vec![x(), Part::Lookup { index: 0, entries: Vec::new() }],
            vec![x(), Part::Lookup { index: 0, entries: vec![(3, 0), (3, 0)] }],
            vec![x(), Part::Symbol { name: "x".into(), width: 9 }],
            vec![Part::Const { width: 0, bits: 0 }],
        ];
        for nodes in wrong {
            let exported = Exported { nodes, roots: vec![0] };
            assert_eq!(Terms::new().import_all(&exported), None, "{exported:?}");
        }
        assert_eq!(Terms::new().import_all(&Exported { nodes: vec![x()], roots: vec![1] }), None);
    }
}
