//! Makes the input of a failing run small and plain: delta debugging (Zeller and Hildebrandt 2002) over what the program asked for and over its bytes, then zeros
//! where zeros do, and numbers that are as near to 0 as they may be.
//!
//! A loop may ask for thousands of values. So all that stays as long as it is goes through the same halving: a try costs as much as the input is long, and there are
//! as many tries as whoever judges allows. That one may say at any time that it is enough; the best so far is what remains.

use crate::mutate::{Field, fields};
use coax_execute::{Data, Input, Number, Value};

/// How often all parts are gone through: what one loses may make another superfluous.
const ROUNDS: usize = 3;
/// So often answers are left out in a round, and so often parts are made plain together: of thousands, not each alone.
const MOST_TRIES: u32 = 64;

/// What became of an input that was tried.
pub(super) enum Judgement {
    /// It is as good, with what it was given besides.
    Good(Box<Input>),
    /// It is not.
    Bad,
    /// No more are tried.
    Enough,
}

impl From<Option<Input>> for Judgement {
    fn from(good: Option<Input>) -> Judgement {
        good.map_or(Judgement::Bad, |good| Judgement::Good(Box::new(good)))
    }
}

/// The input with what can be taken from it.
pub(super) fn reduce(input: &Input, judge: impl FnMut(&Input) -> Judgement) -> Input {
    let parts = parts(input);
    let mut reducer = Reducer { best: input.clone(), parts, judge, is_over: false };
    for _ in 0..ROUNDS {
        let before = reducer.best.clone();
        reducer.drop_values();
        reducer.flatten();
        for part in 0.. {
            match reducer.parts.get(part) {
                Some(&kind) if !reducer.is_over => reducer.reduce(part, kind),
                _ => break,
            }
        }
        if reducer.is_over || reducer.best == before {
            break;
        }
    }
    reducer.best
}

/// What is known of a part of the best input, so that nobody looks at all parts to find one.
#[derive(Clone, Copy)]
enum Part {
    Resizable,
    /// A number or bytes whose number stays; whether it is as plain as it can be.
    Fixed(Option<Number>, bool),
}

fn parts(input: &Input) -> Vec<Part> {
    let mut input = input.clone();
    let part = |field: Field<'_>| match field {
        Field::Resizable(..) => Part::Resizable,
        Field::Number(&mut number) => Part::Fixed(Some(number), number.bits() == 0),
        Field::Bytes(data) => Part::Fixed(None, is_flat(data)),
    };
    fields(&mut input, true).into_iter().map(part).collect()
}

/// What stands for nothing among these bytes: a digit where all can be read.
fn zero_of(data: &Data) -> u8 {
    let is_text = data.0.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace());
    if is_text { b'0' } else { 0 }
}

fn is_flat(data: &Data) -> bool {
    let zero = zero_of(data);
    data.0.iter().all(|&byte| byte == zero)
}

struct Reducer<J> {
    best: Input,
    /// The parts of the best.
    parts: Vec<Part>,
    judge: J,
    is_over: bool,
}

impl<J: FnMut(&Input) -> Judgement> Reducer<J> {
    /// Tries another input, which becomes the best if it is good, and if what came of it is wanted.
    fn tries(&mut self, input: &Input, is_wanted: impl Fn(&Input) -> bool) -> bool {
        if self.is_over {
            return false;
        }
        match (self.judge)(input) {
            Judgement::Good(good) if is_wanted(&good) => {
                self.parts = parts(&good);
                self.best = *good;
                true
            }
            Judgement::Good(_) | Judgement::Bad => false,
            Judgement::Enough => {
                self.is_over = true;
                false
            }
        }
    }

    /// Tries the best with another part.
    fn changes(&mut self, part: usize, change: impl FnOnce(Field<'_>) -> bool) -> bool {
        if self.is_over {
            return false;
        }
        let mut input = self.best.clone();
        let changed = fields(&mut input, true).into_iter().nth(part).is_some_and(change);
        changed && self.tries(&input, |_| true)
    }

    /// Leaves out answers, in pieces that become smaller and smaller: rounds of a loop that nothing depends on. What follows takes their place, so it is of use only
    /// if the program asks for less.
    fn drop_values(&mut self) {
        let (mut size, mut left) = (self.best.values.len(), MOST_TRIES);
        while size > 0 && !self.is_over {
            let mut end = self.best.values.len();
            while end > 0 && !self.is_over {
                let Some(less) = left.checked_sub(1) else { return };
                left = less;
                let begin = end.saturating_sub(size);
                let mut input = self.best.clone();
                input.values.drain(begin..end);
                let most = self.best.values.len();
                self.tries(&input, |good| good.values.len() < most);
                end = begin.min(self.best.values.len());
            }
            size /= 2;
        }
    }

    /// Zeros instead of numbers, and of bytes whose number stays, in pieces that become smaller and smaller.
    fn flatten(&mut self) {
        let (mut size, mut left) = (self.parts.len(), MOST_TRIES);
        while size > 0 && !self.is_over {
            let mut end = self.parts.len();
            while end > 0 && !self.is_over {
                let begin = end.saturating_sub(size);
                if self.parts[begin..end].iter().any(|part| matches!(part, Part::Fixed(_, false))) {
                    let Some(less) = left.checked_sub(1) else { return };
                    left = less;
                    let mut input = self.best.clone();
                    fields(&mut input, true)[begin..end].iter_mut().for_each(flatten);
                    self.tries(&input, |_| true);
                }
                end = begin.min(self.parts.len());
            }
            size /= 2;
        }
    }

    fn reduce(&mut self, part: usize, kind: Part) {
        match kind {
            Part::Resizable => {
                self.pieces(part, |bytes, from, to| {
                    bytes.drain(from..to);
                    true
                });
                self.plain(part);
            }
            Part::Fixed(_, true) => {}
            Part::Fixed(Some(number), false) => self.number(part, number),
            Part::Fixed(None, false) => self.plain(part),
        }
    }

    /// Changes pieces of bytes that become smaller and smaller, from the end: all, halves, quarters …
    fn pieces(&mut self, part: usize, change: impl Fn(&mut Vec<u8>, usize, usize) -> bool) {
        let mut size = self.bytes(part).map_or(0, |data| data.0.len());
        while size > 0 && !self.is_over {
            let mut end = self.bytes(part).map_or(0, |data| data.0.len());
            while end > 0 && !self.is_over {
                let begin = end.saturating_sub(size);
                self.changes(part, |field| match field {
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
        let Some(zero) = self.bytes(part).map(zero_of) else { return };
        self.pieces(part, |bytes, from, to| {
            let is_other = bytes[from..to].iter().any(|&byte| byte != zero);
            bytes[from..to].fill(zero);
            is_other
        });
    }

    /// A number nearer to 0, which does not do itself.
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
            let _ = self.changes(part, set(whole[0])) || self.changes(part, set(whole[1]));
            return;
        };
        // As if everything that is farther from 0 than a good one were good.
        let (mut low, mut high) = (0, value.unsigned_abs());
        while low + 1 < high && !self.is_over {
            let middle = low.midpoint(high);
            let signed = if value < 0 { (middle as i128).wrapping_neg() } else { middle as i128 };
            match self.changes(part, set(signed as u64)) {
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

/// Makes a part that stays as long as it is as plain as it can be.
fn flatten(field: &mut Field<'_>) {
    match field {
        Field::Number(number) => **number = number.kind().number(0),
        Field::Bytes(data) => {
            let zero = zero_of(data);
            data.0.fill(zero);
        }
        Field::Resizable(..) => {}
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
    use coax_execute::{Answer, Argument, NumberKind, Request};

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
        assert_eq!(reduce(&stdin(&long), |input| good(input).into()), stdin("[}"));
    }

    #[test]
    fn what_must_be_there_becomes_plain() {
        let good = |input: &Input| (input.stdin.0.len() >= 3).then(|| input.clone());
        assert_eq!(reduce(&stdin("abcdef"), |input| good(input).into()), stdin("000"));
        let good = |input: &Input| (input.stdin.0.len() == 2).then(|| input.clone());
        let binary = Input { stdin: Data(vec![7, 200]), ..Input::default() };
        assert_eq!(reduce(&binary, |input| good(input).into()).stdin, Data(vec![0, 0]));
    }

    #[test]
    fn numbers_come_near_to_zero() {
        let least = |value: i32, is_good: fn(i32) -> bool| {
            let input = Input { params: Argument::list(&[Value::I32(value)]), ..Input::default() };
            let given = |input: &Input| match input.params[0].content {
                coax_execute::Content::Number(number) => number.bits() as i32,
                _ => 0,
            };
            given(&reduce(&input, |input| is_good(given(input)).then(|| input.clone()).into()))
        };
        assert_eq!(least(123_456, |value| value > 1000), 1001);
        assert_eq!(least(-123_456, |value| value < -7), -8);
        assert_eq!(least(77, |value| value == 77), 77);
        assert_eq!(least(77, |_| true), 0);
        assert_eq!(least(i32::MIN, |value| value == i32::MIN), i32::MIN);
    }

    #[test]
    fn whoever_finds_nothing_good_keeps_all() {
        assert_eq!(reduce(&stdin("abc"), |_| Judgement::Bad), stdin("abc"));
    }

    /// An input with so many answers, each of them one of two.
    fn bits(bits: &[bool]) -> Input {
        let value = |bit: &bool| Answer::Number(NumberKind::Bool.number((*bit).into()));
        let values = bits.iter().map(|bit| Request { name: String::new(), value: value(bit) });
        Input { values: values.collect(), ..Input::default() }
    }

    /// How many of the answers are one.
    fn ones(input: &Input) -> usize {
        let is_one = |it: &&Request| matches!(it.value, Answer::Number(number) if number.bits() == 1);
        input.values.iter().filter(is_one).count()
    }

    #[test]
    fn rounds_that_do_not_matter_go() {
        let all: Vec<bool> = (0..4_000).map(|number| number % 8 == 5).collect();
        let mut tries = 0;
        let reduced = reduce(&bits(&all), |input| {
            tries += 1;
            (ones(input) >= 125).then(|| input.clone()).into()
        });
        // A quarter of the rounds has as many as are needed.
        assert!(reduced.values.len() <= 1_000 && ones(&reduced) >= 125, "{}", reduced.values.len());
        assert!(tries <= ROUNDS as u32 * 2 * MOST_TRIES, "{tries}");
    }

    #[test]
    fn thousands_of_answers_are_not_tried_one_by_one() {
        let mut tries = 0;
        let all = bits(&[true; 5_000]);
        let reduced = reduce(&all, |_| {
            tries += 1;
            Judgement::Bad
        });
        assert!(reduced == all && tries <= 2 * MOST_TRIES, "{tries}");
    }

    #[test]
    fn who_has_enough_is_asked_no_more() {
        let (all, mut tries) = (bits(&[true; 5_000]), 0);
        let reduced = reduce(&all, |_| {
            tries += 1;
            Judgement::Enough
        });
        assert!(reduced == all && tries == 1, "{tries}");
    }
}
