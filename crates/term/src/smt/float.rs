//! Floats in SMT-LIB. Bits become a float by `to_fp`. The other way there is nothing in the standard, so the bits of
//! a computed float are a new constant: the canonical NaN if the float is NaN, else the bits that make this float. Who only computes
//! with the float needs no bits, and makes none.

use super::number;
use super::write::{Float, Writer, Written};
use crate::{Binary, Term, Unary, fold};
use std::fmt::Write;

/// That a constant is the bits of a float; there is exactly one such value.
pub(super) fn has_bits(float: &Float, bits: &str) -> String {
    let Float { name, width } = float;
    let (nan, same) = (canonical_nan(*width), from_bits(*width, bits));
    format!("(ite (fp.isNaN {name}) (= {bits} {nan}) (= {same} {name}))")
}

fn canonical_nan(width: u8) -> String {
    number(width, if width == 32 { 0x7fc0_0000 } else { 0x7ff8_0000_0000_0000 })
}

/// Exponent and significand, as `to_fp` wants them.
fn format_of(width: u8) -> &'static str {
    if width == 32 { "8 24" } else { "11 53" }
}

fn sort_of(width: u8) -> String {
    format!("(_ FloatingPoint {})", format_of(width))
}

fn from_bits(width: u8, bits: &str) -> String {
    format!("((_ to_fp {}) {bits})", format_of(width))
}

/// A power of two, which every format can hold, or its negative.
fn power_of_two(width: u8, exponent: u8, is_negative: bool) -> String {
    let (fraction_bits, bias) = if width == 32 { (23, 127) } else { (52, 1023) };
    let sign = u64::from(is_negative) << (width - 1);
    from_bits(width, &number(width, sign | (u64::from(exponent) + bias) << fraction_bits))
}

impl Writer<'_> {
    /// A term's bits as a float.
    fn float(&mut self, term: Term) -> String {
        match self.session.written(term).and_then(|written| written.float.as_ref()) {
            Some(float) => float.name.clone(),
            None => from_bits(self.terms.width_of(term), &self.bits(term)),
        }
    }

    /// A float that is computed.
    fn computed(&mut self, width: u8, text: &str) -> Written {
        let name = self.define(&sort_of(width), text);
        Written { text: String::new(), is_bool: false, float: Some(Float { name, width }) }
    }

    /// The bits of a float that was computed, asked for the first time.
    pub(super) fn bits_of_computed(&mut self, term: Term) -> String {
        let bits = self.fresh();
        let _ = writeln!(self.out, "(declare-fun {bits} () (_ BitVec {}))", self.terms.width_of(term));
        if let Some(written) = &mut self.session.written[term.index()] {
            written.text.clone_from(&bits);
        }
        bits
    }

    pub(super) fn float_unary(&mut self, op: Unary, a: Term) -> Written {
        use Unary::*;
        let width = op.result_width(self.terms.width_of(a));
        let format = format_of(width);
        let text = match op {
            FSqrt => format!("(fp.sqrt RNE {})", self.float(a)),
            FCeil => format!("(fp.roundToIntegral RTP {})", self.float(a)),
            FFloor => format!("(fp.roundToIntegral RTN {})", self.float(a)),
            FTrunc => format!("(fp.roundToIntegral RTZ {})", self.float(a)),
            FNearest => format!("(fp.roundToIntegral RNE {})", self.float(a)),
            FPromote | FDemote => format!("((_ to_fp {format}) RNE {})", self.float(a)),
            SignedToF32 | SignedToF64 => format!("((_ to_fp {format}) RNE {})", self.bits(a)),
            UnsignedToF32 | UnsignedToF64 => format!("((_ to_fp_unsigned {format}) RNE {})", self.bits(a)),
            FToSigned32 | FToSigned64 => return Written::bits(self.integer_of(a, width, true)),
            FToUnsigned32 | FToUnsigned64 => return Written::bits(self.integer_of(a, width, false)),
            Not | Clz | Ctz | Popcnt => unreachable!("{op:?} is no float operator"),
        };
        self.computed(width, &text)
    }

    /// The conversion of SMT-LIB says nothing outside of the range: there the nearest integer is taken.
    fn integer_of(&mut self, a: Term, width: u8, is_signed: bool) -> String {
        let from = self.terms.width_of(a);
        let float = self.float(a);
        let float = self.define(&sort_of(from), &float);
        let zero = number(width, 0);
        let (bottom, least, top, greatest, convert) = if is_signed {
            let (bottom, top) = (power_of_two(from, width - 1, true), power_of_two(from, width - 1, false));
            (bottom, 1 << (width - 1), top, fold::mask(width) >> 1, "fp.to_sbv")
        } else {
            (
                from_bits(from, &number(from, 0)),
                0,
                power_of_two(from, width, false),
                fold::mask(width),
                "fp.to_ubv",
            )
        };
        let (least, greatest) = (number(width, least), number(width, greatest));
        format!(
            "(ite (fp.isNaN {float}) {zero} (ite (fp.leq {float} {bottom}) {least} (ite (fp.geq {float} {top}) {greatest} \
             ((_ {convert} {width}) RTZ {float}))))"
        )
    }

    pub(super) fn float_binary(&mut self, op: Binary, a: Term, b: Term) -> Written {
        use Binary::*;
        let width = self.terms.width_of(a);
        let (x, y) = (self.float(a), self.float(b));
        let operator = match op {
            FAdd => "fp.add",
            FSub => "fp.sub",
            FMul => "fp.mul",
            FDiv => "fp.div",
            FEq => return Written::condition(format!("(fp.eq {x} {y})")),
            FLt => return Written::condition(format!("(fp.lt {x} {y})")),
            FLe => return Written::condition(format!("(fp.leq {x} {y})")),
            _ => return Written::bits(self.extremum(op, a, b)),
        };
        self.computed(width, &format!("({operator} RNE {x} {y})"))
    }

    /// Equal floats have equal bits save the zeros: there the sign bits decide.
    fn extremum(&mut self, op: Binary, a: Term, b: Term) -> String {
        let width = self.terms.width_of(a);
        let (x, y) = (self.float(a), self.float(b));
        let (x, y) = (self.define(&sort_of(width), &x), self.define(&sort_of(width), &y));
        let (a, b) = (self.bits(a), self.bits(b));
        let (zeros, order) = if op == Binary::FMin { ("bvor", "fp.lt") } else { ("bvand", "fp.gt") };
        format!(
            "(ite (or (fp.isNaN {x}) (fp.isNaN {y})) {} (ite (fp.eq {x} {y}) ({zeros} {a} {b}) (ite ({order} {x} {y}) {a} {b})))",
            canonical_nan(width)
        )
    }
}
