//! What becomes of values in operators. Few numbers are computed one by one, by what the operators mean; ranges roughly.

use super::numbers::Numbers;
use coax_execute::semantics::Scalar;
use coax_term::{Binary, Bits, Concrete, mask};

/// An operand: what it may be, and how wide it is.
pub(super) type Operand<'a> = (&'a Numbers, u8);

/// The result of an operator on numbers, so wide. Nothing if one of its operands is nothing yet.
pub(super) fn scalar(scalar: Scalar, operands: &[Operand<'_>], width: u8) -> Numbers {
    if operands.iter().any(|(numbers, _)| numbers.is_none()) {
        return Numbers::None;
    }
    match scalar {
        Scalar::IsZero | Scalar::Compare(_) | Scalar::CompareExchanged(_) | Scalar::CompareNot(_) => {
            compared(scalar, operands)
        }
        _ => one_by_one(scalar, operands).unwrap_or_else(|| roughly(scalar, operands, width)),
    }
}

/// What is loaded from so many bytes of memory, which hold one of these; anything, if nobody knows what they hold.
pub(super) fn loaded(held: Option<Numbers>, bytes: u8, width: u8, signed: bool) -> Numbers {
    let bits = 8 * bytes;
    let held = held.unwrap_or_else(|| Numbers::all(bits));
    match bits == width {
        true => held,
        false => scalar(Scalar::Extend { from: bits, to: width, signed }, &[(&held, bits)], width),
    }
}

/// All results, if operands are few.
fn one_by_one(scalar: Scalar, operands: &[Operand<'_>]) -> Option<Numbers> {
    let mut rows: Vec<Vec<Bits>> = vec![Vec::new()];
    for (numbers, width) in operands {
        let Numbers::Few(few) = *numbers else { return None };
        let with = |row: &Vec<Bits>, bits: u64| {
            let mut row = row.clone();
            row.push(Bits { width: *width, bits });
            row
        };
        rows = rows.iter().flat_map(|row| few.iter().map(move |&bits| with(row, bits))).collect();
    }
    let mut results = Vec::new();
    for row in rows {
        let traps = scalar.traps(&mut Concrete, &row).iter().any(|(condition, _)| condition.bits != 0);
        if !traps {
            results.push(scalar.result(&mut Concrete, &row).bits);
        }
    }
    Some(Numbers::from_few(results))
}

/// A range that has all results.
fn roughly(scalar: Scalar, operands: &[Operand<'_>], width: u8) -> Numbers {
    let all = Numbers::all(width);
    let extents: Option<Vec<(u64, u64)>> = operands.iter().map(|(numbers, _)| numbers.extent()).collect();
    let between = |low: Option<u64>, high: Option<u64>| match (low, high) {
        (Some(low), Some(high)) if high <= mask(width) => Numbers::between(low, high),
        _ => Numbers::all(width),
    };
    match (scalar, extents.as_deref()) {
        (Scalar::Binary(Binary::Add), Some(&[(a, b), (c, d)])) => between(a.checked_add(c), b.checked_add(d)),
        (Scalar::Binary(Binary::Sub), Some(&[(a, b), (c, d)])) => between(a.checked_sub(d), b.checked_sub(c)),
        (Scalar::Binary(Binary::Mul), Some(&[(a, b), (c, d)])) => between(a.checked_mul(c), b.checked_mul(d)),
        (Scalar::Binary(Binary::And), Some(&[(_, b), (_, d)])) => between(Some(0), Some(b.min(d))),
        (Scalar::Binary(Binary::Or | Binary::Xor), Some(&[(_, b), (_, d)])) => {
            between(Some(0), Some(bits_below(b | d)))
        }
        (Scalar::Divide { op: Binary::URem, .. }, Some(&[(_, b), (_, d)])) if d > 0 => {
            between(Some(0), Some(b.min(d - 1)))
        }
        (Scalar::Divide { op: Binary::UDiv, .. }, Some(&[(a, b), (c, d)])) => {
            between(a.checked_div(d), b.checked_div(c.max(1)))
        }
        (Scalar::Shift(Binary::LShr), Some(&[(a, b), (c, d)])) if c == d => {
            let count = c % u64::from(width);
            between(Some(a >> count), Some(b >> count))
        }
        (Scalar::Extend { from, signed: false, .. }, Some(&[(a, b)])) => match b <= mask(from) {
            true => between(Some(a), Some(b)),
            false => between(Some(0), Some(mask(from))),
        },
        // Numbers without their sign bit are extended as they are.
        (Scalar::Extend { from, signed: true, .. }, Some(&[(a, b)])) if b < 1 << (from - 1) => {
            between(Some(a), Some(b))
        }
        (Scalar::Wrap, Some(&[(a, b)])) if b <= mask(32) => between(Some(a), Some(b)),
        (Scalar::Reinterpret, _) => operands[0].0.clone(),
        _ => all,
    }
}

/// All bits up to the highest of a number.
fn bits_below(number: u64) -> u64 {
    if number == 0 { 0 } else { u64::MAX >> number.leading_zeros() }
}

/// Whether a comparison holds: 0, 1 or both.
fn compared(scalar: Scalar, operands: &[Operand<'_>]) -> Numbers {
    let both = || Numbers::Few(vec![0, 1]);
    if let Some(results) = one_by_one(scalar, operands) {
        return results;
    }
    let zero = Numbers::one(0);
    let zero = (&zero, 32);
    let (one, other) = match operands {
        [one] => (one, &zero),
        [one, other] => (one, other),
        _ => return both(),
    };
    let (Some((a, b)), Some((c, d))) = (one.0.extent(), other.0.extent()) else { return Numbers::None };
    let is_positive = |high: u64, width: u8| high < 1 << (width - 1);
    // What is true of all of them, if anything is.
    let holds = |op: Binary, (a, b): (u64, u64), (c, d): (u64, u64)| match op {
        Binary::Eq if b < c || d < a => Some(false),
        Binary::Ult | Binary::Slt if b < c => Some(true),
        Binary::Ult | Binary::Slt if a >= d => Some(false),
        Binary::Ule | Binary::Sle if b <= c => Some(true),
        Binary::Ule | Binary::Sle if a > d => Some(false),
        _ => None,
    };
    let is_signed = |op: Binary| matches!(op, Binary::Slt | Binary::Sle);
    let can_tell = |op: Binary| {
        matches!(op, Binary::Eq | Binary::Ult | Binary::Ule)
            || is_signed(op) && is_positive(b, one.1) && is_positive(d, other.1)
    };
    let answer = match scalar {
        Scalar::IsZero => holds(Binary::Eq, (a, b), (0, 0)),
        Scalar::Compare(op) if can_tell(op) => holds(op, (a, b), (c, d)),
        Scalar::CompareExchanged(op) if can_tell(op) => holds(op, (c, d), (a, b)),
        Scalar::CompareNot(op) if can_tell(op) => holds(op, (a, b), (c, d)).map(|holds| !holds),
        _ => None,
    };
    answer.map_or_else(both, |answer| Numbers::one(u64::from(answer)))
}
