//! What a question consists of: symbols and applications of its terms, and the gates that its bits depend on, with the value that each
//! has under the question's hint.

use super::encode::Encoder;
use super::gates::{Bit, Gate, Gates};
use crate::marks::Numbers;
use crate::{Budget, Looks, Query, Spent};
use coax_term::{Model, Node, Term, Terms};

/// The symbols and applications in the conditions of a question.
#[derive(Default)]
pub(super) struct Leaves {
    /// Terms that are symbols.
    pub(super) symbols: Vec<Term>,
    /// Terms that are applications of unknown functions.
    pub(super) applications: Vec<Term>,
    seen: Numbers,
    stack: Vec<Term>,
}

impl Leaves {
    pub(super) fn find(&mut self, terms: &Terms, query: &Query<'_>, budget: &Budget) -> Result<(), Spent> {
        let mut looks = Looks::default();
        self.stack.clear();
        self.symbols.clear();
        self.applications.clear();
        self.seen.clear(terms.len());
        self.stack.extend(query.conditions());
        while let Some(term) = self.stack.pop() {
            if !self.seen.insert(term.index()) {
                continue;
            }
            looks.look(budget)?;
            let node = terms.node(term);
            match node {
                Node::Symbol(_) => self.symbols.push(term),
                Node::Apply { .. } => self.applications.push(term),
                _ => {}
            }
            terms.operands(node, |operand| self.stack.push(operand));
        }
        self.applications.sort_unstable();
        Ok(())
    }
}

/// The gates that some bits depend on.
#[derive(Default)]
pub(super) struct Cone {
    /// Operands before what is made of them.
    gates: Vec<u32>,
    /// By gate, of those in the cone: what it is if inputs are as in the hint.
    values: Vec<bool>,
    seen: Numbers,
    /// Gates to visit, and those whose operands were.
    stack: Vec<(u32, bool)>,
}

impl Cone {
    /// The cone of these bits.
    pub(super) fn find(&mut self, gates: &Gates, roots: &[Bit], budget: &Budget) -> Result<(), Spent> {
        let mut looks = Looks::default();
        self.stack.clear();
        self.gates.clear();
        self.seen.clear(gates.len());
        self.values.resize(gates.len(), false);
        for root in roots {
            self.stack.push((root.gate() as u32, false));
            while let Some((number, operands_done)) = self.stack.pop() {
                if operands_done {
                    self.gates.push(number);
                } else if self.seen.insert(number as usize) {
                    looks.look(budget)?;
                    self.stack.push((number, true));
                    gates.gate(number as usize).operands(|bit| self.stack.push((bit.gate() as u32, false)));
                }
            }
        }
        Ok(())
    }

    /// How many gates there are.
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    /// Evaluates the gates where symbols have the values of the hint.
    pub(super) fn evaluate(
        &mut self,
        terms: &Terms,
        encoder: &Encoder,
        symbols: &[Term],
        hint: &Model,
        budget: &Budget,
    ) -> Result<(), Spent> {
        let mut looks = Looks::default();
        for &term in symbols {
            let Node::Symbol(symbol) = terms.node(term) else { continue };
            let value = hint.get(symbol);
            for (at, bit) in encoder.word(terms, term).iter().enumerate() {
                self.values[bit.gate()] = value >> at & 1 == 1;
            }
        }
        for &number in &self.gates {
            looks.look(budget)?;
            let of = |bit: Bit| self.values[bit.gate()] != bit.is_negated();
            let number = number as usize;
            self.values[number] = match encoder.gates.gate(number) {
                Gate::Constant => false,
                Gate::Input => self.values[number],
                Gate::And(a, b) => of(a) & of(b),
                Gate::Xor(a, b) => of(a) ^ of(b),
                Gate::Xor3(a, b, c) => of(a) ^ of(b) ^ of(c),
                Gate::Ite(c, a, b) => of(if of(c) { a } else { b }),
                Gate::Majority(a, b, c) => of(a) & of(b) | of(c) & (of(a) | of(b)),
            };
        }
        Ok(())
    }

    /// The gates with their values.
    pub(super) fn values(&self) -> impl Iterator<Item = (usize, bool)> + '_ {
        self.gates.iter().map(|&number| (number as usize, self.values[number as usize]))
    }
}
