//! The functions of SMT-LIB's theories: Core, bit-vectors and arrays; floats are in `floats.rs`.

use super::elaborate::Elaborator;
use super::problem::Problem;
use super::sort::{Sort, Value, narrow};
use super::syntax::{Expr, shortened};
use coax_term::{Algebra, Binary, Term, Unary};

impl Elaborator {
    /// The value of a function of a theory. The indices are those of `(_ name index …)`.
    pub(super) fn operator(
        &mut self,
        expr: Expr<'_>,
        name: &str,
        indices: &[Expr<'_>],
        arguments: &[Value],
    ) -> Result<Value, Problem> {
        if name.starts_with("fp") || name.starts_with("to_fp") {
            return self.float_operator(expr, name, indices, arguments);
        }
        if !indices.is_empty() {
            return self.indexed(expr, name, indices, arguments);
        }
        match (name, arguments) {
            ("=" | "distinct" | "ite" | "select" | "store", _) => self.any_sort(expr, name, arguments),
            ("not" | "and" | "or" | "xor" | "=>", _) => self.logic(expr, name, arguments),
            _ => self.bit_operator(expr, name, arguments),
        }
    }

    pub(super) fn misused(&self, expr: Expr<'_>, name: &str, arguments: &[Value]) -> Problem {
        let sorts: Vec<String> = arguments.iter().map(|&value| self.sort_of(value).to_string()).collect();
        expr.wrong(format!("`{}` cannot be applied to ({}).", shortened(name), sorts.join(" ")))
    }

    fn any_sort(&mut self, expr: Expr<'_>, name: &str, arguments: &[Value]) -> Result<Value, Problem> {
        match (name, arguments) {
            ("ite", &[Value::Bool(condition), then, otherwise])
                if self.sort_of(then) == self.sort_of(otherwise) =>
            {
                self.choose(expr, condition, then, otherwise)
            }
            ("select", &[Value::Array(array), Value::Bits(index)])
                if self.arrays.widths(array).0 == self.terms.width_of(index) =>
            {
                Ok(Value::Bits(self.arrays.select(&mut self.terms, array, index)))
            }
            ("store", &[Value::Array(array), Value::Bits(index), Value::Bits(element)])
                if self.arrays.widths(array)
                    == (self.terms.width_of(index), self.terms.width_of(element)) =>
            {
                Ok(Value::Array(self.arrays.store(array, index, element)))
            }
            ("=" | "distinct", [first, _, ..])
                if arguments.iter().all(|&value| self.sort_of(value) == self.sort_of(*first)) =>
            {
                let mut all = self.terms.truth();
                for at in 1..arguments.len() {
                    // Equality is transitive: neighbours suffice. That all differ is said of each pair.
                    let others = if name == "=" { at - 1..at } else { 0..at };
                    for &other in &arguments[others] {
                        let mut holds = self.equal(expr, other, arguments[at])?;
                        if name == "distinct" {
                            holds = self.terms.not(holds);
                        }
                        all = self.terms.and(all, holds);
                    }
                }
                Ok(Value::Bool(all))
            }
            _ => Err(self.misused(expr, name, arguments)),
        }
    }

    fn choose(
        &mut self,
        expr: Expr<'_>,
        condition: Term,
        then: Value,
        otherwise: Value,
    ) -> Result<Value, Problem> {
        Ok(match (then, otherwise) {
            (Value::Bool(a), Value::Bool(b)) => Value::Bool(self.terms.ite(condition, a, b)),
            (Value::Bits(a), Value::Bits(b)) => Value::Bits(self.terms.ite(condition, a, b)),
            (Value::Float(a), Value::Float(b)) => Value::Float(self.terms.ite(condition, a, b)),
            (Value::Array(a), Value::Array(b)) => Value::Array(self.arrays.ite(condition, a, b)),
            _ => return Err(expr.beyond("A choice between rounding modes is not supported.")),
        })
    }

    fn equal(&mut self, expr: Expr<'_>, a: Value, b: Value) -> Result<Term, Problem> {
        match (a, b) {
            (Value::Bool(a), Value::Bool(b)) | (Value::Bits(a), Value::Bits(b)) => Ok(self.terms.eq(a, b)),
            (Value::Float(a), Value::Float(b)) => {
                let (a, b) = (self.canonical(a), self.canonical(b));
                Ok(self.terms.eq(a, b))
            }
            (Value::Array(a), Value::Array(b)) => self.arrays.equal(&mut self.terms, a, b).ok_or_else(|| {
                expr.beyond("The equality of arrays that are made of different ones is not supported. Compare elements.")
            }),
            (Value::Rounding(a), Value::Rounding(b)) => {
                Ok(if a == b { self.terms.truth() } else { self.terms.falsity() })
            }
            _ => Err(self.misused(expr, "=", &[a, b])),
        }
    }

    fn logic(&mut self, expr: Expr<'_>, name: &str, arguments: &[Value]) -> Result<Value, Problem> {
        let conditions: Option<Vec<Term>> = arguments
            .iter()
            .map(|value| if let Value::Bool(term) = value { Some(*term) } else { None })
            .collect();
        let Some(conditions) = conditions else { return Err(self.misused(expr, name, arguments)) };
        let terms = &mut self.terms;
        let result = match (name, conditions.as_slice()) {
            ("not", &[a]) => terms.not(a),
            ("and", [first, rest @ ..]) => rest.iter().fold(*first, |all, &next| terms.and(all, next)),
            ("or", [first, rest @ ..]) => rest.iter().fold(*first, |any, &next| terms.or(any, next)),
            ("xor", [first, rest @ ..]) if !rest.is_empty() => {
                rest.iter().fold(*first, |odd, &next| terms.binary(Binary::Xor, odd, next))
            }
            ("=>", [premises @ .., last]) if !premises.is_empty() => {
                premises.iter().rev().fold(*last, |conclusion, &premise| {
                    let fails = terms.not(premise);
                    terms.or(fails, conclusion)
                })
            }
            _ => return Err(self.misused(expr, name, arguments)),
        };
        Ok(Value::Bool(result))
    }

    fn indexed(
        &mut self,
        expr: Expr<'_>,
        name: &str,
        indices: &[Expr<'_>],
        arguments: &[Value],
    ) -> Result<Value, Problem> {
        let numbers: Option<Vec<u64>> = indices.iter().map(|index| index.numeral()).collect();
        let (Some(numbers), &[Value::Bits(a)]) = (numbers, arguments) else {
            return Err(self.misused(expr, name, arguments));
        };
        let width = self.terms.width_of(a);
        let wide = u64::from(width);
        let result = match (name, numbers.as_slice()) {
            ("extract", &[high, low]) if low <= high && high < wide => {
                self.terms.extract(a, low as u8, (high - low) as u8 + 1)
            }
            ("zero_extend", &[more]) => {
                let to = narrow(expr, wide.saturating_add(more))?;
                self.terms.zero_extend(a, to)
            }
            ("sign_extend", &[more]) => {
                let to = narrow(expr, wide.saturating_add(more))?;
                self.terms.sign_extend(a, to)
            }
            ("repeat", &[times]) if times > 0 => {
                narrow(expr, wide.saturating_mul(times))?;
                (1..times).fold(a, |all, _| self.terms.concat(all, a))
            }
            ("rotate_left" | "rotate_right", &[count]) => {
                // Modulo the width it fits, save that a width of 1 has no count but 0.
                let count = self.terms.constant(width, count % wide);
                let op = if name == "rotate_left" { Binary::Rotl } else { Binary::Rotr };
                self.terms.binary(op, a, count)
            }
            ("extract", _) => {
                return Err(
                    expr.wrong(format!("There are no such bits: the operand has {width}, from 0 on."))
                );
            }
            _ => return Err(self.misused(expr, name, arguments)),
        };
        Ok(Value::Bits(result))
    }

    fn bit_operator(&mut self, expr: Expr<'_>, name: &str, arguments: &[Value]) -> Result<Value, Problem> {
        let operands: Option<Vec<Term>> = arguments
            .iter()
            .map(|value| if let Value::Bits(term) = value { Some(*term) } else { None })
            .collect();
        if !is_bit_operator(name) {
            return Err(expr.wrong(format!(
                "There is no function `{}`. Declare it, or see whether its name is right.",
                shortened(name)
            )));
        }
        let Some(operands) = operands else { return Err(self.misused(expr, name, arguments)) };
        if name == "concat" && operands.len() >= 2 {
            let width = operands.iter().map(|&term| u64::from(self.terms.width_of(term))).sum();
            narrow(expr, width)?;
            let all = operands[1..].iter().fold(operands[0], |all, &next| self.terms.concat(all, next));
            return Ok(Value::Bits(all));
        }
        let sorts: Vec<Sort> = arguments.iter().map(|&value| self.sort_of(value)).collect();
        if sorts.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(self.misused(expr, name, arguments));
        }
        let value = match operands.as_slice() {
            &[a] => self.bit_unary(name, a),
            &[a, b] => self.bit_binary(name, a, b),
            [first, rest @ ..] => accumulating(name).map(|op| {
                Value::Bits(rest.iter().fold(*first, |all, &next| self.terms.binary(op, all, next)))
            }),
            [] => None,
        };
        value.ok_or_else(|| self.misused(expr, name, arguments))
    }

    fn bit_unary(&mut self, name: &str, a: Term) -> Option<Value> {
        let terms = &mut self.terms;
        let width = terms.width_of(a);
        Some(match name {
            "bvnot" => Value::Bits(terms.unary(Unary::Not, a)),
            "bvneg" => {
                let zero = terms.constant(width, 0);
                Value::Bits(terms.binary(Binary::Sub, zero, a))
            }
            "bvnego" => {
                let least = terms.constant(width, 1 << (width - 1));
                Value::Bool(terms.eq(a, least))
            }
            _ => return None,
        })
    }

    fn bit_binary(&mut self, name: &str, a: Term, b: Term) -> Option<Value> {
        if let Some(op) = plain(name) {
            let term = self.terms.binary(op, a, b);
            return Some(if op.is_comparison() { Value::Bool(term) } else { Value::Bits(term) });
        }
        let terms = &mut self.terms;
        let swapped = |op| (op, b, a);
        let (op, x, y) = match name {
            "bvugt" => swapped(Binary::Ult),
            "bvuge" => swapped(Binary::Ule),
            "bvsgt" => swapped(Binary::Slt),
            "bvsge" => swapped(Binary::Sle),
            "bvnand" | "bvnor" | "bvxnor" => {
                let op = [("bvnand", Binary::And), ("bvnor", Binary::Or), ("bvxnor", Binary::Xor)];
                let op = op.iter().find(|(negated, _)| *negated == name)?.1;
                let result = terms.binary(op, a, b);
                return Some(Value::Bits(terms.unary(Unary::Not, result)));
            }
            "bvcomp" => return Some(Value::Bits(terms.eq(a, b))),
            "bvsmod" => return Some(Value::Bits(self.signed_modulo(a, b))),
            _ => return self.overflow(name, a, b).map(Value::Bool),
        };
        Some(Value::Bool(terms.binary(op, x, y)))
    }

    /// The remainder with the divisor's sign.
    fn signed_modulo(&mut self, a: Term, b: Term) -> Term {
        let terms = &mut self.terms;
        let zero = terms.constant(terms.width_of(a), 0);
        let remainder = terms.binary(Binary::SRem, a, b);
        let is_zero = terms.eq(remainder, zero);
        let (r_negative, b_negative) =
            (terms.binary(Binary::Slt, remainder, zero), terms.binary(Binary::Slt, b, zero));
        let same_sign = terms.eq(r_negative, b_negative);
        let stays = terms.or(is_zero, same_sign);
        let moved = terms.binary(Binary::Add, remainder, b);
        // By zero the result is the dividend, which adding zero gives in any case.
        terms.ite(stays, remainder, moved)
    }

    /// Whether an operation overflows; none if it is no such name.
    fn overflow(&mut self, name: &str, a: Term, b: Term) -> Option<Term> {
        let terms = &mut self.terms;
        let width = terms.width_of(a);
        if name == "bvsdivo" {
            let (least, minus_one) =
                (terms.constant(width, 1 << (width - 1)), terms.constant(width, coax_term::mask(width)));
            let (x, y) = (terms.eq(a, least), terms.eq(b, minus_one));
            return Some(terms.and(x, y));
        }
        let (is_signed, op) = match name {
            "bvuaddo" => (false, Binary::Add),
            "bvsaddo" => (true, Binary::Add),
            "bvusubo" => (false, Binary::Sub),
            "bvssubo" => (true, Binary::Sub),
            "bvumulo" => (false, Binary::Mul),
            "bvsmulo" => (true, Binary::Mul),
            _ => return None,
        };
        if op != Binary::Mul && width == 64 {
            return Some(self.overflow_of_sum(is_signed, op, a, b));
        }
        if op == Binary::Mul && width > 32 {
            return Some(self.overflow_of_product(is_signed, a, b));
        }
        // Wide enough, nothing overflows: does the result fit?
        let wide = if op == Binary::Mul { 2 * width } else { width + 1 };
        let extend = |terms: &mut coax_term::Terms, term| match is_signed {
            true => terms.sign_extend(term, wide),
            false => terms.zero_extend(term, wide),
        };
        let (x, y) = (extend(terms, a), extend(terms, b));
        let exact = terms.binary(op, x, y);
        let low = terms.extract(exact, 0, width);
        let again = extend(terms, low);
        let fits = terms.eq(exact, again);
        Some(terms.not(fits))
    }

    /// Whether a product overflows: then dividing it by a factor does not give the other one. The remainder would have to be a multiple
    /// of what was lost, which is more than the factor.
    fn overflow_of_product(&mut self, is_signed: bool, a: Term, b: Term) -> Term {
        let terms = &mut self.terms;
        let width = terms.width_of(a);
        let zero = terms.constant(width, 0);
        let product = terms.binary(Binary::Mul, a, b);
        let quotient = terms.binary(if is_signed { Binary::SDiv } else { Binary::UDiv }, product, a);
        let (is_zero, is_exact) = (terms.eq(a, zero), terms.eq(quotient, b));
        let fits = terms.or(is_zero, is_exact);
        let overflows = terms.not(fits);
        if !is_signed {
            return overflows;
        }
        // The quotient overflows as the product does.
        let (minus_one, least) =
            (terms.constant(width, coax_term::mask(width)), terms.constant(width, 1 << (width - 1)));
        let (x, y) = (terms.eq(a, minus_one), terms.eq(b, least));
        let both = terms.and(x, y);
        terms.or(overflows, both)
    }

    /// Whether a sum or a difference overflows, by its sign or by its order.
    fn overflow_of_sum(&mut self, is_signed: bool, op: Binary, a: Term, b: Term) -> Term {
        let terms = &mut self.terms;
        let result = terms.binary(op, a, b);
        if !is_signed {
            return match op {
                Binary::Add => terms.binary(Binary::Ult, result, a),
                _ => terms.binary(Binary::Ult, a, b),
            };
        }
        // A sum of operands with one sign has that sign; a difference of different ones that of the first.
        let zero = terms.constant(terms.width_of(a), 0);
        let mut sign = |term| terms.binary(Binary::Slt, term, zero);
        let (a, b, result) = (sign(a), sign(b), sign(result));
        let same = terms.eq(a, b);
        let can = if op == Binary::Add { same } else { terms.not(same) };
        let kept = terms.eq(a, result);
        let changed = terms.not(kept);
        terms.and(can, changed)
    }
}

fn plain(name: &str) -> Option<Binary> {
    use Binary::*;
    Some(match name {
        "bvadd" => Add,
        "bvsub" => Sub,
        "bvmul" => Mul,
        "bvudiv" => UDiv,
        "bvsdiv" => SDiv,
        "bvurem" => URem,
        "bvsrem" => SRem,
        "bvand" => And,
        "bvor" => Or,
        "bvxor" => Xor,
        "bvshl" => Shl,
        "bvlshr" => LShr,
        "bvashr" => AShr,
        "bvult" => Ult,
        "bvule" => Ule,
        "bvslt" => Slt,
        "bvsle" => Sle,
        _ => return None,
    })
}

/// Those that take more than two operands.
fn accumulating(name: &str) -> Option<Binary> {
    plain(name).filter(|_| matches!(name, "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor"))
}

fn is_bit_operator(name: &str) -> bool {
    const OTHERS: [&str; 20] = [
        "concat", "bvnot", "bvneg", "bvnego", "bvugt", "bvuge", "bvsgt", "bvsge", "bvnand", "bvnor",
        "bvxnor", "bvcomp", "bvsmod", "bvsdivo", "bvuaddo", "bvsaddo", "bvusubo", "bvssubo", "bvumulo",
        "bvsmulo",
    ];
    plain(name).is_some() || OTHERS.contains(&name)
}
