//! How each operator is undone: the value that an operand needs so that the result is as wanted.

use super::Undo;
use super::aim::{float, float_bits, signed};
use crate::undo;
use coax_term::{Arguments, Binary, Function, Node, Term, Unary, mask};

/// Operands with the values that they should have; one, mostly.
pub(super) type Operands = [Option<(Term, u64)>; 2];

fn one(term: Term, value: u64) -> Option<Operands> {
    Some([Some((term, value)), None])
}

impl Undo<'_, '_> {
    /// Values of operands for which a term has a value. None if there are none, or none are found.
    pub(super) fn operator(&mut self, term: Term, wanted: u64) -> Option<Operands> {
        match self.terms.node(term) {
            Node::Const { .. } | Node::Symbol(_) => None,
            Node::Unary(op, a) => {
                let value = self.unary(op, a, wanted)?;
                one(a, value)
            }
            Node::Binary(op, a, b) if op.is_comparison() => {
                let (side, value) = self.compare(op, a, b, wanted != 0)?;
                one(side, value)
            }
            Node::Binary(op, a, b) => self.binary(op, a, b, wanted),
            Node::Ite(condition, then, otherwise) => {
                let holds = self.value(condition) != 0;
                let (arm, other) = if holds { (then, otherwise) } else { (otherwise, then) };
                let can = |arm: Term| self.terms.as_constant(arm).is_none_or(|bits| bits == wanted);
                let switch = !can(arm) || (can(other) && self.random.one_in(4));
                if switch {
                    return can(other)
                        .then_some([Some((condition, u64::from(!holds))), Some((other, wanted))]);
                }
                one(arm, wanted)
            }
            Node::Extract { low, width, term } => {
                let kept = self.value(term) & !(mask(width) << low);
                one(term, kept | wanted << low)
            }
            Node::ZeroExtend { term, .. } | Node::SignExtend { term, .. } => {
                one(term, wanted & mask(self.terms.width_of(term)))
            }
            Node::Concat(high, low) => {
                let width = self.terms.width_of(low);
                Some([Some((high, wanted >> width)), Some((low, wanted & mask(width)))])
            }
            Node::Lookup { index, table } => {
                let entries = self.terms.table_entries(table);
                let has = |value: Term| self.terms.as_constant(value) == Some(wanted);
                let keys: Vec<u64> =
                    entries.iter().filter(|entry| has(entry.1)).map(|entry| entry.0).collect();
                let key = self.random.pick(&keys)?;
                one(index, key)
            }
            Node::Apply { function, arguments } => self.apply(function, arguments, wanted),
        }
    }

    fn unary(&mut self, op: Unary, a: Term, wanted: u64) -> Option<u64> {
        let width = self.terms.width_of(a);
        let result = op.result_width(width);
        let fraction = if self.random.one_in(2) { 0.0 } else { self.random.unit() };
        let number = float(if result == 32 { 32 } else { 64 }, wanted);
        Some(match op {
            Unary::Not => !wanted & mask(width),
            Unary::Clz if wanted < u64::from(width) => {
                let top = 1 << (u64::from(width) - 1 - wanted);
                top | self.random.next() & (top - 1)
            }
            Unary::Ctz if wanted < u64::from(width) => (self.random.next() << 1 | 1) << wanted & mask(width),
            Unary::Clz | Unary::Ctz => 0,
            Unary::Popcnt => mask(u8::try_from(wanted).ok().filter(|&n| (1..=width).contains(&n))?),
            Unary::FSqrt => float_bits(width, number * number),
            Unary::FCeil => float_bits(width, number - fraction),
            Unary::FFloor => float_bits(width, number + fraction),
            Unary::FTrunc | Unary::FNearest => wanted,
            Unary::FPromote => float_bits(32, float(64, wanted)),
            Unary::FDemote => float_bits(64, float(32, wanted)),
            Unary::SignedToF32 | Unary::SignedToF64 => number.round() as i64 as u64 & mask(width),
            Unary::UnsignedToF32 | Unary::UnsignedToF64 => number.round() as u64 & mask(width),
            Unary::FToSigned32 | Unary::FToSigned64 => {
                let integer = signed(result, wanted) as f64;
                float_bits(width, if integer < 0.0 { integer - fraction } else { integer + fraction })
            }
            Unary::FToUnsigned32 | Unary::FToUnsigned64 => float_bits(width, wanted as f64 + fraction),
        })
    }

    fn binary(&mut self, op: Binary, a: Term, b: Term, wanted: u64) -> Option<Operands> {
        let width = self.terms.width_of(a);
        if a == b {
            let root = match op {
                Binary::Mul => square_root(width, wanted, self.random.next())?,
                Binary::FMul => {
                    let root = float(width, wanted).sqrt();
                    float_bits(width, if self.random.one_in(2) { -root } else { root })
                }
                Binary::FAdd => float_bits(width, float(width, wanted) / 2.0),
                _ => return None,
            };
            return one(a, root);
        }
        let (is_first, other) = self.choose(a, b);
        let side = if is_first { a } else { b };
        let own = self.value(side);
        let value = if matches!(op, Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv) {
            let (t, o) = (float(width, wanted), float(width, other));
            let number = match (op, is_first) {
                (Binary::FAdd, _) => t - o,
                (Binary::FSub, true) => t + o,
                (Binary::FSub, false) => o - t,
                (Binary::FMul, _) => t / o,
                (_, true) => t * o,
                (_, false) => o / t,
            };
            if number.is_nan() {
                return None;
            }
            float_bits(width, number)
        } else {
            self.integer(op, width, wanted, own, other, is_first)?
        };
        one(side, value & mask(width))
    }

    /// The value of one operand of an integer operator, where the other has a value and this one had another.
    fn integer(
        &mut self,
        op: Binary,
        width: u8,
        wanted: u64,
        own: u64,
        other: u64,
        is_first: bool,
    ) -> Option<u64> {
        use Binary::*;
        let bits = u64::from(width);
        let random = self.random.next();
        if let Some(value) = undo::operand(op, width, wanted, own, other, is_first) {
            return Some(value);
        }
        Some(match (op, is_first) {
            (Mul, _) => divide_wrapping(width, wanted, other, random)?,
            (UDiv, true) => wanted.wrapping_mul(other).wrapping_add(random.checked_rem(other).unwrap_or(0)),
            (UDiv, false) => other.checked_div(wanted)?,
            (SDiv, true) => wanted.wrapping_mul(other),
            (SDiv, false) => signed(width, other).checked_div(signed(width, wanted))? as u64,
            (Shl | LShr | AShr | Rotl | Rotr, _) => random % bits,
            (FMin | FMax, _) => wanted,
            _ => return None,
        })
    }

    /// An argument for which an unknown function comes near a value: the secant method on the function alone.
    fn apply(&mut self, function: Function, arguments: Arguments, wanted: u64) -> Option<Operands> {
        let width = self.terms.function_width(function);
        let arguments = self.terms.arguments(arguments);
        let free: Vec<usize> = (0..arguments.len()).filter(|&i| !self.is_constant(arguments[i])).collect();
        let chosen = self.random.pick(&free)?;
        let argument_width = self.terms.width_of(arguments[chosen]);
        if !matches!(width, 32 | 64) || !matches!(argument_width, 32 | 64) {
            return None;
        }
        let mut values: Vec<u64> = arguments.iter().map(|&a| self.value(a)).collect();
        let start = float(argument_width, values[chosen]);
        let target = float(width, wanted);
        let mut difference = |x: f64, functions: &mut dyn coax_term::Functions| {
            values[chosen] = float_bits(argument_width, x);
            let value = functions.apply(function, &values)?;
            Some(float(width, value) - target).filter(|difference| !difference.is_nan())
        };
        let scale = 10f64.powf(-2.0 + 4.0 * self.random.unit());
        let mut x = if self.random.one_in(2) { start } else { start + self.random.normal() * scale };
        let mut y = x + self.random.normal() * scale;
        let (mut at_x, mut at_y) = (difference(x, self.functions)?, difference(y, self.functions)?);
        for _ in 0..60 {
            if at_y.abs() > at_x.abs() {
                (x, y, at_x, at_y) = (y, x, at_y, at_x);
            }
            if at_y == 0.0 || x == y {
                break;
            }
            // Between two signs the middle is certain to be nearer; else the line through both points says where.
            let middle = at_x * at_y < 0.0 && self.random.one_in(3);
            let next = if middle { x + (y - x) / 2.0 } else { y - at_y * (y - x) / (at_y - at_x) };
            let Some(at_next) = difference(next, self.functions) else { break };
            let keeps_bracket = at_x * at_y < 0.0 && at_next * at_y >= 0.0;
            if !keeps_bracket {
                (x, at_x) = (y, at_y);
            }
            (y, at_y) = (next, at_next);
        }
        let nearest = if at_y.abs() <= at_x.abs() { y } else { x };
        one(arguments[chosen], float_bits(argument_width, nearest))
    }
}

/// A number whose product with a factor is as wanted, modulo the width; the nearest quotient if there is none.
fn divide_wrapping(width: u8, wanted: u64, factor: u64, random: u64) -> Option<u64> {
    let shift = factor.trailing_zeros();
    if factor == 0 {
        return None;
    }
    if wanted & ((1 << shift) - 1) != 0 {
        return signed(width, wanted).checked_div(signed(width, factor)).map(|quotient| quotient as u64);
    }
    let quotient = (wanted >> shift).wrapping_mul(undo::inverse(factor >> shift));
    let known = mask(width) >> shift;
    // The upper bits are lost in the product: zeros first of all, as the true quotient has.
    Some(quotient & known | if random & 3 == 0 { random & !known } else { 0 })
}

/// A number whose square is as wanted, modulo the width: bit by bit, each decided by the next bit of the square (Hensel, 1897).
fn square_root(width: u8, wanted: u64, random: u64) -> Option<u64> {
    let exact = (wanted as f64).sqrt().round() as u64;
    if exact.wrapping_mul(exact) == wanted && random & 1 == 0 {
        return Some(exact);
    }
    let shift = wanted.trailing_zeros();
    if wanted == 0 || shift % 2 == 1 {
        return (wanted == 0).then_some(0);
    }
    let odd = wanted >> shift;
    let bits = u32::from(width) - shift;
    if odd & mask(bits.min(3) as u8) != 1 {
        return None;
    }
    let mut root = 1u64;
    for bit in 3..bits {
        if (root.wrapping_mul(root) ^ odd) >> bit & 1 != 0 {
            root |= 1 << (bit - 1);
        }
    }
    // Its negative, and both with the highest bit that the square does not see, are roots as well.
    let root = if random & 2 == 0 { root } else { root.wrapping_neg() };
    let root = if random & 4 == 0 || bits < 2 { root } else { root ^ 1 << (bits - 1) };
    Some(root << (shift / 2) & mask(width))
}

#[cfg(test)]
mod tests {
    use super::super::merge;
    use super::*;
    use crate::random::Random;
    use coax_term::{Algebra, Evaluator, Model, Terms};

    /// Undoes `x op c`, or `c op x`, for results that there are; how often a value came out, each checked.
    fn undo_all(op: Binary, is_first: bool, random: &mut Random) -> usize {
        let mut found = 0;
        for _ in 0..2000 {
            let mut terms = Terms::new();
            let x = terms.symbol("x", 8);
            let symbol = terms.find_symbol("x").expect("it was made");
            let is_shift = matches!(op, Binary::Shl | Binary::LShr | Binary::Rotl | Binary::Rotr);
            let constant = terms.constant(8, random.next() & if is_shift { 7 } else { 0xff });
            let term = if is_first { terms.binary(op, x, constant) } else { terms.binary(op, constant, x) };
            if terms.as_constant(term).is_some() {
                continue;
            }
            let at = |value: u64| Model::from_iter([(symbol, value)]);
            let wanted = terms.eval(term, &at(random.next() & 0xff));
            let before = random.next() & 0xff;
            let model = at(before);
            let mut undo = Undo {
                terms: &terms,
                evaluator: &mut Evaluator::new(),
                model: &model,
                functions: &mut { &model },
                random,
            };
            // Simplified terms are undone step by step, too.
            let mut open = vec![(term, wanted)];
            let mut value = None;
            while let Some((top, wanted)) = open.pop() {
                match undo.terms.node(top) {
                    Node::Symbol(_) => value = Some(merge(before, value.unwrap_or(before), wanted)),
                    Node::Const { .. } => {}
                    _ => open.extend(undo.operator(top, wanted).into_iter().flatten().flatten()),
                }
            }
            let Some(value) = value else { continue };
            found += 1;
            assert_eq!(terms.eval(term, &at(value)), wanted, "{op:?}, x first: {is_first}");
        }
        found
    }

    #[test]
    fn operators_are_undone_exactly() {
        use Binary::*;
        let mut random = Random::new(5);
        for op in [Add, Sub, Xor, And, Or, Mul, Shl, LShr, Rotl, Rotr] {
            assert!(undo_all(op, true, &mut random) > 500, "{op:?}");
        }
        assert!(undo_all(Sub, false, &mut random) > 500);
    }

    #[test]
    fn square_roots_modulo_a_power_of_two_are_found() {
        for width in [3, 5, 8, 13] {
            for number in 0..1u64 << width {
                let square = (number * number) & mask(width);
                let is_root = |root: u64| (root * root) & mask(width) == square;
                let roots: Vec<u64> =
                    (0..8).filter_map(|random| square_root(width, square, random)).collect();
                assert!(
                    !roots.is_empty() && roots.iter().all(|&root| is_root(root)),
                    "{number}, {width} bits"
                );
            }
        }
    }
}
