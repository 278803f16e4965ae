//! Sorts, and values of them: what an expression of a script is in terms.

use super::problem::Problem;
use super::syntax::{Expr, shortened};
use coax_term::Term;
use std::collections::BTreeMap;
use std::fmt;

/// A sort whose values we can compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Bool,
    /// So many bits.
    Bits(u8),
    /// A float of 32 or 64 bits.
    Float(u8),
    /// From bits to bits.
    Array {
        index: u8,
        element: u8,
    },
    Rounding,
}

/// Exponent and significand of a float.
pub(super) fn format_of(width: u8) -> (u64, u64) {
    if width == 32 { (8, 24) } else { (11, 53) }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Float(width) => {
                let (exponent, significand) = format_of(width);
                write!(f, "(_ FloatingPoint {exponent} {significand})")
            }
            Sort::Array { index, element } => {
                write!(f, "(Array {} {})", Sort::Bits(index), Sort::Bits(element))
            }
            Sort::Rounding => f.write_str("RoundingMode"),
        }
    }
}

impl Sort {
    /// How many bits a value has, if it is a term.
    pub(super) fn width(self) -> Option<u8> {
        match self {
            Sort::Bool => Some(1),
            Sort::Bits(width) | Sort::Float(width) => Some(width),
            Sort::Array { .. } | Sort::Rounding => None,
        }
    }

    /// A term as a value of this sort.
    pub(super) fn value(self, term: Term) -> Value {
        match self {
            Sort::Bool => Value::Bool(term),
            Sort::Float(_) => Value::Float(term),
            _ => Value::Bits(term),
        }
    }
}

/// A way to round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    NearestEven,
    NearestAway,
    Up,
    Down,
    ToZero,
}

impl Rounding {
    pub(super) fn named(name: &str) -> Option<Rounding> {
        Some(match name {
            "RNE" | "roundNearestTiesToEven" => Rounding::NearestEven,
            "RNA" | "roundNearestTiesToAway" => Rounding::NearestAway,
            "RTP" | "roundTowardPositive" => Rounding::Up,
            "RTN" | "roundTowardNegative" => Rounding::Down,
            "RTZ" | "roundTowardZero" => Rounding::ToZero,
            _ => return None,
        })
    }
}

/// The number of an array; see `array.rs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Array(pub(super) usize);

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Bool(Term),
    Bits(Term),
    /// As bits. SMT-LIB has one NaN; here every NaN is it, and nobody can tell them apart.
    Float(Term),
    Array(Array),
    Rounding(Rounding),
}

/// Sorts that the script has names for.
pub(super) type Sorts = BTreeMap<String, Vec<Sort>>;

const KNOWN: &str = "Known are Bool, (_ BitVec n), Float32, Float64 and arrays of bit-vectors.";

/// The sort that an expression names.
pub(super) fn sort_of(expr: Expr<'_>, names: &Sorts) -> Result<Sort, Problem> {
    if let Some(name) = expr.symbol() {
        if let Some(&sort) = names.get(name).and_then(|sorts| sorts.last()) {
            return Ok(sort);
        }
        return match name {
            "Bool" => Ok(Sort::Bool),
            "Float32" => Ok(Sort::Float(32)),
            "Float64" => Ok(Sort::Float(64)),
            "RoundingMode" => Ok(Sort::Rounding),
            "Int" | "Real" | "String" | "RegLan" | "Float16" | "Float128" => {
                Err(expr.beyond(format!("The sort {name} is not supported. {KNOWN}")))
            }
            _ => Err(expr.wrong(format!("There is no sort `{}`. {KNOWN}", shortened(name)))),
        };
    }
    if let Some([underscore, head, first]) = expr.exactly()
        && underscore.symbol() == Some("_")
        && head.symbol() == Some("BitVec")
    {
        return match first.numeral() {
            Some(0) | None => Err(first.wrong("A bit-vector has at least one bit. Write `(_ BitVec 8)`.")),
            Some(width) => narrow(expr, width).map(Sort::Bits),
        };
    }
    if let Some([_, head, exponent, significand]) = expr.exactly()
        && head.symbol() == Some("FloatingPoint")
    {
        return float_format(expr, exponent, significand).map(Sort::Float);
    }
    if let Some([head, index, element]) = expr.exactly()
        && head.symbol() == Some("Array")
    {
        // An array in an array is named as such: no recursion, however deep they nest.
        let inner = |part: Expr<'_>| match part.elements().next().and_then(|head| head.symbol()) {
            Some("Array") => {
                Err(part.beyond("Arrays of arrays are not supported. Use one with longer indices."))
            }
            _ => match sort_of(part, names)? {
                Sort::Bits(width) => Ok(width),
                other => {
                    Err(part.beyond(format!("Arrays of {other} are not supported, only of bit-vectors.")))
                }
            },
        };
        return Ok(Sort::Array { index: inner(index)?, element: inner(element)? });
    }
    Err(expr.wrong(format!("`{}` is no sort. {KNOWN}", shortened(expr.text()))))
}

/// A width, if it is one of ours.
pub(super) fn narrow(expr: Expr<'_>, width: u64) -> Result<u8, Problem> {
    match u8::try_from(width) {
        Ok(width @ 1..=64) => Ok(width),
        _ => {
            Err(expr.beyond(format!("This has {width} bits; at most 64 are supported. Split it into parts.")))
        }
    }
}

/// The width of a float whose exponent and significand have so many bits.
pub(super) fn float_format(at: Expr<'_>, exponent: Expr<'_>, significand: Expr<'_>) -> Result<u8, Problem> {
    match (exponent.numeral(), significand.numeral()) {
        (Some(8), Some(24)) => Ok(32),
        (Some(11), Some(53)) => Ok(64),
        (Some(e), Some(s)) => {
            Err(at.beyond(format!("Floats with {e} and {s} bits are not supported, only 8 24 and 11 53.")))
        }
        _ => Err(at.wrong("A format of floats is two numbers, as in `8 24`.")),
    }
}
