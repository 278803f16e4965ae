//! What becomes of values in operators. Few numbers are computed one by one, by what the operators mean; ranges roughly.

use super::known::{Known, Numbers, Places};
use super::world::World;
use coax_execute::semantics::Scalar;
use coax_term::{Binary, Bits, Concrete, mask};

/// An operand: what it may be, and how wide it is.
pub(super) type Operand<'a> = (&'a Known, u8);

/// The result of an operator on numbers, so wide. Nothing if one of its operands is nothing yet.
pub(super) fn scalar(world: &World<'_>, scalar: Scalar, operands: &[Operand<'_>], width: u8) -> Known {
    if operands.iter().any(|(known, _)| known.is_nothing()) {
        return Known::default();
    }
    // Bytes of addresses are computed with as numbers, unless they are merely made wider.
    let is_moved = matches!(scalar, Scalar::Wrap | Scalar::Extend { .. } | Scalar::Reinterpret);
    if !is_moved && operands.iter().any(|(known, _)| known.places.have_parts()) {
        let whole = |(known, _): &Operand<'_>| Known { places: known.places.whole(), ..(*known).clone() };
        let whole: Vec<Known> = operands.iter().map(whole).collect();
        let operands: Vec<Operand<'_>> =
            whole.iter().zip(operands).map(|(known, (_, width))| (known, *width)).collect();
        return self::scalar(world, scalar, &operands, width);
    }
    match scalar {
        Scalar::IsZero | Scalar::Compare(_) | Scalar::CompareExchanged(_) | Scalar::CompareNot(_) => {
            let hulls: Vec<(Numbers, u8)> =
                operands.iter().map(|(known, width)| (world.hull(known, *width), *width)).collect();
            Known::numbers(compared(scalar, &hulls))
        }
        Scalar::Binary(Binary::Add) => add(scalar, operands, width),
        Scalar::Binary(Binary::Sub) => sub(scalar, operands, width),
        Scalar::Binary(Binary::And) => and(world, scalar, operands, width),
        // The difference of pointers, times or divided by something, is no pointer.
        Scalar::Binary(Binary::Mul) | Scalar::Divide { .. } => {
            Known::numbers(numbers_or_all(scalar, operands, width))
        }
        Scalar::Unary(_) => Known::numbers(numbers_or_all(scalar, operands, width)),
        Scalar::Wrap | Scalar::Extend { from: 32, signed: false, .. } | Scalar::Reinterpret => {
            Known { numbers: numbers(scalar, operands, width), places: operands[0].0.places.clone() }
        }
        Scalar::Extend { from: 8 | 16, .. } => {
            Known { numbers: numbers_or_all(scalar, operands, width), places: operands[0].0.places.parts() }
        }
        _ => {
            let mut places = Places::default();
            operands.iter().for_each(|(known, _)| {
                places.add(&known.places.smeared());
            });
            Known { numbers: numbers_or_all(scalar, operands, width), places }
        }
    }
}

fn add(scalar: Scalar, operands: &[Operand<'_>], width: u8) -> Known {
    let [(one, _), (other, _)] = operands else { return Known::any(width) };
    let mut places = one.places.shifted(&other.numbers);
    places.add(&other.places.shifted(&one.numbers));
    let mut numbers = numbers(scalar, operands, width);
    // Which of them is the distance nobody knows.
    if !one.places.is_empty() && !other.places.is_empty() {
        places.add(&one.places.smeared());
        places.add(&other.places.smeared());
        numbers = Numbers::all(width);
    }
    Known { numbers, places }
}

/// The difference of two addresses in the same variable is a number.
fn sub(scalar: Scalar, operands: &[Operand<'_>], width: u8) -> Known {
    let [(one, _), (other, _)] = operands else { return Known::any(width) };
    if !other.places.is_empty() {
        let mut places = one.places.without(&other.places);
        if !other.numbers.is_none() {
            places.add(&one.places.smeared());
        }
        return Known { numbers: Numbers::all(width), places };
    }
    let back = match &other.numbers {
        Numbers::Few(few) => {
            Numbers::from_few(few.iter().map(|number| number.wrapping_neg() & mask(width)).collect())
        }
        other => other.clone(),
    };
    Known { numbers: numbers(scalar, operands, width), places: one.places.shifted(&back) }
}

/// A few low bits of an address are no address.
fn and(world: &World<'_>, scalar: Scalar, operands: &[Operand<'_>], width: u8) -> Known {
    let mut places = Places::default();
    let is_low = |(known, _): &Operand<'_>| {
        known.places.is_empty()
            && known.numbers.extent().is_some_and(|(_, high)| high < world.lowest_address())
    };
    if !operands.iter().any(is_low) {
        operands.iter().for_each(|(known, _)| {
            places.add(&known.places.smeared());
        });
    }
    Known { numbers: numbers_or_all(scalar, operands, width), places }
}

/// The numbers; all where addresses are computed with.
fn numbers_or_all(scalar: Scalar, operands: &[Operand<'_>], width: u8) -> Numbers {
    if operands.iter().all(|(known, _)| known.places.is_empty()) {
        return numbers(scalar, operands, width);
    }
    let plain = |(known, of): &Operand<'_>| match known.places.is_empty() {
        true => (known.numbers.clone(), *of),
        false => (Numbers::all(*of), *of),
    };
    let operands: Vec<(Numbers, u8)> = operands.iter().map(plain).collect();
    computed(scalar, &operands, width)
}

/// What the plain numbers among operands give.
fn numbers(scalar: Scalar, operands: &[Operand<'_>], width: u8) -> Numbers {
    let operands: Vec<(Numbers, u8)> =
        operands.iter().map(|(known, width)| (known.numbers.clone(), *width)).collect();
    computed(scalar, &operands, width)
}

fn computed(scalar: Scalar, operands: &[(Numbers, u8)], width: u8) -> Numbers {
    if operands.iter().any(|(numbers, _)| numbers.is_none()) {
        return Numbers::None;
    }
    one_by_one(scalar, operands).unwrap_or_else(|| roughly(scalar, operands, width))
}

/// All results, if operands are few.
fn one_by_one(scalar: Scalar, operands: &[(Numbers, u8)]) -> Option<Numbers> {
    let mut rows: Vec<Vec<Bits>> = vec![Vec::new()];
    for (numbers, width) in operands {
        let Numbers::Few(few) = numbers else { return None };
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
fn roughly(scalar: Scalar, operands: &[(Numbers, u8)], width: u8) -> Numbers {
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
fn compared(scalar: Scalar, hulls: &[(Numbers, u8)]) -> Numbers {
    let both = || Numbers::Few(vec![0, 1]);
    if let Some(results) = one_by_one(scalar, hulls) {
        return results;
    }
    let zero = (Numbers::one(0), 32);
    let (one, other) = match hulls {
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

/// What bytes of memory are as a number of a width.
pub(super) fn loaded(known: &Known, bytes: u8, width: u8, signed: bool) -> Known {
    let bits = 8 * bytes;
    if bits == width || known.is_nothing() {
        return known.clone();
    }
    let raw = (known.numbers.clone(), bits);
    let extend = Scalar::Extend { from: bits, to: width, signed };
    Known { numbers: computed(extend, &[raw], width), places: known.places.clone() }
}

/// What a number of a width is as bytes of memory.
pub(super) fn stored(known: &Known, bytes: u8, width: u8) -> Known {
    let bits = 8 * bytes;
    if bits == width || known.is_nothing() {
        return known.clone();
    }
    let numbers = match &known.numbers {
        Numbers::None => Numbers::None,
        Numbers::Few(few) => Numbers::from_few(few.iter().map(|number| number & mask(bits)).collect()),
        Numbers::Between(low, high) if *high <= mask(bits) => Numbers::Between(*low, *high),
        Numbers::Between(..) => Numbers::all(bits),
    };
    let numbers = if known.places.is_empty() { numbers } else { Numbers::all(bits) };
    let places = if bytes < 4 { known.places.parts() } else { known.places.smeared() };
    Known { numbers, places }
}
