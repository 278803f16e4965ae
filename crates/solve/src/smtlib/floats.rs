//! The theory of floats, of 32 and 64 bits.
//!
//! Where SMT-LIB leaves a value open it can be any: a function of which nothing is known gives it. So no answer depends on what
//! we would have chosen. Rounding is to nearest, ties to even, where the result is not exact in any case.

use super::elaborate::Elaborator;
use super::literal::canonical_nan;
use super::problem::Problem;
use super::sort::{Rounding, Value, float_format, narrow};
use super::syntax::{Expr, Kind, shortened};
use coax_term::{Algebra, Binary, Term, Unary, mask};

impl Elaborator {
    /// The same float; a NaN is the canonical one.
    pub(super) fn canonical(&mut self, float: Term) -> Term {
        let width = self.terms.width_of(float);
        let nan = self.terms.constant(width, canonical_nan(width));
        let is_number = self.terms.binary(Binary::FEq, float, float);
        self.terms.ite(is_number, float, nan)
    }

    fn is_nan(&mut self, float: Term) -> Term {
        let is_number = self.terms.binary(Binary::FEq, float, float);
        self.terms.not(is_number)
    }

    pub(super) fn float_operator(
        &mut self,
        expr: Expr<'_>,
        name: &str,
        indices: &[Expr<'_>],
        arguments: &[Value],
    ) -> Result<Value, Problem> {
        use Value::{Bits, Float, Rounding as Mode};
        match (name, arguments) {
            ("fp", &[Bits(sign), Bits(exponent), Bits(fraction)]) if indices.is_empty() => {
                self.float_of_fields(expr, sign, exponent, fraction)
            }
            ("to_fp" | "to_fp_unsigned", _) => match indices {
                [exponent, significand] => {
                    let width = float_format(expr, *exponent, *significand)?;
                    self.converted_to_float(expr, name, width, arguments)
                }
                _ => Err(expr.wrong("A conversion names its format, as in `(_ to_fp 8 24)`.")),
            },
            ("fp.to_ubv" | "fp.to_sbv", &[Mode(mode), Float(a)]) => match indices {
                [width] if let Some(width) = width.numeral() => {
                    let width = narrow(expr, width)?;
                    self.converted_to_integer(expr, name, width, mode, a).map(Value::Bits)
                }
                _ => Err(expr.wrong("A conversion names its width, as in `(_ fp.to_sbv 32)`.")),
            },
            (_, &[Float(a)]) => {
                self.float_unary(name, a).ok_or_else(|| self.unknown_float_operator(expr, name, arguments))
            }
            ("fp.sqrt", &[Mode(mode), Float(a)]) => {
                nearest_even(expr, mode)?;
                Ok(Float(self.terms.unary(Unary::FSqrt, a)))
            }
            ("fp.roundToIntegral", &[Mode(mode), Float(a)]) => {
                let op = rounding_operator(expr, mode)?;
                Ok(Float(self.terms.unary(op, a)))
            }
            ("fp.add" | "fp.sub" | "fp.mul" | "fp.div", &[Mode(mode), Float(a), Float(b)])
                if self.terms.width_of(a) == self.terms.width_of(b) =>
            {
                nearest_even(expr, mode)?;
                let op = match name {
                    "fp.add" => Binary::FAdd,
                    "fp.sub" => Binary::FSub,
                    "fp.mul" => Binary::FMul,
                    _ => Binary::FDiv,
                };
                Ok(Float(self.terms.binary(op, a, b)))
            }
            ("fp.min" | "fp.max", &[Float(a), Float(b)])
                if self.terms.width_of(a) == self.terms.width_of(b) =>
            {
                Ok(Float(self.extremum(name, a, b)))
            }
            ("fp.eq" | "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq", [_, _, ..]) => {
                self.float_comparison(expr, name, arguments)
            }
            _ => Err(self.unknown_float_operator(expr, name, arguments)),
        }
    }

    fn unknown_float_operator(&self, expr: Expr<'_>, name: &str, arguments: &[Value]) -> Problem {
        const UNSUPPORTED: [&str; 4] = ["fp.rem", "fp.fma", "fp.to_real", "fp.to_ieee_bv"];
        const KNOWN: [&str; 25] = [
            "fp",
            "fp.abs",
            "fp.neg",
            "fp.isNaN",
            "fp.isZero",
            "fp.isNormal",
            "fp.isSubnormal",
            "fp.isNegative",
            "fp.isPositive",
            "fp.isInfinite",
            "fp.sqrt",
            "fp.roundToIntegral",
            "fp.add",
            "fp.sub",
            "fp.mul",
            "fp.div",
            "fp.min",
            "fp.max",
            "fp.eq",
            "fp.lt",
            "fp.leq",
            "fp.gt",
            "fp.geq",
            "fp.to_ubv",
            "fp.to_sbv",
        ];
        if UNSUPPORTED.contains(&name) {
            return expr.beyond(format!("`{name}` is not supported."));
        }
        if KNOWN.contains(&name) {
            return self.misused(expr, name, arguments);
        }
        expr.wrong(format!(
            "There is no function `{}`. Declare it, or see whether its name is right.",
            shortened(name)
        ))
    }

    fn float_of_fields(
        &mut self,
        expr: Expr<'_>,
        sign: Term,
        exponent: Term,
        fraction: Term,
    ) -> Result<Value, Problem> {
        let width = |term| self.terms.width_of(term);
        match (width(sign), width(exponent), width(fraction)) {
            (1, 8, 23) | (1, 11, 52) => {
                let low = self.terms.concat(exponent, fraction);
                Ok(Value::Float(self.terms.concat(sign, low)))
            }
            (1, e, f) if e > 1 => Err(expr.beyond(format!(
                "Floats with {e} and {} bits are not supported, only 8 24 and 11 53.",
                u16::from(f) + 1
            ))),
            _ => Err(expr.wrong("A float is written `(fp sign exponent fraction)`; the sign has one bit.")),
        }
    }

    /// `((_ to_fp …) mode 1.5)`: the argument is no term, so it is looked at before arguments are.
    pub(super) fn float_of_real(&mut self, head: Expr<'_>, expr: Expr<'_>) -> Result<Option<Value>, Problem> {
        let indices: Vec<Expr<'_>> = head.elements().take(5).collect();
        let [_, name, exponent, significand] = indices[..] else { return Ok(None) };
        let Some([_, mode, real]) = expr.exactly().filter(|_| name.symbol() == Some("to_fp")) else {
            return Ok(None);
        };
        let (real, is_negative) = match real.exactly() {
            Some([minus, inner]) if minus.symbol() == Some("-") => (inner, true),
            _ => (real, false),
        };
        if real.elements().next().and_then(|head| head.symbol()) == Some("/") {
            return Err(real.beyond("Fractions are not supported. Write a decimal number."));
        }
        if !matches!(real.kind(), Kind::Numeral | Kind::Decimal) {
            return Ok(None);
        }
        let width = float_format(expr, exponent, significand)?;
        match mode.symbol().and_then(Rounding::named) {
            Some(mode) => nearest_even(expr, mode)?,
            None => return Err(mode.beyond("This is no rounding mode that is supported here. Write `RNE`.")),
        }
        // Rust rounds to the nearest, ties to even.
        let bits = match width {
            32 => real.text().parse::<f32>().map(|number| u64::from(number.to_bits())),
            _ => real.text().parse::<f64>().map(f64::to_bits),
        };
        let bits = bits.map_err(|_| real.wrong("This is no decimal number."))?;
        let sign = u64::from(is_negative) << (width - 1);
        Ok(Some(Value::Float(self.terms.constant(width, bits | sign))))
    }

    fn converted_to_float(
        &mut self,
        expr: Expr<'_>,
        name: &str,
        width: u8,
        arguments: &[Value],
    ) -> Result<Value, Problem> {
        let is_signed = name == "to_fp";
        match *arguments {
            [Value::Bits(bits)] if is_signed && self.terms.width_of(bits) == width => Ok(Value::Float(bits)),
            [Value::Rounding(mode), Value::Float(a)] if is_signed => {
                let op = match (self.terms.width_of(a), width) {
                    (32, 64) => Unary::FPromote,
                    (64, 32) => {
                        nearest_even(expr, mode)?;
                        Unary::FDemote
                    }
                    _ => return Ok(Value::Float(a)),
                };
                Ok(Value::Float(self.terms.unary(op, a)))
            }
            [Value::Rounding(mode), Value::Bits(bits)] => {
                nearest_even(expr, mode)?;
                let to = if self.terms.width_of(bits) <= 32 { 32 } else { 64 };
                let (integer, op) = match (is_signed, width) {
                    (true, 32) => (self.terms.sign_extend(bits, to), Unary::SignedToF32),
                    (true, _) => (self.terms.sign_extend(bits, to), Unary::SignedToF64),
                    (false, 32) => (self.terms.zero_extend(bits, to), Unary::UnsignedToF32),
                    (false, _) => (self.terms.zero_extend(bits, to), Unary::UnsignedToF64),
                };
                Ok(Value::Float(self.terms.unary(op, integer)))
            }
            _ => Err(self.misused(expr, name, arguments)),
        }
    }

    /// The integer that a float is rounded to. Out of range, and for NaN, SMT-LIB says nothing.
    fn converted_to_integer(
        &mut self,
        expr: Expr<'_>,
        name: &str,
        width: u8,
        mode: Rounding,
        a: Term,
    ) -> Result<Term, Problem> {
        let op = rounding_operator(expr, mode)?;
        let canonical = self.canonical(a);
        let from = self.terms.width_of(a);
        let open = self.unspecified(&format!("{name} {width} {mode:?} {from}"), &[canonical], width);
        let terms = &mut self.terms;
        let whole = terms.unary(op, a);
        let power = |exponent: u8, sign: f64| {
            let number = sign * 2f64.powi(exponent.into());
            if from == 32 { u64::from((number as f32).to_bits()) } else { number.to_bits() }
        };
        let is_signed = name == "fp.to_sbv";
        let (least, above) = match is_signed {
            true => (power(width - 1, -1.0), power(width - 1, 1.0)),
            false => (0, power(width, 1.0)),
        };
        let (least, above) = (terms.constant(from, least), terms.constant(from, above));
        let (is_enough, is_below) =
            (terms.binary(Binary::FLe, least, whole), terms.binary(Binary::FLt, whole, above));
        let is_in_range = terms.and(is_enough, is_below);
        let integer = terms.unary(if is_signed { Unary::FToSigned64 } else { Unary::FToUnsigned64 }, whole);
        let integer = terms.extract(integer, 0, width);
        Ok(terms.ite(is_in_range, integer, open))
    }

    fn float_unary(&mut self, name: &str, a: Term) -> Option<Value> {
        let terms = &mut self.terms;
        let width = terms.width_of(a);
        let fraction_bits = if width == 32 { 23 } else { 52 };
        let sign_bit = 1u64 << (width - 1);
        let infinity = canonical_nan(width) & canonical_nan(width) << 1;
        let no_sign = terms.constant(width, mask(width) >> 1);
        let magnitude = terms.binary(Binary::And, a, no_sign);
        let condition = match name {
            "fp.abs" => return Some(Value::Float(magnitude)),
            "fp.neg" => {
                let sign = terms.constant(width, sign_bit);
                return Some(Value::Float(terms.binary(Binary::Xor, a, sign)));
            }
            "fp.isNaN" => self.is_nan(a),
            "fp.isInfinite" => {
                let infinity = terms.constant(width, infinity);
                terms.eq(magnitude, infinity)
            }
            "fp.isZero" => {
                let zero = terms.constant(width, 0);
                terms.eq(magnitude, zero)
            }
            "fp.isNormal" => {
                let (least, infinity) =
                    (terms.constant(width, 1 << fraction_bits), terms.constant(width, infinity));
                let (x, y) = (
                    terms.binary(Binary::Ule, least, magnitude),
                    terms.binary(Binary::Ult, magnitude, infinity),
                );
                terms.and(x, y)
            }
            "fp.isSubnormal" => {
                let (one, least) = (terms.constant(width, 1), terms.constant(width, 1 << fraction_bits));
                let (x, y) =
                    (terms.binary(Binary::Ule, one, magnitude), terms.binary(Binary::Ult, magnitude, least));
                terms.and(x, y)
            }
            "fp.isNegative" | "fp.isPositive" => {
                let mut sign = terms.extract(a, width - 1, 1);
                if name == "fp.isPositive" {
                    sign = terms.not(sign);
                }
                let is_number = terms.binary(Binary::FEq, a, a);
                terms.and(sign, is_number)
            }
            _ => return None,
        };
        Some(Value::Bool(condition))
    }

    /// The other if one is NaN. Of zeros with different signs SMT-LIB does not say which; it may depend on their order.
    fn extremum(&mut self, name: &str, a: Term, b: Term) -> Term {
        let width = self.terms.width_of(a);
        let zero = self.terms.constant(width, 0);
        let negative = self.terms.extract(a, width - 1, 1);
        let sign = self.unspecified(&format!("{name} {width}"), &[negative], 1);
        let (a_is_nan, b_is_nan) = (self.is_nan(a), self.is_nan(b));
        let terms = &mut self.terms;
        let is_zero = terms.binary(Binary::FEq, a, zero);
        let are_equal = terms.binary(Binary::FEq, a, b);
        let differ = {
            let same = terms.eq(a, b);
            terms.not(same)
        };
        let are_zeros = terms.and(is_zero, are_equal);
        let is_open = terms.and(are_zeros, differ);
        let low = terms.constant(width - 1, 0);
        let some_zero = terms.concat(sign, low);
        let is_first = match name {
            "fp.min" => terms.binary(Binary::FLt, a, b),
            _ => terms.binary(Binary::FLt, b, a),
        };
        let chosen = terms.ite(is_first, a, b);
        let number = terms.ite(is_open, some_zero, chosen);
        let number = terms.ite(b_is_nan, a, number);
        terms.ite(a_is_nan, b, number)
    }

    fn float_comparison(
        &mut self,
        expr: Expr<'_>,
        name: &str,
        arguments: &[Value],
    ) -> Result<Value, Problem> {
        let mut all = self.terms.truth();
        for pair in arguments.windows(2) {
            let &[Value::Float(a), Value::Float(b)] = pair else {
                return Err(self.misused(expr, name, arguments));
            };
            if self.terms.width_of(a) != self.terms.width_of(b) {
                return Err(self.misused(expr, name, arguments));
            }
            let (op, x, y) = match name {
                "fp.eq" => (Binary::FEq, a, b),
                "fp.lt" => (Binary::FLt, a, b),
                "fp.leq" => (Binary::FLe, a, b),
                "fp.gt" => (Binary::FLt, b, a),
                _ => (Binary::FLe, b, a),
            };
            let holds = self.terms.binary(op, x, y);
            all = self.terms.and(all, holds);
        }
        Ok(Value::Bool(all))
    }
}

fn nearest_even(expr: Expr<'_>, mode: Rounding) -> Result<(), Problem> {
    match mode {
        Rounding::NearestEven => Ok(()),
        _ => Err(expr.beyond("Only rounding to the nearest, ties to even (RNE), is supported here.")),
    }
}

fn rounding_operator(expr: Expr<'_>, mode: Rounding) -> Result<Unary, Problem> {
    Ok(match mode {
        Rounding::NearestEven => Unary::FNearest,
        Rounding::Up => Unary::FCeil,
        Rounding::Down => Unary::FFloor,
        Rounding::ToZero => Unary::FTrunc,
        Rounding::NearestAway => {
            return Err(expr.beyond("Rounding to the nearest, ties away from zero (RNA), is not supported."));
        }
    })
}
