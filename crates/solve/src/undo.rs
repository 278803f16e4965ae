//! Integer operators undone: the value that one operand needs, where the other keeps its own, so that the result is as wanted.
//!
//! For those who hand a wish down to the input: `layers/invert.rs`, which tries one way after the other, and `walk/invert`, which chooses at random.

use coax_term::{Binary, fold, mask};

/// The value for one operand, the first or the second, which has the value `own` now. Bits above the width mean nothing. None where there is none, or
/// where there are many and no reason to take one of them.
pub(crate) fn operand(
    op: Binary,
    width: u8,
    wanted: u64,
    own: u64,
    other: u64,
    is_first: bool,
) -> Option<u64> {
    use Binary::*;
    Some(match (op, is_first) {
        (Add, _) => wanted.wrapping_sub(other),
        (Sub, true) => wanted.wrapping_add(other),
        (Sub, false) => other.wrapping_sub(wanted),
        (Xor, _) => wanted ^ other,
        // Bits that the other operand hides stay as they are.
        (And, _) => wanted | own & !other,
        (Or, _) => wanted & (!other | own),
        (URem | SRem, true) => own.wrapping_sub(fold::binary(op, width, own, other)).wrapping_add(wanted),
        (URem | SRem, false) => other.wrapping_sub(wanted),
        // What is shifted out stays as it is.
        (Shl, true) if other < u64::from(width) => wanted >> other | own & !(mask(width) >> other),
        (LShr | AShr, true) if other < u64::from(width) => wanted << other | own & !(u64::MAX << other),
        (Rotl, true) => fold::binary(Rotr, width, wanted, other),
        (Rotr, true) => fold::binary(Rotl, width, wanted, other),
        _ => return None,
    })
}

/// The inverse of an odd number modulo 2^64, by Newton's method: each round doubles the bits that are right, beginning with 3.
pub(crate) fn inverse(odd: u64) -> u64 {
    (0..5).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0xdead_beef, u64::MAX, 0x9e37_79b9_7f4a_7c15] {
            assert_eq!(inverse(odd).wrapping_mul(odd), 1);
        }
    }

    #[test]
    fn a_result_that_there_is_comes_out_again() {
        use Binary::*;
        let mut random = Random::new(3);
        for _ in 0..20_000 {
            let width = 1 + random.below(64) as u8;
            let op = random.one_of(&[Add, Sub, Xor, And, Or, URem, Shl, LShr, AShr, Rotl, Rotr]);
            let is_first = random.one_in(2);
            let [own, other, before] = [0; 3].map(|_| random.next() & mask(width));
            let compute = |own| {
                let (a, b) = if is_first { (own, other) } else { (other, own) };
                fold::binary(op, width, a, b)
            };
            let wanted = compute(before);
            let Some(value) = operand(op, width, wanted, own, other, is_first) else { continue };
            // A remainder may come out as another one if the sum wraps, or the divisor gets too small.
            let is_certain = op != URem;
            assert!(
                !is_certain || compute(value & mask(width)) == wanted,
                "{op:?} {width} {own} {other} {wanted}"
            );
        }
    }
}
