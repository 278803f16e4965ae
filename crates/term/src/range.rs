//! Strided intervals: a cheap answer to "which values can this be?".

use crate::fold::mask;

/// The values `low`, `low + step`, … `high`, as unsigned numbers.
///
/// Invariant: `low <= high`, and `step` divides their difference; a single value has step 0. The default is the single 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The smallest.
    pub low: u64,
    /// The greatest.
    pub high: u64,
    /// From one to the next; 0 if there is only one.
    pub step: u64,
}

impl Range {
    /// One value.
    #[inline]
    pub fn single(value: u64) -> Range {
        Range { low: value, high: value, step: 0 }
    }

    /// All values of a width.
    #[inline]
    pub fn full(width: u8) -> Range {
        Range { low: 0, high: mask(width), step: 1 }
    }

    /// All values between two.
    #[inline]
    pub fn between(low: u64, high: u64) -> Range {
        Range { low, high, step: u64::from(low != high) }
    }

    /// The values from `low` on, at most `limit`, that differ from `low` by multiples of `step`.
    #[inline]
    pub(crate) fn stepping(low: u64, limit: u64, step: u64) -> Range {
        if step == 0 || limit - low < step {
            return Range::single(low);
        }
        let beyond = if step.is_power_of_two() { (limit - low) & (step - 1) } else { (limit - low) % step };
        Range { low, high: limit - beyond, step }
    }

    /// Every value of a width that is `residue` modulo `modulus`, a power of two (0 stands for 2^64).
    #[inline]
    pub(crate) fn congruent(residue: u64, modulus: u64, width: u8) -> Range {
        let residue = residue & modulus.wrapping_sub(1);
        if modulus == 0 || modulus > mask(width) {
            return Range::single(residue & mask(width));
        }
        Range::stepping(residue, mask(width), modulus)
    }

    /// The only value, if there is only one.
    #[inline]
    pub fn only(self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }

    /// How many values there are; none if 2^64.
    pub fn count(self) -> Option<u64> {
        match self.step {
            0 => Some(1),
            step => ((self.high - self.low) / step).checked_add(1),
        }
    }

    /// Whether the value is one of them.
    pub fn contains(self, value: u64) -> bool {
        if value < self.low || value > self.high {
            return false;
        }
        self.step == 0 || (value - self.low).is_multiple_of(self.step)
    }

    /// Whether the two certainly have no value in common.
    pub fn is_disjoint(self, other: Range) -> bool {
        if self.high < other.low || other.high < self.low {
            return true;
        }
        let step = gcd(self.step, other.step);
        step > 1 && !self.low.abs_diff(other.low).is_multiple_of(step)
    }

    /// The values, by size.
    pub fn values(self) -> impl Iterator<Item = u64> {
        let mut next = Some(self.low);
        std::iter::from_fn(move || {
            let value = next?;
            next = value.checked_add(self.step.max(1)).filter(|&after| after <= self.high);
            Some(value)
        })
    }

    /// The smallest range that has the values of both.
    pub(crate) fn join(self, other: Range) -> Range {
        let step = gcd(gcd(self.step, other.step), self.low.abs_diff(other.low));
        Range { low: self.low.min(other.low), high: self.high.max(other.high), step }
    }

    /// The greatest power of two by whose multiples the values differ; 0 (2^64) if there is only one value.
    pub(crate) fn modulus(self) -> u64 {
        self.step & self.step.wrapping_neg()
    }

    /// A mask of the lowest bits that are zero in every value.
    pub(crate) fn zeros_below(self) -> u64 {
        let ones = self.step | self.low;
        if ones == 0 { u64::MAX } else { (ones & ones.wrapping_neg()) - 1 }
    }

    /// A mask of all bits that some value may have.
    pub(crate) fn possible_bits(self) -> u64 {
        if self.step == 0 { self.low } else { up_to_highest_bit(self.high) & !self.zeros_below() }
    }
}

/// All bits up to the highest one of a number.
pub(crate) fn up_to_highest_bit(number: u64) -> u64 {
    if number == 0 { 0 } else { u64::MAX >> number.leading_zeros() }
}

/// The greatest common divisor; of a number and 0 the number.
#[inline]
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    match (a, b) {
        (0, other) | (other, 0) => other,
        (1, _) | (_, 1) => 1,
        _ => euclid(a, b),
    }
}

fn euclid(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
