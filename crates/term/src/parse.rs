//! Reads terms from text, through the constructors: whatever is read is simplified. See `text.rs` for the form.
//!
//! A symbol that the arena does not know needs its width at one place: `in[0]:8`.

mod build;
mod token;

use crate::{Term, Terms};
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
        let mut parser = Parser { terms: self, names: BTreeMap::new() };
        parser.parse(text).map_err(|(at, message)| {
            let before = &text[..at.min(text.len())];
            let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
            let line = before.matches('\n').count() + 1;
            ParseError { line, column: before[line_start..].chars().count() + 1, message }
        })
    }
}

struct Parser<'a> {
    terms: &'a mut Terms,
    /// What `let` named.
    names: BTreeMap<String, Term>,
}

impl Parser<'_> {
    fn parse(&mut self, text: &str) -> Result<Term, Fault> {
        let mut tokens = Tokens::new(text);
        let mut open: Vec<Open> = Vec::new();
        while let Some((at, token)) = tokens.next()? {
            let argument = match token {
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
                        self.close(list).map_err(|message| (at, message))?
                    }
                    None => return Err((at, "There is nothing that this `)` closes. Remove it.".into())),
                },
                Token::Atom(atom) => self.atom(at, atom, open.last())?,
            };
            match (open.last_mut(), argument) {
                (Some(list), argument) => list.arguments.push(argument),
                (None, Argument::Term(term)) => {
                    return match tokens.next()? {
                        None => Ok(term),
                        Some((at, _)) => Err((at, "The term ended before this. Remove what follows.".into())),
                    };
                }
                (None, _) => {
                    return Err((at, "This is not a term. Give a constant its width, as in `1:32`.".into()));
                }
            }
        }
        let message =
            if open.is_empty() { "There is no term. Write one." } else { "A `)` is missing. Add it." };
        Err((text.len(), message.into()))
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
        let term = match self.names.get(&atom.name) {
            Some(&term) if atom.is_let_name() => Ok(term),
            None if atom.is_let_name() => {
                Err(format!("`{}` has no meaning yet. Name it in a `let` before.", atom.name))
            }
            _ => self.symbol(atom),
        };
        term.map(Argument::Term).map_err(fault)
    }
}
