//! Changes of text by whole words.
//!
//! What reads text usually reads it word by word, and does not look at the next before it likes the last: a change within a word makes another word that
//! nobody knows. Words come from the dictionary, from other inputs, and from tests: what led somewhere once may do so in another place.

use super::bytes::Mutator;
use std::ops::Range;

/// Of so many bytes of a text, one at most is no character of it.
const TEXT: usize = 4;
/// No more words are taken from another text at once.
const MOST_WORDS: usize = 8;
/// How long a word is at most that is learned.
const LONGEST: usize = 24;

/// Whether bytes look like text.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let others = bytes.iter().filter(|byte| !byte.is_ascii_graphic() && !byte.is_ascii_whitespace()).count();
    TEXT * others <= bytes.len()
}

/// Where words are: letters and digits that lie side by side, and each sign for itself. Blanks and what is no text are between them.
pub(super) fn words(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, &byte) in bytes.iter().enumerate() {
        let goes_on = is_letter(byte) && at > 0 && is_letter(bytes[at - 1]);
        match words.last_mut() {
            Some(word) if goes_on => word.end = at + 1,
            _ if byte.is_ascii_graphic() => words.push(at..at + 1),
            _ => {}
        }
    }
    words
}

/// What is worth learning of a text: its words, and signs that stand together.
pub(super) fn learnable(bytes: &[u8]) -> Vec<&[u8]> {
    let is_same_kind =
        |a: u8, b: u8| a.is_ascii_graphic() && b.is_ascii_graphic() && is_letter(a) == is_letter(b);
    let parts = bytes.chunk_by(|&a, &b| is_same_kind(a, b));
    parts.filter(|part| part[0].is_ascii_graphic() && part.len() <= LONGEST).collect()
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl Mutator<'_> {
    /// Changes a text by whole words. Others may be taken from another text.
    pub(super) fn change_words(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        let own = words(bytes);
        if own.is_empty() {
            let word = self.text_word(other);
            return self.put(bytes, 0..0, &word, other);
        }
        let any = own[self.random.below(own.len())].clone();
        let border = match self.random.below(3) {
            0 => any.start,
            1 => any.end,
            _ => bytes.len(),
        };
        match self.random.below(8) {
            0 => self.put(bytes, any, &[], other),
            1 | 2 => {
                let word = self.text_word(other);
                self.put(bytes, any, &word, other);
            }
            3..=5 => {
                let word = self.text_word(other);
                self.put(bytes, border..border, &word, other);
            }
            6 => {
                let part = self.words_of(other, MOST_WORDS).to_vec();
                self.put(bytes, border..border, &part, other);
            }
            _ => {
                let part = self.words_of(other, usize::MAX).to_vec();
                self.put(bytes, border..bytes.len(), &part, other);
            }
        }
    }

    /// Puts a word in the place of a part of a text, apart from words beside it.
    fn put(&mut self, bytes: &mut Vec<u8>, place: Range<usize>, word: &[u8], other: &[u8]) {
        let before = place.start.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(place.end).copied();
        let mut text = Vec::with_capacity(word.len() + 2);
        if self.is_apart(before, word.first().copied().or(after)) {
            text.push(self.separator(bytes, other));
        }
        text.extend_from_slice(word);
        if self.is_apart(word.last().copied(), after) {
            text.push(self.separator(bytes, other));
        }
        bytes.splice(place, text);
    }

    /// Whether something is put between two characters: always if they would be one word, by chance if they are signs.
    fn is_apart(&mut self, one: Option<u8>, other: Option<u8>) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return false };
        let is_word = is_letter(one) && is_letter(other);
        is_word || one.is_ascii_graphic() && other.is_ascii_graphic() && self.random.one_in(4)
    }

    /// What separates words: a blank, or what does so in these texts.
    fn separator(&mut self, bytes: &[u8], other: &[u8]) -> u8 {
        let text = if self.random.one_in(2) { bytes } else { other };
        let is_separator =
            |byte: u8| byte.is_ascii_whitespace() || byte.is_ascii_graphic() && !is_letter(byte);
        match text.len() {
            0 => b' ',
            length => {
                let byte = text[self.random.below(length)];
                if is_separator(byte) { byte } else { b' ' }
            }
        }
    }

    /// A word of tests, of the dictionary or of another text.
    fn text_word(&mut self, other: &[u8]) -> Vec<u8> {
        let known = match self.random.below(5) {
            0 | 1 => self.learned,
            2 | 3 => self.dictionary,
            _ => &[],
        };
        match known.len() {
            0 => self.words_of(other, 1).to_vec(),
            words => known[self.random.below(words)].clone(),
        }
    }

    /// Some words of a text that follow each other, at most so many.
    fn words_of<'t>(&mut self, text: &'t [u8], most: usize) -> &'t [u8] {
        let words = words(text);
        if words.is_empty() {
            return &[];
        }
        let first = self.random.below(words.len());
        let left = words.len() - first;
        let last = if most == usize::MAX { left - 1 } else { self.random.below(left.min(most)) };
        &text[words[first].start..words[first + last].end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_solve::Random;

    #[test]
    fn words_and_signs_are_told_apart() {
        let text = b"if (x_1:=20)\n";
        let found: Vec<&[u8]> = words(text).into_iter().map(|word| &text[word]).collect();
        assert_eq!(found, [&b"if"[..], b"(", b"x_1", b":", b"=", b"20", b")"]);
        assert_eq!(learnable(text), [&b"if"[..], b"(", b"x_1", b":=", b"20", b")"]);
        assert!(words(b" \0\xff").is_empty() && learnable(b" \0\xff").is_empty());
    }

    #[test]
    fn text_is_told_from_other_bytes() {
        assert!(
            is_text(b"") && is_text(b"a\tb\n") && is_text(b"abc\0") && !is_text(b"\x89PNG\r\n\x1a\n\0\0\0")
        );
    }

    /// Whatever is changed, no two words become one, and every word is one that was there.
    #[test]
    fn words_stay_whole() {
        let dictionary = [b"while".to_vec(), b"end".to_vec()];
        let learned = [b"begin".to_vec()];
        let known: Vec<&[u8]> = [&b"while"[..], b"end", b"begin", b"if", b"x", b"then", b"y"].to_vec();
        let mut mutator = Mutator::new(Random::new(1), &dictionary, &learned, (64, 64));
        let mut text = b"if x".to_vec();
        let mut longest = 0;
        for _ in 0..1000 {
            mutator.change_words(&mut text, b"then y; end");
            let found = words(&text).into_iter().map(|word| &text[word]);
            for word in found.filter(|word| is_letter(word[0])) {
                assert!(known.contains(&word), "{}", String::from_utf8_lossy(&text));
            }
            longest = longest.max(words(&text).len());
            if text.len() > 60 {
                text = b"if x".to_vec();
            }
        }
        assert!(longest > 8);
    }
}
