//! Conditions that compare a term with any number, whether it fits the term's width or not.
//!
//! Numbers from elsewhere (a length that is tried, the value of another run and a bit more, a sample of an earlier version) may have more bits
//! than the term that they are compared with. A constant cannot; the condition is then true or false for all values of the term. Who compares
//! with a number that was computed asks here, and makes no constant of it.

use crate::fold::mask;
use crate::{Algebra, Binary, Node, Term, Terms};

impl Terms {
    /// A constant, if the number fits the width.
    pub fn fitting(&mut self, width: u8, number: u64) -> Option<Term> {
        (number <= mask(width)).then(|| self.constant(width, number))
    }

    /// The condition that a term has this value: it never has one that does not fit.
    pub fn has_value(&mut self, term: Term, value: u64) -> Term {
        match self.fitting(self.width_of(term), value) {
            Some(value) => self.binary(Binary::Eq, term, value),
            None => self.falsity(),
        }
    }

    /// The condition that a term is less than a number, without a sign.
    pub fn is_below(&mut self, term: Term, number: u64) -> Term {
        match self.fitting(self.width_of(term), number) {
            Some(number) => self.binary(Binary::Ult, term, number),
            None => self.truth(),
        }
    }

    /// The condition that a term is a number or less, without a sign.
    pub fn is_at_most(&mut self, term: Term, number: u64) -> Term {
        match self.fitting(self.width_of(term), number) {
            Some(number) => self.binary(Binary::Ule, term, number),
            None => self.truth(),
        }
    }

    /// The condition that a term is more than a number, without a sign.
    pub fn is_above(&mut self, term: Term, number: u64) -> Term {
        match self.fitting(self.width_of(term), number) {
            Some(number) => self.binary(Binary::Ult, number, term),
            None => self.falsity(),
        }
    }

    /// The condition that a term is a number or more, without a sign.
    pub fn is_at_least(&mut self, term: Term, number: u64) -> Term {
        match self.fitting(self.width_of(term), number) {
            Some(number) => self.binary(Binary::Ule, number, term),
            None => self.falsity(),
        }
    }

    /// The same equation of a term with a value that it can have, after what is added to the term was taken to the other side: of an address, what remains
    /// says how far behind something it is, wherever that is.
    pub fn without_addend(&self, term: Term, value: u64) -> (Term, u64) {
        match self.node(term) {
            Node::Binary(Binary::Add, rest, addend) => match self.as_constant(addend) {
                Some(addend) => {
                    self.without_addend(rest, value.wrapping_sub(addend) & mask(self.width_of(rest)))
                }
                None => (term, value),
            },
            Node::ZeroExtend { term: inner, .. } => match self.without_addend(inner, value) {
                (rest, _) if rest == inner => (term, value),
                without => without,
            },
            _ => (term, value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Model, Node};

    type Compare = (fn(&mut Terms, Term, u64) -> Term, fn(&u64, &u64) -> bool);

    const ALL: [Compare; 5] = [
        (Terms::has_value, |x, number| x == number),
        (Terms::is_below, |x, number| x < number),
        (Terms::is_at_most, |x, number| x <= number),
        (Terms::is_above, |x, number| x > number),
        (Terms::is_at_least, |x, number| x >= number),
    ];

    /// What a comparison says of a value, by evaluation.
    fn says(compare: Compare, width: u8, x: u64, number: u64) -> bool {
        let mut terms = Terms::new();
        let term = terms.symbol("x", width);
        let Node::Symbol(symbol) = terms.node(term) else { panic!("it is a symbol") };
        let condition = compare.0(&mut terms, term, number);
        let mut model = Model::new();
        model.set(symbol, x);
        terms.eval(condition, &model) == 1
    }

    #[test]
    fn all_small_values_compare_with_all_numbers_around() {
        for (compare, width) in ALL.into_iter().flat_map(|it| (1..=5).map(move |width| (it, width))) {
            let values = 0..=mask(width);
            for (x, number) in values.flat_map(|x| (0..=2 * mask(width) + 2).map(move |number| (x, number))) {
                assert_eq!(
                    says(compare, width, x, number),
                    compare.1(&x, &number),
                    "{width} bits: {x} {number}"
                );
            }
        }
    }

    #[test]
    fn wide_values_compare_with_any_number() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut any = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for compare in ALL.into_iter().cycle().take(2_000) {
            let width = (any() % 64 + 1) as u8;
            let x = any() & mask(width);
            let number = match any() % 4 {
                0 => x,
                1 => x.saturating_add(any() % 300),
                2 => any() & mask(width),
                _ => any() >> (any() % 64),
            };
            assert_eq!(says(compare, width, x, number), compare.1(&x, &number), "{width} bits: {x} {number}");
        }
    }

    #[test]
    fn only_what_fits_is_a_constant() {
        let mut terms = Terms::new();
        assert!(terms.fitting(8, 255).is_some() && terms.fitting(8, 256).is_none());
        assert!(terms.fitting(64, u64::MAX).is_some() && terms.fitting(1, 2).is_none());
    }

    #[test]
    fn what_is_added_can_be_on_the_other_side() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", 32);
        let addend = terms.constant(32, 0x1000);
        let sum = terms.binary(Binary::Add, x, addend);
        let wide = terms.zero_extend(sum, 64);
        for (term, value, without) in [(sum, 0x1004, (x, 4)), (sum, 0xfff, (x, 0xffff_ffff)), (x, 7, (x, 7))]
        {
            assert_eq!(terms.without_addend(term, value), without);
            let (rest, other) = terms.without_addend(term, value);
            assert_eq!(terms.has_value(term, value), terms.has_value(rest, other));
        }
        assert_eq!(terms.without_addend(wide, 0x1004), (x, 4));
        let four = terms.constant(64, 4);
        let offset = terms.binary(Binary::Add, wide, four);
        assert_eq!(terms.without_addend(offset, 0x1008), (x, 4));
        let product = terms.binary(Binary::Mul, x, addend);
        let widened = terms.zero_extend(product, 64);
        assert_eq!(terms.without_addend(widened, 9), (widened, 9));
    }
}
