//! Terms as words of gates: what each node means, by family in the files beside this one.
//!
//! Each term is encoded once. Bits that the term's range excludes are constants, whatever the gates that compute them.

use super::divide::Divisions;
use super::float;
use super::gates::{Bit, Gates};
use super::word::{self, Word};
use crate::{Budget, Spent};
use coax_term::{Binary, Node, Range, Term, Terms, Unary};

/// How many gates are made for the effort of one.
const GATES_PER_EFFORT: u64 = 10;

/// After how many gates to look at the clock.
const GATES_PER_LOOK: usize = 4096;

/// So many more gates there is room for at each look; a term seldom has more.
const ROOM: usize = 16 * GATES_PER_LOOK;

/// The words of terms of one arena.
#[derive(Default)]
pub(super) struct Encoder {
    pub(super) gates: Gates,
    divisions: Divisions,
    /// Where a term's bits begin in `bits`, by its index; `NONE`: it has none yet.
    starts: Vec<u32>,
    bits: Vec<Bit>,
    stack: Vec<(Term, bool)>,
    /// How many gates there were at the last look at the clock.
    looked: usize,
}

const NONE: u32 = u32::MAX;

impl Encoder {
    /// The bits of a term that was encoded.
    pub(super) fn word(&self, terms: &Terms, term: Term) -> &[Bit] {
        let start = self.starts[term.index()] as usize;
        &self.bits[start..start + usize::from(terms.width_of(term))]
    }

    fn is_encoded(&self, term: Term) -> bool {
        self.starts.get(term.index()).is_some_and(|&start| start != NONE)
    }

    /// Makes the gates of a term and all that it consists of. What is done when the budget ends stays.
    pub(super) fn encode(&mut self, terms: &Terms, term: Term, budget: &mut Budget) -> Result<(), Spent> {
        self.starts.resize(self.starts.len().max(terms.len()), NONE);
        self.stack.clear();
        self.stack.push((term, false));
        while let Some((term, operands_done)) = self.stack.pop() {
            if self.is_encoded(term) {
                continue;
            }
            if !operands_done {
                self.stack.push((term, true));
                terms.operands(terms.node(term), |operand| self.stack.push((operand, false)));
                continue;
            }
            let before = self.gates.len();
            let mut word = self.node(terms, term);
            restrict(&mut word, terms.range(term));
            self.starts[term.index()] = self.bits.len() as u32;
            self.bits.extend(word);
            budget.spend((self.gates.len() - before) as u64 / GATES_PER_EFFORT)?;
            if self.gates.len() - self.looked > GATES_PER_LOOK {
                self.looked = self.gates.len();
                if budget.is_late() {
                    return Err(Spent);
                }
                self.gates.make_room(ROOM, budget)?;
            }
        }
        Ok(())
    }

    /// The bits of a term whose operands have theirs.
    fn node(&mut self, terms: &Terms, term: Term) -> Word {
        let width = usize::from(terms.width_of(term));
        let of = |operand| self.word(terms, operand).to_vec();
        match terms.node(term) {
            Node::Const { bits, .. } => word::constant(width, bits),
            Node::Symbol(_) | Node::Apply { .. } => self.gates.inputs(width),
            Node::Unary(op, a) => {
                let a = of(a);
                self.unary(op, &a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (of(a), of(b));
                self.binary(op, &a, &b)
            }
            Node::Ite(condition, then, otherwise) => {
                let (condition, then, otherwise) = (of(condition)[0], of(then), of(otherwise));
                self.gates.choose(condition, &then, &otherwise)
            }
            Node::Extract { low, term, .. } => of(term)[usize::from(low)..][..width].to_vec(),
            Node::ZeroExtend { term, .. } => word::resized(&of(term), width),
            Node::SignExtend { term, .. } => word::sign_extended(&of(term), width),
            Node::Concat(high, low) => [of(low), of(high)].concat(),
            Node::Lookup { index, table } => {
                let index = of(index);
                let entries: Vec<(u64, Word)> =
                    terms.table_entries(table).iter().map(|&(key, value)| (key, of(value))).collect();
                let entries: Vec<(u64, &[Bit])> = entries.iter().map(|entry| (entry.0, &*entry.1)).collect();
                self.gates.lookup(&index, &entries, width)
            }
        }
    }

    fn unary(&mut self, op: Unary, a: &[Bit]) -> Word {
        let gates = &mut self.gates;
        match op {
            Unary::Not => word::not(a),
            Unary::Clz => word::resized(&gates.leading_zeros(a), a.len()),
            Unary::Ctz => word::resized(&gates.trailing_zeros(a), a.len()),
            Unary::Popcnt => gates.count_ones(a, a.len()),
            _ => float::unary(gates, op, a),
        }
    }

    fn binary(&mut self, op: Binary, a: &[Bit], b: &[Bit]) -> Word {
        let gates = &mut self.gates;
        match op {
            Binary::Add => gates.add(a, b),
            Binary::Sub => gates.subtract(a, b),
            Binary::Mul => gates.multiply(a, b, a.len()),
            Binary::UDiv => gates.divide(&mut self.divisions, a, b).0,
            Binary::URem => gates.divide(&mut self.divisions, a, b).1,
            Binary::SDiv => gates.signed_divide(&mut self.divisions, a, b).0,
            Binary::SRem => gates.signed_divide(&mut self.divisions, a, b).1,
            Binary::And => gates.zip(a, b, Gates::and),
            Binary::Or => gates.zip(a, b, Gates::or),
            Binary::Xor => gates.zip(a, b, Gates::xor),
            Binary::Shl => gates.shift_left(a, b),
            Binary::LShr => gates.shift_right(a, b, Bit::FALSE),
            Binary::AShr => {
                let sign = a.last().copied().unwrap_or(Bit::FALSE);
                gates.shift_right(a, b, sign)
            }
            Binary::Rotl => gates.rotate(&mut self.divisions, a, b, true),
            Binary::Rotr => gates.rotate(&mut self.divisions, a, b, false),
            Binary::Eq => vec![gates.same(a, b)],
            Binary::Ult => vec![gates.less(a, b, false)],
            Binary::Ule => vec![gates.less(a, b, true)],
            Binary::Slt => vec![gates.signed_less(a, b, false)],
            Binary::Sle => vec![gates.signed_less(a, b, true)],
            _ => float::binary(gates, &mut self.divisions, op, a, b),
        }
    }
}

/// Puts the bits that a range excludes: zeros above its greatest value, and what all its values have in the lowest bits.
fn restrict(word: &mut [Bit], range: Range) {
    let used = 64 - range.high.leading_zeros() as usize;
    if used < word.len() {
        word[used..].fill(Bit::FALSE);
    }
    let common = if range.step == 0 { 64 } else { range.step.trailing_zeros() as usize };
    for (at, bit) in word.iter_mut().enumerate().take(common) {
        *bit = Bit::constant(range.low >> at & 1 == 1);
    }
}
