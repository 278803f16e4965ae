//! Reads a path that was written. See `form.rs` for how it looks.
//!
//! Whatever the text, the result is a path whose terms are sound, or an error that says what is wrong.

mod line;

use super::form::{
    ANSWER, ASSERTION, ASSUMPTION, BRANCH, CONCRETISED, END, HEAD, SELECT, SYMBOL, TRAP, VERSION, meaning,
};
use super::{Event, EventKind, Path};
use coax_term::{Node, Parser, Term, Terms, mask};
use line::Line;

/// Why a text is no path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// It does not begin like one.
    #[error(
        "this is not a path: its first line is not `{HEAD} {VERSION}`. \
         Give a file that `coax dump path --format data` wrote."
    )]
    NotAPath,
    /// A form that this version does not know.
    #[error(
        "this path is written in form {0}, and this coax reads only form {VERSION}. \
         Write the path again with this coax."
    )]
    Version(String),
    /// The end is missing.
    #[error(
        "the path is cut off: its last line is not `{END}` with the number of events. Write or copy it again."
    )]
    Truncated,
    /// Events are missing, or there are too many.
    #[error("the path has {found} events, and {expected} by its last line. Write or copy it again.")]
    Count {
        /// As the last line says.
        expected: usize,
        /// In the text.
        found: usize,
    },
    /// A line that means nothing.
    #[error("line {line}: {message}")]
    Line {
        /// From 1 on.
        line: usize,
        /// One sentence on what is wrong, one on what to do.
        message: String,
    },
}

impl Path {
    /// Whether a file is meant to be a path that was written.
    pub fn is_written(file: &[u8]) -> bool {
        file.starts_with(HEAD.as_bytes())
    }

    /// The path that a text says, and its terms.
    pub fn read(text: &str) -> Result<(Path, Terms), PathError> {
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let version = head.strip_prefix(HEAD).ok_or(PathError::NotAPath)?.trim();
        if version != VERSION.to_string() {
            return Err(PathError::Version(version.into()));
        }
        // What is behind the last line feed is half a line.
        let (lines, rest) = body.rsplit_once('\n').ok_or(PathError::Truncated)?;
        let mut terms = Terms::new();
        let mut reader = Reader { parser: terms.parser(), events: Vec::new(), end: None };
        for (index, line) in lines.lines().enumerate() {
            reader.line(line).map_err(|message| PathError::Line { line: index + 2, message })?;
        }
        let (found, end) = (reader.events.len(), reader.end);
        let path = Path { events: reader.events };
        match end {
            Some(expected) if found == expected && rest.is_empty() => Ok((path, terms)),
            Some(expected) if found != expected => Err(PathError::Count { expected, found }),
            _ => Err(PathError::Truncated),
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a>,
    events: Vec<Event>,
    /// What the last line says, if it was read.
    end: Option<usize>,
}

impl Reader<'_> {
    fn line(&mut self, text: &str) -> Result<(), String> {
        if self.end.is_some() {
            return Err(format!("The path has ended, but text follows. Remove what is behind `{END}`."));
        }
        let mut line = Line::new(text);
        if text.starts_with('(') {
            return line.terms(|text| self.parser.define(text));
        }
        match line.word() {
            SYMBOL => {
                let term = line.terms(|text| self.parser.term(text))?;
                let is_symbol = matches!(self.parser.terms().node(term), Node::Symbol(_));
                is_symbol.then_some(()).ok_or_else(|| {
                    format!("After `{SYMBOL}` comes a name with its width. Write e.g. `{SYMBOL} param0:32`.")
                })
            }
            END => {
                self.end = Some(line.number("the number of events")?);
                Ok(())
            }
            kind => {
                let at = line.place()?;
                let event = self.event(kind, at, line)?;
                self.events.push(event);
                Ok(())
            }
        }
    }

    fn event(&mut self, kind: &str, at: u32, mut line: Line<'_>) -> Result<Event, String> {
        let kind = match kind {
            BRANCH => EventKind::Branch { direction: line.number("a direction")? },
            SELECT => EventKind::Select { direction: line.number("a direction")? },
            ANSWER => {
                let question =
                    meaning(line.word()).ok_or("There is no such question. Write e.g. `length`.")?;
                EventKind::World { question, direction: line.number("a direction")? }
            }
            ASSUMPTION => EventKind::Assumption { held: line.truth("whether it held")? },
            ASSERTION => EventKind::Assertion { held: line.truth("whether it held")? },
            TRAP => {
                let kind =
                    meaning(line.word()).ok_or("There is no such kind of trap. Write e.g. `unreachable`.")?;
                EventKind::Trap { kind, trapped: line.truth("whether it trapped")? }
            }
            CONCRETISED => {
                let reason = meaning(line.word()).ok_or("There is no such reason. Write e.g. `address`.")?;
                let value = line.number("a value")?;
                let [term, condition] = self.several(line)?;
                let width = self.parser.terms().width_of(term);
                if value > mask(width) {
                    return Err(format!(
                        "{value} has more bits than its term, {width}. Write a smaller value."
                    ));
                }
                return self.checked(Event {
                    at,
                    kind: EventKind::Concretised { term, value, reason },
                    condition,
                });
            }
            other => {
                return Err(format!(
                    "`{other}` is no kind of line. Write `{BRANCH}`, `{SELECT}`, `{ANSWER}`, `{ASSUMPTION}`, `{ASSERTION}`, `{TRAP}` or `{CONCRETISED}`."
                ));
            }
        };
        let [condition] = self.several(line)?;
        self.checked(Event { at, kind, condition })
    }

    /// The terms that the rest of a line consists of.
    fn several<const COUNT: usize>(&mut self, line: Line<'_>) -> Result<[Term; COUNT], String> {
        let terms = line.terms(|text| self.parser.several(text))?;
        terms.try_into().map_err(|terms: Vec<Term>| {
            let found = terms.len();
            format!("The line ends with {found} terms instead of {COUNT}. Write as many as it needs.")
        })
    }

    /// The event, if its condition is one.
    fn checked(&self, event: Event) -> Result<Event, String> {
        match self.parser.terms().width_of(event.condition) {
            1 => Ok(event),
            width => Err(format!("The condition has {width} bits instead of 1. Write e.g. `(eq x y)`.")),
        }
    }
}
