//! Lengths that are negative: C's `int len` can be, and programs ask whether it is.
//!
//! What a pointer leads to has no negative size. So an input in which a length is negative counts nothing by it: there the length is a number that can
//! only be negative, by a rule, which says as well that a caller who gives no such number has nothing to fear from what fails then.

use super::{Argument, Content, NumberKind, Rule};
use crate::Input;
use std::ops::RangeInclusive;

/// The kinds of numbers that are a length and may be negative.
const SIGNED: [NumberKind; 4] = [NumberKind::I8, NumberKind::I16, NumberKind::I32, NumberKind::I64];

/// All negative numbers of a kind, without their sign; none if it has none.
fn negatives(kind: NumberKind) -> Option<RangeInclusive<u64>> {
    let width = kind.width().filter(|_| SIGNED.contains(&kind))?;
    Some(1 << (width - 1)..=u64::MAX >> (64 - width))
}

/// The kind of a length that may be negative.
fn signed_length(argument: &Argument) -> Option<NumberKind> {
    match argument.content {
        Content::LengthOf { kind: Some(kind), .. } if !argument.fixed && SIGNED.contains(&kind) => Some(kind),
        _ => None,
    }
}

/// Whether a parameter is a length that is negative.
fn is_negative(argument: &Argument) -> bool {
    match (&argument.content, &argument.rule) {
        (Content::Number(number), Some(Rule::Among(ranges))) => {
            negatives(number.kind()).is_some_and(|negatives| ranges[..] == [negatives])
        }
        _ => false,
    }
}

impl Input {
    /// The same with a negative length, one for each parameter that may be one.
    pub fn with_negative_lengths(&self) -> Vec<Input> {
        let kinds = self.params.iter().enumerate();
        let kinds = kinds.filter_map(|(place, argument)| Some((place, signed_length(argument)?)));
        let with = |(place, kind): (usize, NumberKind)| {
            let mut input = self.clone();
            let negative = Content::Number(kind.number(u64::MAX));
            let rule = negatives(kind).map(|negatives| Rule::Among(vec![negatives]));
            input.params[place] = Argument { content: negative, rule, ..self.params[place].clone() };
            input
        };
        kinds.map(with).collect()
    }

    /// Whether there are others of its kind in which other lengths are negative.
    pub fn may_have_negative_lengths(&self) -> bool {
        self.params.iter().any(|argument| is_negative(argument) || signed_length(argument).is_some())
    }

    /// The parameters that are negative lengths, by their places.
    pub fn negative_lengths(&self) -> Vec<usize> {
        (0..self.params.len()).filter(|&place| is_negative(&self.params[place])).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Number, Value};

    #[test]
    fn each_signed_length_is_negative_once() {
        let length = |kind| {
            let content =
                Content::LengthOf { name: "a".into(), element: 1, kind: Some(kind), also: Vec::new() };
            Argument::new(content).named("n")
        };
        let params = vec![length(NumberKind::I32), length(NumberKind::U32), length(NumberKind::I8).fixed()];
        let input = Input { params, ..Input::default() };
        let [negative] = &input.with_negative_lengths()[..] else { panic!("one of them may be negative") };
        assert_eq!(negative.params[0].content, Content::Number(Number::Value(Value::I32(-1))));
        assert_eq!(negative.params[0].rule, Some(Rule::Among(vec![0x8000_0000..=0xffff_ffff])));
        assert_eq!((input.negative_lengths(), negative.negative_lengths()), (vec![], vec![0]));
        assert!(input.may_have_negative_lengths() && negative.may_have_negative_lengths());
    }
}
