//! Constants as scripts write them and solvers answer them: `#x`, `#b`, `(_ bvN w)`, `(fp …)`, the special floats, `true`, `false`.

use super::syntax::{Expr, Kind};
use coax_term::mask;

/// A constant of up to 64 bits. A float is given as its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) width: u8,
    pub(crate) bits: u64,
    pub(crate) sort: LiteralSort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiteralSort {
    Bool,
    Bits,
    Float,
}

/// How wide a constant of bits is, however wide.
pub(crate) fn width_of(expr: Expr<'_>) -> Option<u64> {
    match expr.kind() {
        Kind::Hexadecimal => Some(4 * (expr.text().len() as u64 - 2)),
        Kind::Binary => Some(expr.text().len() as u64 - 2),
        Kind::List => {
            let [underscore, value, width] = expr.exactly()?;
            let digits = value.symbol()?.strip_prefix("bv")?;
            let is_number = underscore.symbol() == Some("_")
                && !digits.is_empty()
                && digits.bytes().all(|digit| digit.is_ascii_digit());
            width.numeral().filter(|_| is_number)
        }
        _ => None,
    }
}

/// The constant that an expression is; none if it is none, or not of 1 to 64 bits.
pub(crate) fn literal(expr: Expr<'_>) -> Option<Literal> {
    match expr.text() {
        "true" => return Some(Literal { width: 1, bits: 1, sort: LiteralSort::Bool }),
        "false" => return Some(Literal { width: 1, bits: 0, sort: LiteralSort::Bool }),
        _ => {}
    }
    number(expr).or_else(|| special_float(expr)).or_else(|| float_of_fields(expr))
}

/// A constant of bits.
fn number(expr: Expr<'_>) -> Option<Literal> {
    let width = u8::try_from(width_of(expr)?).ok().filter(|width| (1..=64).contains(width))?;
    let digits = || expr.text().get(2..);
    let bits = match expr.kind() {
        Kind::Hexadecimal => u64::from_str_radix(digits()?, 16).ok()?,
        Kind::Binary => u64::from_str_radix(digits()?, 2).ok()?,
        _ => expr.elements().nth(1)?.symbol()?.strip_prefix("bv")?.parse().ok()?,
    };
    (bits <= mask(width)).then_some(Literal { width, bits, sort: LiteralSort::Bits })
}

/// `(fp sign exponent fraction)`, all constants, of 32 or 64 bits in all.
fn float_of_fields(expr: Expr<'_>) -> Option<Literal> {
    let [head, sign, exponent, fraction] = expr.exactly()?;
    let (sign, exponent, fraction) = (number(sign)?, number(exponent)?, number(fraction)?);
    let width = match (sign.width, exponent.width, fraction.width) {
        (1, 8, 23) => 32,
        (1, 11, 52) => 64,
        _ => return None,
    };
    let bits = sign.bits << (width - 1) | exponent.bits << fraction.width | fraction.bits;
    let is_float = head.symbol() == Some("fp");
    is_float.then_some(Literal { width, bits: canonical(width, bits), sort: LiteralSort::Float })
}

/// `(_ +oo 8 24)` and the like.
fn special_float(expr: Expr<'_>) -> Option<Literal> {
    let [underscore, name, exponent, significand] = expr.exactly()?;
    underscore.symbol().filter(|&head| head == "_")?;
    let (width, infinity) = match (exponent.numeral()?, significand.numeral()?) {
        (8, 24) => (32, 0x7f80_0000),
        (11, 53) => (64, 0x7ff0_0000_0000_0000),
        _ => return None,
    };
    let sign = 1 << (width - 1);
    let bits = match name.symbol()? {
        "+oo" => infinity,
        "-oo" => infinity | sign,
        "+zero" => 0,
        "-zero" => sign,
        "NaN" => canonical_nan(width),
        _ => return None,
    };
    Some(Literal { width, bits, sort: LiteralSort::Float })
}

/// The one NaN that we compute with.
pub(crate) fn canonical_nan(width: u8) -> u64 {
    if width == 32 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 }
}

/// SMT-LIB has one NaN: whatever its bits, it is the canonical one.
fn canonical(width: u8, bits: u64) -> u64 {
    let is_nan =
        if width == 32 { f32::from_bits(bits as u32).is_nan() } else { f64::from_bits(bits).is_nan() };
    if is_nan { canonical_nan(width) } else { bits }
}
