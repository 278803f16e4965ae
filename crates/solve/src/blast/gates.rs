//! Circuits: gates over bits, each made once, with constants folded and the local rewrites of and-inverter graphs
//! (Brummayer and Biere, 2006: those of two levels that make no new gates).
//!
//! A bit is a gate or its negation, so negation costs nothing. Besides `and` there are gates whose clauses are fewer and propagate
//! better than those of their `and`s: exclusive or of two and of three bits, choice and majority.
//!
//! Invariant: operands of a gate have smaller numbers than the gate.

use crate::{Budget, Looks, Spent};
use std::ops::Not;

/// A gate's output or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bit(u32);

impl Bit {
    pub(super) const FALSE: Bit = Bit(0);
    pub(super) const TRUE: Bit = Bit(1);

    pub(super) fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    /// The bit's gate, by number; that of the constants is 0.
    pub(super) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Negated if the condition holds.
    fn negated_if(self, condition: bool) -> Bit {
        Bit(self.0 ^ u32::from(condition))
    }

    fn positive(self) -> Bit {
        Bit(self.0 & !1)
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// What a gate computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gate {
    /// Gate 0: false.
    Constant,
    /// Anything.
    Input,
    And(Bit, Bit),
    Xor(Bit, Bit),
    Xor3(Bit, Bit, Bit),
    /// If the first then the second else the third.
    Ite(Bit, Bit, Bit),
    /// At least two of three.
    Majority(Bit, Bit, Bit),
}

/// All gates that were made.
#[derive(Debug)]
pub(super) struct Gates {
    gates: Vec<Gate>,
    /// How many gates have it as an operand, up to 255.
    uses: Vec<u8>,
    /// Where to find the gate of a hash: open addressing, 0 is free.
    index: Vec<u32>,
}

impl Default for Gates {
    fn default() -> Gates {
        Gates { gates: vec![Gate::Constant], uses: vec![0], index: vec![0; 1024] }
    }
}

impl Gates {
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(super) fn gate(&self, number: usize) -> Gate {
        self.gates[number]
    }

    /// Whether at most one gate has this one as an operand.
    pub(super) fn is_used_once(&self, number: usize) -> bool {
        self.uses[number] <= 1
    }

    /// A bit that nothing is known of.
    pub(super) fn input(&mut self) -> Bit {
        self.push(Gate::Input)
    }

    pub(super) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        match a {
            Bit::FALSE => return Bit::FALSE,
            Bit::TRUE => return b,
            _ if a == b => return a,
            _ if a == !b => return Bit::FALSE,
            _ => {}
        }
        if let Some(simpler) = self.and_below(a, b).or_else(|| self.and_below(b, a)) {
            return simpler;
        }
        if let (Some((c, d)), Some((e, f))) = (self.as_and(a), self.as_and(b))
            && (c == !e || c == !f || d == !e || d == !f)
        {
            return Bit::FALSE;
        }
        self.intern(Gate::And(a, b))
    }

    /// `a and b`, if it is simpler for what `b` is made of.
    fn and_below(&mut self, a: Bit, b: Bit) -> Option<Bit> {
        if let Some((c, d)) = self.as_and(b) {
            return if a == c || a == d {
                Some(b)
            } else if a == !c || a == !d {
                Some(Bit::FALSE)
            } else {
                None
            };
        }
        let (c, d) = self.as_and(!b)?;
        if a == !c || a == !d {
            Some(a)
        } else if a == c {
            Some(self.and(a, !d))
        } else if a == d {
            Some(self.and(a, !c))
        } else {
            None
        }
    }

    /// The operands of an `and` that is not negated.
    pub(super) fn as_and(&self, bit: Bit) -> Option<(Bit, Bit)> {
        match self.gates[bit.gate()] {
            Gate::And(a, b) if !bit.is_negated() => Some((a, b)),
            _ => None,
        }
    }

    pub(super) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let negate = a.is_negated() != b.is_negated();
        let (a, b) = (a.positive(), b.positive());
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == Bit::FALSE {
            return b.negated_if(negate);
        }
        if a == b {
            return Bit::constant(negate);
        }
        if let Gate::Xor(c, d) = self.gates[b.gate()] {
            if a == c {
                return d.negated_if(negate);
            } else if a == d {
                return c.negated_if(negate);
            }
        }
        self.intern(Gate::Xor(a, b)).negated_if(negate)
    }

    pub(super) fn equal(&mut self, a: Bit, b: Bit) -> Bit {
        !self.xor(a, b)
    }

    pub(super) fn xor3(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let negate = a.is_negated() != (b.is_negated() != c.is_negated());
        let mut bits = [a.positive(), b.positive(), c.positive()];
        bits.sort_unstable();
        let [a, b, c] = bits;
        let result = if a == Bit::FALSE {
            self.xor(b, c)
        } else if a == b {
            c
        } else if b == c {
            a
        } else {
            self.intern(Gate::Xor3(a, b, c))
        };
        result.negated_if(negate)
    }

    pub(super) fn ite(&mut self, condition: Bit, then: Bit, otherwise: Bit) -> Bit {
        let (c, a, b) =
            if condition.is_negated() { (!condition, otherwise, then) } else { (condition, then, otherwise) };
        if c == Bit::FALSE || a == b {
            return b;
        }
        // In the arms, the condition is known.
        let a = if a.gate() == c.gate() { Bit::constant(a == c) } else { a };
        let b = if b.gate() == c.gate() { Bit::constant(b != c) } else { b };
        match (a, b) {
            (Bit::FALSE, _) => self.and(!c, b),
            (Bit::TRUE, _) => self.or(c, b),
            (_, Bit::FALSE) => self.and(c, a),
            (_, Bit::TRUE) => self.or(!c, a),
            _ if a == !b => self.xor(c, b),
            _ => {
                let negate = a.is_negated();
                self.intern(Gate::Ite(c, a.negated_if(negate), b.negated_if(negate))).negated_if(negate)
            }
        }
    }

    pub(super) fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut bits = [a, b, c];
        bits.sort_unstable();
        let [a, b, c] = bits;
        match a {
            Bit::FALSE => return self.and(b, c),
            Bit::TRUE => return self.or(b, c),
            _ => {}
        }
        if a == b || a == !b {
            return if a == b { a } else { c };
        }
        if b == c || b == !c {
            return if b == c { b } else { a };
        }
        // The majority of the negations is the negation of the majority.
        let negate = bits.iter().filter(|bit| bit.is_negated()).count() >= 2;
        let [a, b, c] = bits.map(|bit| bit.negated_if(negate));
        self.intern(Gate::Majority(a, b, c)).negated_if(negate)
    }

    pub(super) fn any(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        bits.into_iter().fold(Bit::FALSE, |any, bit| self.or(any, bit))
    }

    fn push(&mut self, gate: Gate) -> Bit {
        let number = self.gates.len();
        gate.operands(|bit| self.uses[bit.gate()] = self.uses[bit.gate()].saturating_add(1));
        self.gates.push(gate);
        self.uses.push(0);
        Bit((number as u32) << 1)
    }

    fn intern(&mut self, gate: Gate) -> Bit {
        if self.has_too_little_room(0)
            && let Some(index) = self.larger_index(|| true)
        {
            self.index = index;
        }
        let mut at = place(&gate, self.index.len());
        while self.index[at] != 0 {
            let found = self.index[at];
            if self.gates[found as usize] == gate {
                return Bit(found << 1);
            }
            at = (at + 1) & (self.index.len() - 1);
        }
        self.index[at] = self.gates.len() as u32;
        self.push(gate)
    }

    /// Makes room for so many more gates. That takes 0.13 s where there are two million, so it may be given up.
    pub(super) fn make_room(&mut self, more: usize, budget: &Budget) -> Result<(), Spent> {
        if self.has_too_little_room(more) {
            let mut looks = Looks::default();
            self.index = self.larger_index(|| !looks.is_late(budget)).ok_or(Spent)?;
        }
        Ok(())
    }

    fn has_too_little_room(&self, more: usize) -> bool {
        (self.gates.len() + more) * 2 > self.index.len()
    }

    /// An index of four times the size; none if it is given up on the way.
    fn larger_index(&self, mut goes_on: impl FnMut() -> bool) -> Option<Vec<u32>> {
        let mut index = vec![0; self.index.len() * 4];
        for (number, gate) in self.gates.iter().enumerate().skip(1) {
            if !goes_on() {
                return None;
            }
            if matches!(gate, Gate::Input) {
                continue;
            }
            let mut at = place(gate, index.len());
            while index[at] != 0 {
                at = (at + 1) & (index.len() - 1);
            }
            index[at] = number as u32;
        }
        Some(index)
    }
}

/// Where to look for a gate first, in an index of a size that is a power of two.
fn place(gate: &Gate, size: usize) -> usize {
    let kind = match gate {
        Gate::Constant | Gate::Input => 0,
        Gate::And(..) => 1,
        Gate::Xor(..) => 2,
        Gate::Xor3(..) => 3,
        Gate::Ite(..) => 4,
        Gate::Majority(..) => 5u64,
    };
    let mut hash = kind;
    gate.operands(|bit| hash = (hash.rotate_left(23) ^ u64::from(bit.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    (hash >> 24) as usize & (size - 1)
}

impl Gate {
    /// Calls the function with each operand.
    pub(super) fn operands(self, mut each: impl FnMut(Bit)) {
        match self {
            Gate::Constant | Gate::Input => {}
            Gate::And(a, b) | Gate::Xor(a, b) => {
                each(a);
                each(b);
            }
            Gate::Xor3(a, b, c) | Gate::Ite(a, b, c) | Gate::Majority(a, b, c) => {
                each(a);
                each(b);
                each(c);
            }
        }
    }
}

#[cfg(test)]
mod tests;
