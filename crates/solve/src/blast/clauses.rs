//! Gates as clauses (Tseitin, 1968), made when they are first needed.
//!
//! Clauses say what a gate is in both directions, so they stay right for every question. Chains of `and` whose links nobody else uses become
//! one gate of many operands.

use super::cone::Cone;
use super::gates::{Bit, Gate, Gates};
use super::sat::{Literal, Solver};
use crate::{Budget, Looks, Spent};

/// The clauses of some of the gates.
#[derive(Default)]
pub(super) struct Clauses<S> {
    pub(super) solver: S,
    /// By gate; 0: it has none yet.
    variables: Vec<Literal>,
    /// Gates that have a variable.
    with_variable: Vec<usize>,
    /// Those of them that do not have their clauses yet.
    waiting: Vec<usize>,
    looks: Looks,
}

impl<S: Solver> Clauses<S> {
    /// Forgets all clauses. Takes no time for gates that have none.
    pub(super) fn clear(&mut self) {
        self.solver = S::default();
        for gate in self.with_variable.drain(..) {
            self.variables[gate] = 0;
        }
        self.waiting.clear();
    }

    /// The literal of a bit, which is no constant, once the clauses of all that it depends on are there.
    pub(super) fn literal(&mut self, gates: &Gates, bit: Bit, budget: &Budget) -> Result<Literal, Spent> {
        let literal = self.named(bit);
        self.define_waiting(gates, budget)?;
        Ok(literal)
    }

    /// Says that a bit is true, for all questions.
    pub(super) fn assert(&mut self, gates: &Gates, bit: Bit, budget: &Budget) -> Result<(), Spent> {
        let literal = self.literal(gates, bit, budget)?;
        self.solver.clause(&[literal]);
        Ok(())
    }

    /// The value of a bit in the solution; none if it does not matter.
    pub(super) fn value(&self, bit: Bit) -> Option<bool> {
        if bit.is_constant() {
            return Some(bit == Bit::TRUE);
        }
        Some(self.solver.value(self.variable(bit)?)? != bit.is_negated())
    }

    /// Begins a question: what it is about, and what to try first.
    pub(super) fn focus(&mut self, cone: &Cone, budget: &Budget) -> Result<(), Spent> {
        self.solver.begin_question();
        for (gate, value) in cone.values() {
            self.looks.look(budget)?;
            if let Some(&variable) = self.variables.get(gate).filter(|&&variable| variable != 0) {
                self.solver.question(variable, value);
            }
        }
        Ok(())
    }

    fn variable(&self, bit: Bit) -> Option<Literal> {
        self.variables.get(bit.gate()).copied().filter(|&variable| variable != 0)
    }

    /// The literal of a bit; the clauses of its gate follow.
    fn named(&mut self, bit: Bit) -> Literal {
        let gate = bit.gate();
        if gate >= self.variables.len() {
            self.variables.resize(gate + 1, 0);
        }
        if self.variables[gate] == 0 {
            self.variables[gate] = self.solver.variable();
            self.with_variable.push(gate);
            self.waiting.push(gate);
        }
        if bit.is_negated() { -self.variables[gate] } else { self.variables[gate] }
    }

    /// What is not done when the budget ends waits for the next question.
    fn define_waiting(&mut self, gates: &Gates, budget: &Budget) -> Result<(), Spent> {
        while let Some(gate) = self.waiting.pop() {
            self.define(gates, gate);
            self.looks.look(budget)?;
        }
        Ok(())
    }

    fn define(&mut self, gates: &Gates, number: usize) {
        let out = self.variables[number];
        match gates.gate(number) {
            // No literal of a constant is ever needed, save where all is contradictory.
            Gate::Constant => self.solver.clause(&[-out]),
            Gate::Input => {}
            Gate::And(a, b) => {
                let mut none: Vec<Literal> = vec![out];
                for bit in leaves(gates, a, b) {
                    let operand = self.named(bit);
                    self.solver.clause(&[-out, operand]);
                    none.push(-operand);
                }
                self.solver.clause(&none);
            }
            Gate::Xor(a, b) => {
                let (a, b) = (self.named(a), self.named(b));
                for [x, y, z] in [[-out, a, b], [-out, -a, -b], [out, -a, b], [out, a, -b]] {
                    self.solver.clause(&[x, y, z]);
                }
            }
            Gate::Xor3(a, b, c) => {
                let (a, b, c) = (self.named(a), self.named(b), self.named(c));
                for negated in 0..8 {
                    let sign =
                        |literal: Literal, at: u32| if negated >> at & 1 == 1 { -literal } else { literal };
                    let odd = (negated as u32).count_ones() % 2 == 1;
                    self.solver.clause(&[sign(a, 0), sign(b, 1), sign(c, 2), if odd { out } else { -out }]);
                }
            }
            Gate::Ite(c, a, b) => {
                let (c, a, b) = (self.named(c), self.named(a), self.named(b));
                for [x, y, z] in [[-c, -a, out], [-c, a, -out], [c, -b, out], [c, b, -out]] {
                    self.solver.clause(&[x, y, z]);
                }
                // These follow, but not by propagation: if both arms are the same, the condition does not matter.
                self.solver.clause(&[-a, -b, out]);
                self.solver.clause(&[a, b, -out]);
            }
            Gate::Majority(a, b, c) => {
                let (a, b, c) = (self.named(a), self.named(b), self.named(c));
                for (x, y) in [(a, b), (a, c), (b, c)] {
                    self.solver.clause(&[-x, -y, out]);
                    self.solver.clause(&[x, y, -out]);
                }
            }
        }
    }
}

/// The operands of an `and`, and instead of those that are an `and` for it alone, theirs.
fn leaves(gates: &Gates, a: Bit, b: Bit) -> Vec<Bit> {
    let mut leaves = Vec::new();
    let mut open = vec![b, a];
    while let Some(bit) = open.pop() {
        match gates.as_and(bit) {
            Some((c, d)) if gates.is_used_once(bit.gate()) => open.extend([d, c]),
            _ => leaves.push(bit),
        }
    }
    leaves
}
