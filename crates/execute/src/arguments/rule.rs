//! Rules: which values of a type a caller can make at all. Rust's strings are UTF-8, its characters are scalar values, its enums have one of
//! their tags. A run on other values would show failures that nobody can cause, so it does not count: a rule is an assumption that the
//! program makes before its first instruction.
//!
//! What a rule says of numbers is asked of Rust itself, what it says of symbols is computed here: tests compare the two.

use super::plan::PlannedSymbol;
use coax_term::{Algebra, Binary, Term, Terms};
use std::ops::RangeInclusive;

/// Which values something may have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Bytes are UTF-8.
    Utf8,
    /// A number, without its sign, is in one of these ranges.
    Among(Vec<RangeInclusive<u64>>),
}

impl Rule {
    /// The characters of Rust.
    pub fn character() -> Rule {
        Rule::Among(vec![0..=0xd7ff, 0xe000..=0x10_ffff])
    }
}

/// A rule for a part of an input.
#[derive(Clone, Debug)]
pub(crate) struct PlannedRule {
    /// What it is for.
    pub(super) name: String,
    pub(super) claim: Claim,
}

/// What must be true.
#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// These bytes are UTF-8: their names, if they are symbols, and the symbol that is their number, if one is.
    Utf8 { bytes: Vec<u8>, symbols: Vec<String>, length: Option<(String, u8)> },
    /// This number is in one of the ranges.
    Among { bits: u64, symbol: Option<PlannedSymbol>, ranges: Vec<RangeInclusive<u64>> },
}

impl PlannedRule {
    /// Why this input breaks it, if it does.
    pub(crate) fn broken(&self) -> Option<String> {
        let name = &self.name;
        match &self.claim {
            Claim::Utf8 { bytes, .. } => {
                std::str::from_utf8(bytes).is_err().then(|| format!("`{name}` is not UTF-8"))
            }
            Claim::Among { bits, ranges, .. } => {
                let is_allowed = ranges.iter().any(|range| range.contains(bits));
                (!is_allowed).then(|| format!("`{name}` cannot be {bits}: its type has no such value"))
            }
        }
    }

    /// Whether inputs keep it, as a term; none if nothing of it is a symbol.
    pub(crate) fn term(&self, terms: &mut Terms) -> Option<Term> {
        match &self.claim {
            Claim::Utf8 { bytes, symbols, length } => {
                let bytes: Vec<Term> = match symbols.is_empty() {
                    true => bytes.iter().map(|&byte| terms.constant(8, byte.into())).collect(),
                    false => symbols.iter().map(|name| terms.symbol(name, 8)).collect(),
                };
                let length = length.as_ref().map(|(name, width)| terms.symbol(name, *width));
                Some(utf8(terms, &bytes, length))
            }
            Claim::Among { symbol, ranges, .. } => {
                let symbol = symbol.as_ref()?;
                let number = terms.symbol(&symbol.name, symbol.width);
                Some(among(terms, number, ranges))
            }
        }
    }
}

/// Whether a number is in one of the ranges.
fn among(terms: &mut Terms, number: Term, ranges: &[RangeInclusive<u64>]) -> Term {
    let mut any = terms.constant(1, 0);
    for range in ranges {
        let inside = within(terms, number, range);
        any = terms.or(any, inside);
    }
    any
}

fn within(terms: &mut Terms, number: Term, range: &RangeInclusive<u64>) -> Term {
    if range.start() == range.end() {
        return terms.has_value(number, *range.start());
    }
    let above = terms.is_at_least(number, *range.start());
    let below = terms.is_at_most(number, *range.end());
    terms.and(above, below)
}

/// Whether so many of these bytes as the length says, or all, are UTF-8.
///
/// That can be seen byte by byte: one that a leading byte at most three places before it asks for is a continuation, any other is none, and the
/// last character is complete.
fn utf8(terms: &mut Terms, bytes: &[Term], length: Option<Term>) -> Term {
    let mut all = terms.constant(1, 1);
    for place in 0..=bytes.len() {
        let needed = is_needed(terms, bytes, place);
        let ends = length.map(|length| terms.has_value(length, place as u64));
        let complete = terms.not(needed);
        match ends {
            Some(ends) => {
                let goes_on = terms.not(ends);
                let either = terms.or(goes_on, complete);
                all = terms.and(all, either);
            }
            None if place == bytes.len() => all = terms.and(all, complete),
            None => {}
        }
        let Some(&byte) = bytes.get(place) else { break };
        let continues = is_continuation(terms, byte, place.checked_sub(1).map(|before| bytes[before]));
        let begins = among(terms, byte, &[0..=0x7f, 0xc2..=0xf4]);
        let mut fits = terms.ite(needed, continues, begins);
        if let Some(length) = length {
            let is_behind = terms.is_at_most(length, place as u64);
            fits = terms.or(is_behind, fits);
        }
        all = terms.and(all, fits);
    }
    all
}

/// Whether one of the bytes before this place begins a character that is not complete without a byte here.
fn is_needed(terms: &mut Terms, bytes: &[Term], place: usize) -> Term {
    let mut needed = terms.constant(1, 0);
    for (distance, least) in [(1, 0xc0), (2, 0xe0), (3, 0xf0)] {
        let Some(before) = place.checked_sub(distance) else { continue };
        let least = terms.constant(8, least);
        let asks = terms.binary(Binary::Ule, least, bytes[before]);
        needed = terms.or(needed, asks);
    }
    needed
}

/// Whether this byte can follow: four leading bytes exclude some, so that no character has two forms, is a surrogate or too large.
fn is_continuation(terms: &mut Terms, byte: Term, before: Option<Term>) -> Term {
    let mut fits = within(terms, byte, &(0x80..=0xbf));
    let Some(before) = before else { return fits };
    for (lead, allowed) in
        [(0xe0, 0xa0..=0xbf), (0xed, 0x80..=0x9f), (0xf0, 0x90..=0xbf), (0xf4, 0x80..=0x8f_u64)]
    {
        let lead = terms.constant(8, lead);
        let is_lead = terms.eq(before, lead);
        let is_other = terms.not(is_lead);
        let inside = within(terms, byte, &allowed);
        let either = terms.or(is_other, inside);
        fits = terms.and(fits, either);
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::Model;

    /// The bytes at which something about UTF-8 changes, and neighbours.
    const CORNERS: [u8; 24] = [
        0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
        0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff,
    ];

    /// Rust's own function is the judge: all strings of four such bytes, and of every length up to four.
    #[test]
    fn terms_say_what_rust_says_of_utf8() {
        let mut terms = Terms::new();
        let bytes: Vec<Term> = (0..4).map(|place| terms.symbol(&format!("s[{place}]"), 8)).collect();
        let length = terms.symbol("s.length", 32);
        let whole = utf8(&mut terms, &bytes, None);
        let cut = utf8(&mut terms, &bytes, Some(length));
        let symbol = |terms: &Terms, name: &str| terms.find_symbol(name).expect("it was made");
        for number in 0..CORNERS.len().pow(4) {
            let digit = |place: u32| CORNERS[number / CORNERS.len().pow(place) % CORNERS.len()];
            let text = [0, 1, 2, 3].map(digit);
            let mut model = Model::new();
            for (place, &byte) in text.iter().enumerate() {
                model.set(symbol(&terms, &format!("s[{place}]")), byte.into());
            }
            let count = number % 5;
            model.set(symbol(&terms, "s.length"), count as u64);
            let is_true = |term| terms.eval(term, &model) == 1;
            assert_eq!(is_true(whole), std::str::from_utf8(&text).is_ok(), "{text:x?}");
            assert_eq!(is_true(cut), std::str::from_utf8(&text[..count]).is_ok(), "{:x?}", &text[..count]);
        }
    }

    /// A length of few bits cannot say that all of a longer text counts.
    #[test]
    fn lengths_may_be_narrower_than_texts_are_long() {
        for width in 1..=3 {
            let mut terms = Terms::new();
            let bytes: Vec<Term> = (0..9).map(|place| terms.symbol(&format!("s[{place}]"), 8)).collect();
            let length = terms.symbol("s.length", width);
            let cut = utf8(&mut terms, &bytes, Some(length));
            let symbol = |name: &str| terms.find_symbol(name).expect("it was made");
            for (count, bad) in (0..1 << width).flat_map(|count| (0..9).map(move |bad| (count, bad))) {
                let mut model = Model::new();
                model.set(symbol("s.length"), count);
                model.set(symbol(&format!("s[{bad}]")), 0xff);
                assert_eq!(terms.eval(cut, &model) == 1, bad >= count, "{count} bytes, {bad} is wrong");
            }
        }
    }

    #[test]
    fn terms_say_what_rust_says_of_characters() {
        let mut terms = Terms::new();
        let number = terms.symbol("c", 32);
        let Rule::Among(ranges) = Rule::character() else { panic!("characters are numbers") };
        let rule = among(&mut terms, number, &ranges);
        let symbol = terms.find_symbol("c").expect("it was made");
        for bits in [0, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0x10_ffff, 0x11_0000, u32::MAX] {
            let mut model = Model::new();
            model.set(symbol, bits.into());
            assert_eq!(terms.eval(rule, &model) == 1, char::from_u32(bits).is_some(), "{bits:x}");
        }
    }
}
