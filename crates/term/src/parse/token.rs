//! The words of the text: parentheses and atoms.

use super::Fault;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Open,
    Close,
    Atom(Atom),
}

/// A name or a number, with `:width` or without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Atom {
    pub(super) name: String,
    is_quoted: bool,
    pub(super) width: Option<u8>,
}

impl Atom {
    /// The number, if it is one.
    pub(super) fn number(&self) -> Result<Option<u64>, String> {
        if self.is_quoted || !self.name.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(None);
        }
        let number = match self.name.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => self.name.parse(),
        };
        number.map(Some).map_err(|_| {
            format!("`{}` is not a number of at most 64 bits. Write e.g. `7:32` or `0xff:8`.", self.name)
        })
    }

    /// Whether it is a name of the kind that `let` gives.
    pub(super) fn is_let_name(&self) -> bool {
        !self.is_quoted && self.name.starts_with('$')
    }
}

/// The words of a text, one after the other.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    /// The next word and where it begins.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token)>, Fault> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        let at = self.at;
        let Some(first) = self.peek() else { return Ok(None) };
        let token = match first {
            '(' => {
                self.at += 1;
                Token::Open
            }
            ')' => {
                self.at += 1;
                Token::Close
            }
            _ => Token::Atom(self.atom()?),
        };
        Ok(Some((at, token)))
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn atom(&mut self) -> Result<Atom, Fault> {
        let start = self.at;
        let is_quoted = self.peek() == Some('"');
        let name = if is_quoted { self.quoted()? } else { self.plain(|c| c != ':').to_owned() };
        let width = if self.peek() == Some(':') {
            self.at += 1;
            let digits = self.plain(|_| true);
            let width = digits.parse().ok().filter(|width| (1..=64).contains(width));
            let fault = || (start, format!("`{digits}` is not a width. Widths are 1 to 64."));
            Some(width.ok_or_else(fault)?)
        } else {
            None
        };
        Ok(Atom { name, is_quoted, width })
    }

    fn plain(&mut self, also: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"') || !also(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn quoted(&mut self) -> Result<String, Fault> {
        let start = self.at;
        let mut name = String::new();
        let mut characters = self.text[start + 1..].char_indices();
        while let Some((offset, c)) = characters.next() {
            match c {
                '"' => {
                    self.at = start + 1 + offset + 1;
                    return Ok(name);
                }
                '\\' => name.extend(characters.next().map(|(_, c)| if c == 'n' { '\n' } else { c })),
                _ => name.push(c),
            }
        }
        Err((start, "A quoted name does not end. Add a `\"`.".into()))
    }
}
