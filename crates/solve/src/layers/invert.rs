//! From the value that a term should have to values of symbols.
//!
//! At each operator one operand is changed and the others keep their values, so the way from a term to symbols is mostly one
//! line. Where there is a choice (which operand, which of several values), a number decides: each number is another way.
//! Floats are inverted by their own arithmetic, which is near, not exact: who asks evaluates the result.

use crate::undo;
use coax_term::{Binary, Evaluator, Model, Node, Symbol, Table, Term, Terms, Unary, fold};

/// Finds changes; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub(crate) struct Inverter {
    evaluator: Evaluator,
    wishes: Vec<Wish>,
    options: Vec<Wish>,
}

/// A term and the value it should have.
type Wish = (Term, u64);

impl Inverter {
    /// Values of a model changed such that a condition probably holds; none if this way does not lead there. `ways` chooses the
    /// way; what is left of it is not 0 if there are not so many.
    pub(crate) fn edit(
        &mut self,
        terms: &Terms,
        model: &Model,
        condition: Term,
        ways: &mut u32,
    ) -> Option<Model> {
        self.evaluator.reset();
        let mut changed: Vec<(Symbol, u64)> = Vec::new();
        self.wishes.clear();
        self.wishes.push((condition, 1));
        while let Some((term, wanted)) = self.wishes.pop() {
            if self.evaluator.eval(terms, model, term) == wanted {
                continue;
            }
            if let Node::Symbol(symbol) = terms.node(term) {
                match changed.iter().find(|edit| edit.0 == symbol) {
                    Some(edit) if edit.1 != wanted => return None,
                    Some(_) => {}
                    None => changed.push((symbol, wanted)),
                }
                continue;
            }
            self.options.clear();
            let mut step = Step { terms, model, evaluator: &mut self.evaluator, options: &mut self.options };
            match step.go(term, wanted) {
                Choice::All => self.wishes.append(&mut self.options),
                Choice::One => {
                    self.options.retain(|&(operand, _)| terms.as_constant(operand).is_none());
                    let count = self.options.len() as u32;
                    if count == 0 {
                        return None;
                    }
                    self.wishes.push(self.options[(*ways % count) as usize]);
                    *ways /= count;
                }
            }
        }
        let mut edited = model.clone();
        changed.into_iter().for_each(|(symbol, value)| edited.set(symbol, value));
        Some(edited)
    }
}

/// What is to be done with the options.
enum Choice {
    /// Each is needed.
    All,
    /// One is enough.
    One,
}

/// One step down from a term to its operands.
struct Step<'a> {
    terms: &'a Terms,
    model: &'a Model,
    evaluator: &'a mut Evaluator,
    options: &'a mut Vec<Wish>,
}

impl Step<'_> {
    fn value(&mut self, term: Term) -> u64 {
        self.evaluator.eval(self.terms, self.model, term)
    }

    fn option(&mut self, operand: Term, wanted: u64) {
        let wanted = wanted & fold::mask(self.terms.width_of(operand));
        self.options.push((operand, wanted));
    }

    fn go(&mut self, term: Term, wanted: u64) -> Choice {
        match self.terms.node(term) {
            Node::Const { .. } | Node::Symbol(_) | Node::Apply { .. } => {}
            Node::Unary(op, a) => self.unary(op, a, wanted),
            Node::Binary(op, a, b) => return self.binary(op, a, b, wanted),
            Node::Ite(condition, then, otherwise) => {
                let (holds, x, y) = (self.value(condition) != 0, self.value(then), self.value(otherwise));
                let (taken, other) = if holds { (then, y) } else { (otherwise, x) };
                if other == wanted {
                    self.option(condition, u64::from(!holds));
                }
                self.option(taken, wanted);
            }
            Node::Extract { low, width, term } => {
                let hole = fold::mask(width) << low;
                let old = self.value(term);
                self.option(term, old & !hole | wanted << low);
            }
            Node::ZeroExtend { term, .. } => {
                if wanted <= fold::mask(self.terms.width_of(term)) {
                    self.option(term, wanted);
                }
            }
            Node::SignExtend { width, term } => {
                let from = self.terms.width_of(term);
                let narrow = wanted & fold::mask(from);
                if fold::sign_extend(from, narrow, width) == wanted {
                    self.option(term, narrow);
                }
            }
            Node::Concat(high, low) => {
                self.option(high, wanted >> self.terms.width_of(low));
                self.option(low, wanted);
                return Choice::All;
            }
            Node::Lookup { index, table } => self.lookup(index, table, wanted),
        }
        Choice::One
    }

    /// The keys whose entries have the value now; a few of them, from all over the table.
    fn lookup(&mut self, index: Term, table: Table, wanted: u64) {
        const MOST: usize = 4;
        let entries = self.terms.table_entries(table);
        let matches = |entry: &&(u64, Term)| self.terms.as_constant(entry.1) == Some(wanted);
        let keys: Vec<u64> = entries.iter().filter(matches).map(|entry| entry.0).collect();
        let step = keys.len().div_ceil(MOST).max(1);
        keys.into_iter().step_by(step).for_each(|key| self.option(index, key));
    }

    fn unary(&mut self, op: Unary, a: Term, wanted: u64) {
        use Unary::*;
        let width = self.terms.width_of(a);
        let double = f64::from_bits(wanted);
        let single = f64::from(f32::from_bits(wanted as u32));
        let float = |number: f64| match width {
            32 => u64::from((number as f32).to_bits()),
            _ => number.to_bits(),
        };
        let operand = match op {
            Not => !wanted,
            Clz if wanted < u64::from(width) => 1 << (u64::from(width) - 1 - wanted),
            Ctz if wanted < u64::from(width) => 1 << wanted,
            Popcnt if wanted <= u64::from(width) => fold::mask(width) >> (u64::from(width) - wanted).min(63),
            Clz | Ctz | Popcnt => 0,
            FSqrt if width == 32 => float(single * single),
            FSqrt => float(double * double),
            FCeil | FFloor | FTrunc | FNearest => wanted,
            FPromote => float(double),
            FDemote => float(single),
            SignedToF32 => single as i64 as u64,
            SignedToF64 => double as i64 as u64,
            UnsignedToF32 => single as u64,
            UnsignedToF64 => double as u64,
            FToSigned32 => float(f64::from(wanted as i32)),
            FToSigned64 => float(wanted as i64 as f64),
            FToUnsigned32 | FToUnsigned64 => float(wanted as f64),
        };
        self.option(a, operand);
    }

    fn binary(&mut self, op: Binary, a: Term, b: Term, wanted: u64) -> Choice {
        use Binary::*;
        let width = self.terms.width_of(a);
        let (x, y) = (self.value(a), self.value(b));
        let both = fold::mask(width);
        match op {
            And if width == 1 && wanted == 1 => return self.all(a, b, 1),
            Or if width == 1 && wanted == 0 => return self.all(a, b, 0),
            And | Or => {
                // Bits that the other has not cannot be had; those that it has cannot be lost.
                let is_possible = |other: u64| if op == And { wanted & !other } else { other & !wanted } == 0;
                if is_possible(y) {
                    self.undo(op, (a, x), y, wanted, true);
                }
                if is_possible(x) {
                    self.undo(op, (b, y), x, wanted, false);
                }
                if self.options.is_empty() {
                    return self.all(a, b, wanted);
                }
            }
            Add | Sub | Xor | URem | SRem | Rotl | Rotr => {
                self.undo(op, (a, x), y, wanted, true);
                self.undo(op, (b, y), x, wanted, false);
            }
            Mul => {
                self.factor(a, y, wanted);
                self.factor(b, x, wanted);
            }
            UDiv | SDiv => {
                let rest = fold::binary(if op == UDiv { URem } else { SRem }, width, x, y);
                self.option(a, wanted.wrapping_mul(y).wrapping_add(rest));
                self.option(a, wanted.wrapping_mul(y));
                if wanted != 0 {
                    self.option(b, fold::binary(op, width, x, wanted));
                }
            }
            Shl | LShr | AShr => self.shift(op, a, b, wanted),
            Eq if wanted == 1 => self.either((a, y), (b, x)),
            Eq => {
                for other in [y ^ 1, y.wrapping_add(1), y.wrapping_sub(1), 0, both] {
                    self.option(a, other);
                }
                self.option(b, x ^ 1);
            }
            Ult | Ule | Slt | Sle => self.order(op, (a, x), (b, y), wanted == 1),
            FEq | FLt | FLe => self.float_order(op, (a, x), (b, y), wanted == 1),
            FAdd | FSub | FMul | FDiv => {
                let back = |op, x, y| fold::binary(op, width, x, y);
                match op {
                    FAdd => self.either((a, back(FSub, wanted, y)), (b, back(FSub, wanted, x))),
                    FSub => self.either((a, back(FAdd, wanted, y)), (b, back(FSub, x, wanted))),
                    FMul => self.either((a, back(FDiv, wanted, y)), (b, back(FDiv, wanted, x))),
                    _ => self.either((a, back(FMul, wanted, y)), (b, back(FDiv, x, wanted))),
                }
            }
            FMin | FMax => self.either((a, wanted), (b, wanted)),
        }
        Choice::One
    }

    fn all(&mut self, a: Term, b: Term, wanted: u64) -> Choice {
        self.option(a, wanted);
        self.option(b, wanted);
        Choice::All
    }

    fn either(&mut self, one: Wish, other: Wish) {
        self.option(one.0, one.1);
        self.option(other.0, other.1);
    }

    /// One operand, where the other keeps its value.
    fn undo(&mut self, op: Binary, (operand, own): Wish, other: u64, wanted: u64, is_first: bool) {
        let width = self.terms.width_of(operand);
        if let Some(value) = undo::operand(op, width, wanted, own, other, is_first) {
            self.option(operand, value);
        }
    }

    /// `operand * other == wanted`, if the other's factors of two divide what is wanted.
    fn factor(&mut self, operand: Term, other: u64, wanted: u64) {
        if other == 0 {
            return;
        }
        let twos = other.trailing_zeros();
        if wanted & ((1 << twos) - 1) == 0 {
            self.option(operand, (wanted >> twos).wrapping_mul(undo::inverse(other >> twos)));
        }
    }

    fn shift(&mut self, op: Binary, a: Term, by: Term, wanted: u64) {
        let width = self.terms.width_of(a);
        let (old, count) = (self.value(a), self.value(by));
        if let Some(operand) = undo::operand(op, width, wanted, old, count, true)
            && fold::binary(op, width, operand & fold::mask(width), count) == wanted
        {
            self.option(a, operand);
        }
        let counts = (0..u64::from(width)).filter(|&count| fold::binary(op, width, old, count) == wanted);
        if let Some(count) = counts.into_iter().next() {
            self.option(by, count);
        }
    }

    /// Makes `a op b` hold or not, by the nearest value of either, or by the end of the order.
    fn order(&mut self, op: Binary, (a, x): Wish, (b, y): Wish, holds: bool) {
        let width = self.terms.width_of(a);
        let (least, greatest) = match op {
            Binary::Ult | Binary::Ule => (0, fold::mask(width)),
            _ => (1 << (width - 1), fold::mask(width) >> 1),
        };
        let is_strict = matches!(op, Binary::Ult | Binary::Slt);
        // To hold, the first must become smaller than the second; to fail, the second smaller than the first.
        let ((small, x), (big, y)) = if holds { ((a, x), (b, y)) } else { ((b, y), (a, x)) };
        if is_strict == holds {
            if y != least {
                self.option(small, y.wrapping_sub(1));
            }
            if x != greatest {
                self.option(big, x.wrapping_add(1));
            }
        } else {
            self.option(small, y);
            self.option(big, x);
        }
        self.option(small, least);
        self.option(big, greatest);
    }

    fn float_order(&mut self, op: Binary, (a, x): Wish, (b, y): Wish, holds: bool) {
        let width = self.terms.width_of(a);
        match (op, holds) {
            (Binary::FEq, true) | (Binary::FLe, true) | (Binary::FLt, false) => {
                self.either((a, y), (b, x));
            }
            (Binary::FLt, true) => self.either((a, next_below(width, y)), (b, next_above(width, x))),
            _ => self.either((a, next_above(width, y)), (b, next_below(width, x))),
        }
    }
}

fn next_below(width: u8, bits: u64) -> u64 {
    match width {
        32 => u64::from(f32::from_bits(bits as u32).next_down().to_bits()),
        _ => f64::from_bits(bits).next_down().to_bits(),
    }
}

fn next_above(width: u8, bits: u64) -> u64 {
    match width {
        32 => u64::from(f32::from_bits(bits as u32).next_up().to_bits()),
        _ => f64::from_bits(bits).next_up().to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coax_term::Algebra;

    #[test]
    fn a_compared_constant_gets_to_the_bytes_it_came_from() {
        let mut terms = Terms::new();
        let bytes: Vec<Term> = (0..4).map(|i| terms.symbol(&format!("b{i}"), 8)).collect();
        let low = terms.concat(bytes[1], bytes[0]);
        let high = terms.concat(bytes[3], bytes[2]);
        let word = terms.concat(high, low);
        let (three, magic) = (terms.constant(32, 3), terms.constant(32, 0x1234_5678));
        let scaled = terms.binary(Binary::Mul, word, three);
        let mixed = terms.binary(Binary::Xor, scaled, magic);
        let wanted = terms.constant(32, 0xcafe_babe);
        let condition = terms.eq(mixed, wanted);
        let edited = Inverter::default().edit(&terms, &Model::new(), condition, &mut 0).unwrap();
        assert_eq!(terms.eval(condition, &edited), 1);
    }
}
