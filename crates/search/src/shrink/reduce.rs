//! Makes the input of a failing run small and plain: delta debugging (Zeller and Hildebrandt 2002) over its bytes, then zeros where zeros do, and
//! numbers that are as near to 0 as they may be.
//!
//! Whoever judges inputs may stop at any time by finding nothing good any more; the best so far is what remains.

use crate::mutate::{Field, fields};
use coax_execute::{Data, Input, Number, Value};

/// How often all parts are gone through: what one loses may make another superfluous.
const ROUNDS: usize = 3;

/// The input with what can be taken from it. Who says that one is good returns it, with what it was given besides.
pub(super) fn reduce(input: &Input, is_good: impl FnMut(&Input) -> Option<Input>) -> Input {
    let mut reducer = Reducer { best: input.clone(), is_good };
    for _ in 0..ROUNDS {
        let before = reducer.best.clone();
        for part in 0..fields(&mut reducer.best, true).len() {
            reducer.reduce(part);
        }
        if reducer.best == before {
            break;
        }
    }
    reducer.best
}

struct Reducer<G> {
    best: Input,
    is_good: G,
}

impl<G: FnMut(&Input) -> Option<Input>> Reducer<G> {
    fn reduce(&mut self, part: usize) {
        match fields(&mut self.best, true).into_iter().nth(part) {
            Some(Field::Resizable(..)) => {
                self.pieces(part, |bytes, from, to| {
                    bytes.drain(from..to);
                    true
                });
                self.plain(part);
            }
            Some(Field::Bytes(_)) => self.plain(part),
            Some(Field::Number(&mut number)) => self.number(part, number),
            // What was asked for has become less.
            None => {}
        }
    }

    /// Tries an input with another part.
    fn tries(&mut self, part: usize, change: impl FnOnce(Field<'_>) -> bool) -> bool {
        let mut input = self.best.clone();
        let changed = fields(&mut input, true).into_iter().nth(part).is_some_and(change);
        let good = if changed { (self.is_good)(&input) } else { None };
        good.map(|good| self.best = good).is_some()
    }

    /// Changes pieces of bytes that become smaller and smaller, from the end: all, halves, quarters …
    fn pieces(&mut self, part: usize, change: impl Fn(&mut Vec<u8>, usize, usize) -> bool) {
        let mut size = self.bytes(part).map_or(0, |data| data.0.len());
        while size > 0 {
            let mut end = self.bytes(part).map_or(0, |data| data.0.len());
            while end > 0 {
                let begin = end.saturating_sub(size);
                self.tries(part, |field| match field {
                    Field::Resizable(data, _) | Field::Bytes(data) if end <= data.0.len() => {
                        change(&mut data.0, begin, end)
                    }
                    _ => false,
                });
                end = begin;
            }
            size /= 2;
        }
    }

    /// Zeros instead of bytes; where all can be read, digits.
    fn plain(&mut self, part: usize) {
        let Some(data) = self.bytes(part) else { return };
        let is_text = data.0.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
        let zero = if is_text { b'0' } else { 0 };
        self.pieces(part, |bytes, from, to| {
            let is_other = bytes[from..to].iter().any(|&byte| byte != zero);
            bytes[from..to].fill(zero);
            is_other
        });
    }

    /// A number nearer to 0.
    fn number(&mut self, part: usize, number: Number) {
        let set = |bits: u64| {
            move |field: Field<'_>| match field {
                Field::Number(number) => {
                    let other = number.kind().number(bits);
                    std::mem::replace(number, other) != other
                }
                _ => false,
            }
        };
        if self.tries(part, set(0)) {
            return;
        }
        let Some(value) = number.integer() else {
            // A whole number is plainer than others.
            let whole = match number {
                Number::Value(Value::F32(bits)) => {
                    let (near, away) = wholes(f32::from_bits(bits).into());
                    [near, away].map(|whole| u64::from((whole as f32).to_bits()))
                }
                Number::Value(Value::F64(bits)) => {
                    let (near, away) = wholes(f64::from_bits(bits));
                    [near, away].map(f64::to_bits)
                }
                _ => return,
            };
            let _ = self.tries(part, set(whole[0])) || self.tries(part, set(whole[1]));
            return;
        };
        // As if everything that is farther from 0 than a good one were good.
        let (mut low, mut high) = (0, value.unsigned_abs());
        while low + 1 < high {
            let middle = low.midpoint(high);
            let signed = if value < 0 { (middle as i128).wrapping_neg() } else { middle as i128 };
            match self.tries(part, set(signed as u64)) {
                true => high = middle,
                false => low = middle,
            }
        }
    }

    fn bytes(&mut self, part: usize) -> Option<&Data> {
        match fields(&mut self.best, true).into_iter().nth(part)? {
            Field::Resizable(data, _) | Field::Bytes(data) => Some(data),
            Field::Number(_) => None,
        }
    }
}

/// The whole numbers beside this one: that nearer to 0, and the other.
fn wholes(value: f64) -> (f64, f64) {
    let near = value.trunc();
    (near, near + if value == near { 0.0 } else { value.signum() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_execute::Argument;

    fn stdin(text: &str) -> Input {
        Input { stdin: text.into(), ..Input::default() }
    }

    #[test]
    fn what_does_not_matter_goes() {
        let long = "some text {with [brackets] in} it ".repeat(10);
        let good = |input: &Input| {
            let text = String::from_utf8_lossy(&input.stdin.0).into_owned();
            let open = text.find('[')?;
            text[open..].contains('}').then(|| input.clone())
        };
        assert_eq!(reduce(&stdin(&long), good), stdin("[}"));
    }

    #[test]
    fn what_must_be_there_becomes_plain() {
        let good = |input: &Input| (input.stdin.0.len() >= 3).then(|| input.clone());
        assert_eq!(reduce(&stdin("abcdef"), good), stdin("000"));
        let good = |input: &Input| (input.stdin.0.len() == 2).then(|| input.clone());
        let binary = Input { stdin: Data(vec![7, 200]), ..Input::default() };
        assert_eq!(reduce(&binary, good).stdin, Data(vec![0, 0]));
    }

    #[test]
    fn numbers_come_near_to_zero() {
        let least = |value: i32, is_good: fn(i32) -> bool| {
            let input = Input { params: Argument::list(&[Value::I32(value)]), ..Input::default() };
            let given = |input: &Input| match input.params[0].content {
                coax_execute::Content::Number(number) => number.bits() as i32,
                _ => 0,
            };
            given(&reduce(&input, |input| is_good(given(input)).then(|| input.clone())))
        };
        assert_eq!(least(123_456, |value| value > 1000), 1001);
        assert_eq!(least(-123_456, |value| value < -7), -8);
        assert_eq!(least(77, |value| value == 77), 77);
        assert_eq!(least(77, |_| true), 0);
        assert_eq!(least(i32::MIN, |value| value == i32::MIN), i32::MIN);
    }

    #[test]
    fn whoever_finds_nothing_good_keeps_all() {
        assert_eq!(reduce(&stdin("abc"), |_| None), stdin("abc"));
    }
}
