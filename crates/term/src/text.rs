//! Terms as text, for people: `(add in[0] 1:32)`. `parse.rs` reads it back.
//!
//! A constant is `value:width`, a symbol its name. In a big term what occurs more than once is named first:
//! `(let ($1 (mul x y)) (sub $1 (not $1)))`. For several terms with names in common see `text/shared.rs`.

mod shared;

use crate::{Node, Table, Term, Terms};
pub use shared::Shared;
use std::collections::BTreeMap;
use std::fmt::{self, Write};

/// Terms up to this size, as trees, are written without names.
const SMALL: u64 = 40;

/// A term that can be written. See [`Terms::display`].
#[derive(Clone, Copy, Debug)]
pub struct Display<'a> {
    terms: &'a Terms,
    term: Term,
}

impl Terms {
    /// The term as text that [`Terms::parse`] reads.
    pub fn display(&self, term: Term) -> Display<'_> {
        Display { terms: self, term }
    }
}

impl fmt::Display for Display<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let order = self.terms.post_order(&[self.term]);
        let names = name_shared(self.terms, self.term, &order);
        let mut writer = Writer { terms: self.terms, names: &names, f };
        let mut has_names = false;
        for &term in &order {
            let Some(number) = names.of_term(term) else { continue };
            let opening = if has_names { " (" } else { "(let (" };
            has_names = true;
            write!(writer.f, "{opening}${number} ")?;
            writer.write(term)?;
            writer.f.write_str(")")?;
        }
        if !has_names {
            return writer.write(self.term);
        }
        writer.f.write_str(" ")?;
        writer.write(self.term)?;
        writer.f.write_str(")")
    }
}

/// The numbers of what has a name.
#[derive(Clone, Debug, Default)]
struct Names {
    terms: BTreeMap<Term, u32>,
    tables: BTreeMap<Table, u32>,
}

impl Names {
    fn of_term(&self, term: Term) -> Option<u32> {
        self.terms.get(&term).copied()
    }
}

/// Names for the terms that occur more than once. A path has many terms in one arena: what this takes depends on the one term only.
fn name_shared(terms: &Terms, root: Term, order: &[Term]) -> Names {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    let place = |term: Term| sorted.partition_point(|&other| other < term);
    let mut uses = vec![0u32; order.len()];
    let mut tree_size = vec![1u64; order.len()];
    for &term in order {
        let mut size = 1u64;
        terms.operands(terms.node(term), |operand| {
            let operand = place(operand);
            uses[operand] += 1;
            size = size.saturating_add(tree_size[operand]);
        });
        tree_size[place(term)] = size;
    }
    if tree_size[place(root)] <= SMALL {
        return Names::default();
    }
    let is_shared = |term: &&Term| {
        uses[place(**term)] > 1 && !matches!(terms.node(**term), Node::Const { .. } | Node::Symbol(_))
    };
    Names { terms: order.iter().filter(is_shared).copied().zip(1..).collect(), tables: BTreeMap::new() }
}

struct Writer<'a> {
    terms: &'a Terms,
    names: &'a Names,
    f: &'a mut dyn Write,
}

/// What is still to be written.
enum Piece {
    Operand(Term),
    Entry(u64, Term),
    /// The name of one.
    Table(u32),
    Close,
}

impl Writer<'_> {
    /// Writes the term itself, of named operands the names.
    fn write(&mut self, term: Term) -> fmt::Result {
        let mut stack = Vec::new();
        self.open(term, &mut stack)?;
        self.write_pieces(stack)
    }

    /// Writes a table.
    fn write_table(&mut self, table: Table) -> fmt::Result {
        self.f.write_str("(table")?;
        let mut stack = vec![Piece::Close];
        self.push_entries(table, &mut stack);
        stack[1..].reverse();
        self.write_pieces(stack)
    }

    fn write_pieces(&mut self, mut stack: Vec<Piece>) -> fmt::Result {
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Close => self.f.write_str(")")?,
                Piece::Entry(key, value) => {
                    write!(self.f, " ({key}")?;
                    stack.extend([Piece::Close, Piece::Operand(value)]);
                }
                Piece::Table(number) => write!(self.f, " ${number}")?,
                Piece::Operand(term) => {
                    self.f.write_str(" ")?;
                    match self.names.of_term(term) {
                        Some(number) => write!(self.f, "${number}")?,
                        None => self.open(term, &mut stack)?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes the beginning of a term; what follows goes on the stack.
    fn open(&mut self, term: Term, stack: &mut Vec<Piece>) -> fmt::Result {
        let terms = self.terms;
        let node = terms.node(term);
        let f = &mut *self.f;
        match node {
            Node::Const { width, bits } if bits < 1 << 16 => return write!(f, "{bits}:{width}"),
            Node::Const { width, bits } => return write!(f, "{bits:#x}:{width}"),
            Node::Symbol(symbol) => return write_name(f, terms.symbol_name(symbol)),
            Node::Unary(op, _) => write!(f, "({}", op.name())?,
            Node::Binary(op, ..) => write!(f, "({}", op.name())?,
            Node::Ite(..) => f.write_str("(ite")?,
            Node::Extract { low, width, .. } => write!(f, "(extract {low} {width}")?,
            Node::ZeroExtend { width, .. } => write!(f, "(zext {width}")?,
            Node::SignExtend { width, .. } => write!(f, "(sext {width}")?,
            Node::Concat(..) => f.write_str("(concat")?,
            Node::Lookup { .. } => f.write_str("(lookup")?,
            Node::Apply { function, .. } => {
                f.write_str("(apply ")?;
                write_name(f, terms.function_name(function))?;
                write!(f, ":{}", terms.function_width(function))?;
            }
        }
        stack.push(Piece::Close);
        let from = stack.len();
        match node {
            Node::Lookup { index, table } => {
                stack.push(Piece::Operand(index));
                match self.names.tables.get(&table) {
                    Some(&number) => stack.push(Piece::Table(number)),
                    None => self.push_entries(table, stack),
                }
            }
            _ => terms.operands(node, |operand| stack.push(Piece::Operand(operand))),
        }
        stack[from..].reverse();
        Ok(())
    }

    fn push_entries(&self, table: Table, stack: &mut Vec<Piece>) {
        let entries = self.terms.table_entries(table);
        stack.extend(entries.iter().map(|&(key, value)| Piece::Entry(key, value)));
    }
}

/// A name as it is, or in quotes if it could be taken for something else.
fn write_name(f: &mut dyn Write, name: &str) -> fmt::Result {
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '(' | ')' | '"' | '\\' | ':');
    let begins_well = !name.starts_with(|c: char| c.is_ascii_digit() || c == '$');
    if !name.is_empty() && begins_well && name.chars().all(is_plain) {
        return f.write_str(name);
    }
    let escaped = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    write!(f, "\"{escaped}\"")
}
