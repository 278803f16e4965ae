//! Makes a term of a list that was read. Everything is checked first: constructors take nothing wrong.

use super::token::Atom;
use super::{Meaning, Parser};
use crate::{Algebra, Binary, Function, Table, Term, Unary, fold};

/// A list whose `)` was not read yet.
pub(super) struct Open {
    pub(super) at: usize,
    pub(super) head: Atom,
    pub(super) arguments: Vec<Argument>,
}

impl Open {
    /// Whether the next word names a function.
    pub(super) fn expects_function(&self) -> bool {
        self.head.name == "apply" && self.arguments.is_empty()
    }
}

/// What can stand in a list.
#[derive(Clone, Copy)]
pub(super) enum Argument {
    Term(Term),
    Number(u64),
    Function(Function),
    Table(Table),
    /// An entry of a lookup's table.
    Entry(u64, Term),
    /// `let` named something.
    Named,
}

type Made<T> = Result<T, String>;

impl Parser<'_> {
    pub(super) fn constant(&mut self, width: u8, bits: u64) -> Made<Term> {
        if bits > fold::mask(width) {
            return Err(format!(
                "{bits} has more than {width} bits. Write a greater width or a smaller number."
            ));
        }
        Ok(self.terms.constant(width, bits))
    }

    pub(super) fn symbol(&mut self, atom: Atom) -> Made<Term> {
        let name = &atom.name;
        let known = self.terms.find_symbol(name).map(|symbol| self.terms.symbol_width(symbol));
        let width = self.one_width("symbol", name, known, atom.width)?;
        Ok(self.terms.symbol(name, width))
    }

    pub(super) fn function(&mut self, atom: Atom) -> Made<Function> {
        let name = &atom.name;
        let known = self.terms.find_function(name).map(|function| self.terms.function_width(function));
        let width = self.one_width("function", name, known, atom.width)?;
        Ok(self.terms.function(name, width))
    }

    fn one_width(&self, what: &str, name: &str, known: Option<u8>, given: Option<u8>) -> Made<u8> {
        match (known, given) {
            (Some(known), Some(given)) if known != given => {
                Err(format!("The {what} `{name}` has {known} bits. Write that width, or none."))
            }
            (None, None) => {
                Err(format!("The {what} `{name}` is not known. Give it a width, e.g. `{name}:32`."))
            }
            (known, given) => Ok(known.or(given).unwrap_or(64)),
        }
    }

    /// What a list means.
    pub(super) fn close(&mut self, list: Open) -> Made<Argument> {
        use Argument as A;
        let Open { head, arguments, .. } = list;
        if head.is_let_name() {
            let meaning = match arguments[..] {
                [A::Term(term)] => Meaning::Term(term),
                [A::Table(table)] => Meaning::Table(table),
                _ => {
                    let name = head.name;
                    return Err(format!("`{name}` names one term. Write e.g. `({name} (add x y))`."));
                }
            };
            if self.names.contains_key(&head.name) {
                return Err(format!("`{}` has a meaning already. Use another name.", head.name));
            }
            self.names.insert(head.name, meaning);
            return Ok(A::Named);
        }
        if let Some(key) = head.number()? {
            let [A::Term(value)] = arguments[..] else {
                return Err("An entry of a table is a key and a term. Write e.g. `(7 1:8)`.".into());
            };
            return Ok(A::Entry(key, value));
        }
        let term = match (head.name.as_str(), &arguments[..]) {
            ("let", [names @ .., A::Term(term)]) if names.iter().all(|a| matches!(a, A::Named)) => *term,
            ("ite", &[A::Term(condition), A::Term(then), A::Term(otherwise)]) => {
                self.need(self.terms.width_of(condition) == 1, "The condition of `ite` has 1 bit")?;
                self.same_width("ite", then, otherwise)?;
                self.terms.ite(condition, then, otherwise)
            }
            ("extract", &[A::Number(low), A::Number(width), A::Term(term)]) => {
                let bits = u64::from(self.terms.width_of(term));
                let fits = width >= 1 && low.checked_add(width).is_some_and(|end| end <= bits);
                self.need(fits, "`extract` takes bits that the term has")?;
                self.terms.extract(term, low as u8, width as u8)
            }
            (name @ ("zext" | "sext"), &[A::Number(width), A::Term(term)]) => {
                let fits = (u64::from(self.terms.width_of(term))..=64).contains(&width);
                self.need(fits, "A term is extended to at least its own width and at most 64 bits")?;
                match name {
                    "zext" => self.terms.zero_extend(term, width as u8),
                    _ => self.terms.sign_extend(term, width as u8),
                }
            }
            ("concat", &[A::Term(high), A::Term(low)]) => {
                let fits = self.terms.width_of(high) + self.terms.width_of(low) <= 64;
                self.need(fits, "A term has at most 64 bits")?;
                self.terms.concat(high, low)
            }
            ("table", entries) => return self.table(entries).map(A::Table),
            ("lookup", &[A::Term(index), A::Table(table)]) => self.terms.lookup(index, table),
            ("lookup", [A::Term(index), entries @ ..]) => {
                let table = self.table(entries)?;
                self.terms.lookup(*index, table)
            }
            ("apply", [A::Function(function), arguments @ ..]) => {
                let terms: Option<Vec<Term>> = arguments.iter().map(Argument::term).collect();
                let terms =
                    terms.ok_or("A function is applied to terms. Give constants a width, as in `1:32`.")?;
                self.terms.apply(*function, &terms)
            }
            (name, arguments) => self.operator(name, arguments)?,
        };
        Ok(A::Term(term))
    }

    fn operator(&mut self, name: &str, arguments: &[Argument]) -> Made<Term> {
        match (Unary::from_name(name), Binary::from_name(name), arguments) {
            (Some(op), _, &[Argument::Term(a)]) => {
                self.need(op.accepts(self.terms.width_of(a)), "Floats have 32 or 64 bits")?;
                Ok(self.terms.unary(op, a))
            }
            (_, Some(op), &[Argument::Term(a), Argument::Term(b)]) => {
                self.same_width(name, a, b)?;
                self.need(op.accepts(self.terms.width_of(a)), "Floats have 32 or 64 bits")?;
                Ok(self.terms.binary(op, a, b))
            }
            (None, None, _) if !is_form(name) => {
                Err(format!("There is no operator `{name}`. Write one that there is, e.g. `add`."))
            }
            _ => Err(format!("`{name}` does not take these operands. Give it {}.", usage(name))),
        }
    }

    fn table(&mut self, entries: &[Argument]) -> Made<Table> {
        let entry = |argument: &Argument| match *argument {
            Argument::Entry(key, value) => Some((key, value)),
            _ => None,
        };
        let entries: Option<Vec<(u64, Term)>> = entries.iter().map(entry).collect();
        let entries = entries.filter(|entries| !entries.is_empty());
        let entries = entries.ok_or(
            "A table does not consist of this. Give it entries, as in `(lookup x (0 1:8) (4 2:8))`.",
        )?;
        self.need(entries.is_sorted_by(|a, b| a.0 < b.0), "The keys of a table ascend")?;
        for entry in &entries {
            self.same_width("lookup", entries[0].1, entry.1)?;
        }
        Ok(self.terms.table(entries))
    }

    fn same_width(&self, name: &str, a: Term, b: Term) -> Made<()> {
        let (x, y) = (self.terms.width_of(a), self.terms.width_of(b));
        if x == y {
            return Ok(());
        }
        Err(format!("`{name}` has operands of {x} and {y} bits. Extend the narrower one, e.g. with `zext`."))
    }

    fn need(&self, holds: bool, rule: &str) -> Made<()> {
        if holds { Ok(()) } else { Err(format!("{rule}. Change the operands or their widths.")) }
    }
}

impl Argument {
    fn term(&self) -> Option<Term> {
        match *self {
            Argument::Term(term) => Some(term),
            _ => None,
        }
    }
}

fn is_form(name: &str) -> bool {
    matches!(name, "let" | "ite" | "extract" | "zext" | "sext" | "concat" | "table" | "lookup" | "apply")
}

fn usage(name: &str) -> &'static str {
    match name {
        "let" => "names, as in `($1 (add x y))`, and then a term",
        "ite" => "a condition and two terms",
        "extract" => "the lowest bit, the number of bits and a term, as in `(extract 8 8 x)`",
        "zext" | "sext" => "a width and a term, as in `(zext 32 x)`",
        "table" => "entries, as in `(table (0 1:8) (4 2:8))`",
        "lookup" => "an index and entries, as in `(lookup x (0 1:8) (4 2:8))`",
        "apply" => "a function and terms, as in `(apply f:32 x y)`",
        _ if Unary::from_name(name).is_some() => "one term",
        _ => "two terms",
    }
}
