//! S-expressions: the syntax of SMT-LIB 2.6, of scripts and of solvers' answers.
//!
//! A text becomes a flat list of items; a list is followed by its elements and knows where they end. So nothing recurses, and a
//! text that nests a hundred thousand deep is read, walked and dropped like any other.

use std::fmt;

/// A place in a text: lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    fn of(text: &str, offset: usize) -> Position {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Position { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }
}

/// What is wrong with a script, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Where.
    pub position: Position,
    /// What, and what to do about it.
    pub message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.position.line, self.position.column, self.message)
    }
}

impl std::error::Error for ScriptError {}

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    List,
    Symbol,
    Numeral,
    Decimal,
    Hexadecimal,
    Binary,
    String,
    Keyword,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    kind: Kind,
    start: usize,
    end: usize,
    /// The position of the item that comes after this one and all its elements.
    after: usize,
}

/// All expressions of a text.
#[derive(Debug)]
pub(crate) struct Syntax<'a> {
    text: &'a str,
    items: Vec<Item>,
}

/// An expression of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expr<'a> {
    syntax: &'a Syntax<'a>,
    at: usize,
}

impl<'a> Syntax<'a> {
    /// Reads a text to its end.
    pub(crate) fn read(text: &'a str) -> Result<Syntax<'a>, ScriptError> {
        let mut syntax = Syntax { text, items: Vec::new() };
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some(&first) = text.as_bytes().get(at) {
            let start = at;
            match first {
                b' ' | b'\t' | b'\r' | b'\n' => at += 1,
                b';' => at += text[at..].find('\n').unwrap_or(text.len() - at),
                b'(' => {
                    open.push(syntax.items.len());
                    syntax.push(Kind::List, start, start + 1);
                    at += 1;
                }
                b')' => {
                    let Some(list) = open.pop() else {
                        return Err(
                            syntax.fault(start, "This `)` closes nothing. Remove it, or add the `(`.")
                        );
                    };
                    syntax.items[list].after = syntax.items.len();
                    syntax.items[list].end = start + 1;
                    at += 1;
                }
                _ => {
                    let (kind, end) = syntax.atom(start)?;
                    syntax.push(kind, start, end);
                    at = end;
                }
            }
        }
        match open.last() {
            Some(&list) => {
                let start = syntax.items[list].start;
                Err(syntax.fault(start, "This `(` is never closed. Is the end of the text missing?"))
            }
            None => Ok(syntax),
        }
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let after = self.items.len() + 1;
        self.items.push(Item { kind, start, end, after });
    }

    fn fault(&self, offset: usize, message: &str) -> ScriptError {
        ScriptError { position: Position::of(self.text, offset), message: message.to_owned() }
    }

    /// The kind and the end of what starts here and is no list.
    fn atom(&self, start: usize) -> Result<(Kind, usize), ScriptError> {
        let rest = &self.text[start..];
        match rest.as_bytes()[0] {
            b'"' => {
                let mut end = 1;
                loop {
                    let Some(quote) = rest[end..].find('"') else {
                        return Err(self.fault(start, "This string never ends. Add the `\"`."));
                    };
                    end += quote + 1;
                    // Two quotes are one quote of the string.
                    if !rest[end..].starts_with('"') {
                        return Ok((Kind::String, start + end));
                    }
                    end += 1;
                }
            }
            b'|' => match rest[1..].find('|') {
                Some(length) => Ok((Kind::Symbol, start + length + 2)),
                None => Err(self.fault(start, "This name never ends. Add the `|`.")),
            },
            first => {
                let is_end = |c: char| c.is_ascii_whitespace() || "();\"|".contains(c);
                let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
                let kind = match first {
                    b':' => Some(Kind::Keyword),
                    b'#' => based_number(word),
                    b'0'..=b'9' => plain_number(word),
                    _ => word.chars().all(is_symbol_character).then_some(Kind::Symbol),
                };
                match kind {
                    Some(kind) => Ok((kind, start + word.len())),
                    None => Err(self.fault(
                        start,
                        &format!("`{}` is no number and no name. Names with such characters are written in bars, `|like this|`.", shortened(word)),
                    )),
                }
            }
        }
    }

    /// The outermost expressions, in order.
    pub(crate) fn expressions(&'a self) -> impl Iterator<Item = Expr<'a>> {
        elements(self, 0, self.items.len())
    }
}

fn is_symbol_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

fn based_number(word: &str) -> Option<Kind> {
    let digits = word.get(2..).filter(|digits| !digits.is_empty())?;
    match word.as_bytes()[1] {
        b'x' => digits.bytes().all(|c| c.is_ascii_hexdigit()).then_some(Kind::Hexadecimal),
        b'b' => digits.bytes().all(|c| c == b'0' || c == b'1').then_some(Kind::Binary),
        _ => None,
    }
}

fn plain_number(word: &str) -> Option<Kind> {
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit());
    match word.split_once('.') {
        Some((whole, fraction)) => (is_digits(whole) && is_digits(fraction)).then_some(Kind::Decimal),
        None => is_digits(word).then_some(Kind::Numeral),
    }
}

/// A text, or its beginning if it is long: for messages.
pub(crate) fn shortened(text: &str) -> String {
    shortened_to(60, text)
}

/// The same, of so many characters.
pub(crate) fn shortened_to(longest: usize, text: &str) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn elements<'a>(syntax: &'a Syntax<'a>, from: usize, to: usize) -> impl Iterator<Item = Expr<'a>> {
    let mut at = from;
    std::iter::from_fn(move || {
        let here = (at < to).then_some(at)?;
        at = syntax.items[here].after;
        Some(Expr { syntax, at: here })
    })
}

impl<'a> Expr<'a> {
    fn item(self) -> Item {
        self.syntax.items[self.at]
    }

    pub(crate) fn kind(self) -> Kind {
        self.item().kind
    }

    /// As it was written.
    pub(crate) fn text(self) -> &'a str {
        let item = self.item();
        &self.syntax.text[item.start..item.end]
    }

    /// The elements of a list; nothing for others.
    pub(crate) fn elements(self) -> impl Iterator<Item = Expr<'a>> {
        elements(self.syntax, self.at + 1, self.item().after)
    }

    pub(crate) fn is_list(self) -> bool {
        self.kind() == Kind::List
    }

    /// The elements of a list with exactly so many.
    pub(crate) fn exactly<const N: usize>(self) -> Option<[Expr<'a>; N]> {
        let list: Vec<Expr<'a>> = self.elements().take(N + 1).collect();
        list.try_into().ok().filter(|_| self.is_list())
    }

    /// The name that a symbol stands for: bars do not belong to it.
    pub(crate) fn symbol(self) -> Option<&'a str> {
        let text = self.text();
        let inner = text.strip_prefix('|').and_then(|rest| rest.strip_suffix('|')).unwrap_or(text);
        (self.kind() == Kind::Symbol).then_some(inner)
    }

    /// A numeral as a number, if it is no greater than this type can say.
    pub(crate) fn numeral(self) -> Option<u64> {
        if self.kind() == Kind::Numeral { self.text().parse().ok() } else { None }
    }

    pub(crate) fn position(self) -> Position {
        Position::of(self.syntax.text, self.item().start)
    }

    /// An error about this expression.
    pub(crate) fn error(self, message: impl Into<String>) -> ScriptError {
        ScriptError { position: self.position(), message: message.into() }
    }
}
