//! Reads terms from text, through the constructors: whatever is read is simplified. See `text.rs` for the form.
//!
//! A symbol that the arena does not know needs its width at one place: `in[0]:8`. Texts that share names, such as the lines of
//! a file, are read by one [`Parser`].

mod build;
mod token;

use crate::{Table, Term, Terms};
use build::{Argument, Open};
use std::collections::BTreeMap;
use token::{Atom, Token, Tokens};

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// From 1 on.
    pub line: usize,
    /// From 1 on, in characters.
    pub column: usize,
    /// One sentence on what is wrong, one on what to do.
    pub message: String,
}

/// The place in the text and what is wrong there.
type Fault = (usize, String);

impl Terms {
    /// The term that a text says.
    pub fn parse(&mut self, text: &str) -> Result<Term, ParseError> {
        self.parser().term(text)
    }

    /// Reads several texts, in which a name means the same.
    pub fn parser(&mut self) -> Parser<'_> {
        Parser { terms: self, names: BTreeMap::new() }
    }
}

/// Reads texts into an arena. See [`Terms::parser`].
pub struct Parser<'a> {
    terms: &'a mut Terms,
    /// What `let` named.
    names: BTreeMap<String, Meaning>,
}

/// What a name stands for.
#[derive(Clone, Copy)]
enum Meaning {
    Term(Term),
    Table(Table),
}

impl Parser<'_> {
    /// The terms so far.
    pub fn terms(&self) -> &Terms {
        self.terms
    }

    /// The one term that a text says.
    pub fn term(&mut self, text: &str) -> Result<Term, ParseError> {
        let term = self.read(text).and_then(|read| match read[..] {
            [(_, Argument::Term(term))] => Ok(term),
            [(_, Argument::Term(_)), (at, _), ..] => {
                Err((at, "The term ended before this. Remove what follows.".into()))
            }
            [(at, _), ..] => Err((at, NOT_A_TERM.into())),
            [] => Err((text.len(), "There is no term. Write one.".into())),
        });
        term.map_err(|fault| explain(text, fault))
    }

    /// The terms that a text says, one after the other.
    pub fn several(&mut self, text: &str) -> Result<Vec<Term>, ParseError> {
        let term = |(at, argument)| match argument {
            Argument::Term(term) => Ok(term),
            _ => Err((at, NOT_A_TERM.into())),
        };
        let terms = self.read(text).and_then(|read| read.into_iter().map(term).collect());
        terms.map_err(|fault| explain(text, fault))
    }

    /// Gives something a name for the texts that follow: `($1 (add x y))`.
    pub fn define(&mut self, text: &str) -> Result<(), ParseError> {
        let named = self.read(text).and_then(|read| match read[..] {
            [(_, Argument::Named)] => Ok(()),
            [(_, Argument::Named), (at, _), ..] => {
                Err((at, "The definition ended before this. Remove what follows.".into()))
            }
            _ => Err((0, "This gives no name to a term. Write e.g. `($1 (add x y))`.".into())),
        });
        named.map_err(|fault| explain(text, fault))
    }

    /// What stands in a text, with the places.
    fn read(&mut self, text: &str) -> Result<Vec<(usize, Argument)>, Fault> {
        let mut tokens = Tokens::new(text);
        let mut open: Vec<Open> = Vec::new();
        let mut outside = Vec::new();
        while let Some((at, token)) = tokens.next()? {
            let (at, argument) = match token {
                Token::Open => {
                    let head = match tokens.next()? {
                        Some((_, Token::Atom(atom))) => atom,
                        _ => {
                            return Err((
                                at,
                                "After `(` there is no operator. Write one, e.g. `(add x 1:32)`.".into(),
                            ));
                        }
                    };
                    open.push(Open { at, head, arguments: Vec::new() });
                    continue;
                }
                Token::Close => match open.pop() {
                    Some(list) => {
                        let at = list.at;
                        (at, self.close(list).map_err(|message| (at, message))?)
                    }
                    None => return Err((at, "There is nothing that this `)` closes. Remove it.".into())),
                },
                Token::Atom(atom) => (at, self.atom(at, atom, open.last())?),
            };
            match open.last_mut() {
                Some(list) => list.arguments.push(argument),
                None => outside.push((at, argument)),
            }
        }
        if open.is_empty() { Ok(outside) } else { Err((text.len(), "A `)` is missing. Add it.".into())) }
    }

    fn atom(&mut self, at: usize, atom: Atom, list: Option<&Open>) -> Result<Argument, Fault> {
        let fault = |message| (at, message);
        if list.is_some_and(Open::expects_function) {
            return self.function(atom).map(Argument::Function).map_err(fault);
        }
        if let Some(number) = atom.number().map_err(fault)? {
            return match atom.width {
                None => Ok(Argument::Number(number)),
                Some(width) => self.constant(width, number).map(Argument::Term).map_err(fault),
            };
        }
        if !atom.is_let_name() {
            return self.symbol(atom).map(Argument::Term).map_err(fault);
        }
        match self.names.get(&atom.name) {
            Some(&Meaning::Term(term)) => Ok(Argument::Term(term)),
            Some(&Meaning::Table(table)) => Ok(Argument::Table(table)),
            None => Err(fault(format!("`{}` has no meaning yet. Name it in a `let` before.", atom.name))),
        }
    }
}

const NOT_A_TERM: &str = "This is not a term. Give a constant its width, as in `1:32`.";

/// Finds line and column of what is wrong.
fn explain(text: &str, (at, message): Fault) -> ParseError {
    let before = &text[..at.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.matches('\n').count() + 1;
    ParseError { line, column: before[line_start..].chars().count() + 1, message }
}
