//! An operator as coax computes it, in several ways.

use super::Outcome;
use super::catalogue::Computation;
use crate::machine::reference::failure;
use crate::machine::{Failure, Value};
use crate::random::Random;
use coax_execute::TrapKind;
use coax_execute::reference::Stop;
use coax_execute::semantics::vector::{Fused, Operand, Vectorial};
use coax_execute::semantics::{Meaning, Scalar, Traps};
use coax_term::{Algebra, Bits, Concrete, Evaluator, Model, Term, Terms};
use wasmparser::ValType;

/// How an operator is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// On plain numbers.
    Numbers,
    /// By terms of constants, whose result must be one too.
    Constants,
    /// By terms of symbols, evaluated.
    Symbols,
    /// By terms of constants and symbols, evaluated.
    Mixed,
}

impl Way {
    pub(super) const ALL: [Way; 4] = [Way::Numbers, Way::Constants, Way::Symbols, Way::Mixed];
}

/// What computes.
#[derive(Clone, Copy)]
enum Kind {
    Scalar(Scalar),
    Vectorial(Vectorial),
    Fused(Fused),
}

/// An operator, with its meaning on symbols.
pub(super) struct Judged {
    kind: Kind,
    result: ValType,
    terms: Terms,
    symbolic: Option<Computed<Term>>,
    /// For terms that are used once.
    scratch: Terms,
    evaluator: Evaluator,
}

/// A meaning, of a scalar or of a vector.
#[derive(Clone, Copy)]
struct Computed<V> {
    traps: Traps<V>,
    result: Operand<V>,
}

impl Judged {
    /// `None` if coax does not know the operator.
    pub(super) fn new(computation: &Computation) -> Option<Judged> {
        let op = &computation.op;
        let kind = (Scalar::of(op).map(Kind::Scalar))
            .or_else(|| Vectorial::of(op).map(Kind::Vectorial))
            .or_else(|| Fused::of(op).map(Kind::Fused))?;
        let mut terms = Terms::new();
        let operands: Vec<Operand<Term>> =
            (0..).zip(&computation.params).map(|(place, &ty)| symbols(&mut terms, place, ty)).collect();
        let symbolic = kind.compute(&mut terms, &operands);
        let (result, scratch, evaluator) = (computation.result, Terms::new(), Evaluator::new());
        Some(Judged { kind, result, terms, symbolic, scratch, evaluator })
    }

    /// What the operator does; `None` if it is not computed in this way.
    pub(super) fn outcome(&mut self, way: Way, operands: &[Value], random: &mut Random) -> Option<Outcome> {
        match (way, self.kind) {
            (Way::Numbers, Kind::Fused(fused)) => {
                let vector = |index: usize| match operands[index] {
                    Value::V128(bits) => bits,
                    _ => unreachable!("fused operators take vectors"),
                };
                Some(Outcome::Returned(Value::V128(fused.apply([vector(0), vector(1), vector(2)]))))
            }
            (Way::Numbers, kind) => {
                let operands: Vec<_> = operands.iter().map(|&value| constant(&mut Concrete, value)).collect();
                let computed = kind.compute(&mut Concrete, &operands)?;
                Some(self.observe(computed, |value: Bits| value.bits))
            }
            (Way::Symbols, _) => {
                let computed = self.symbolic?;
                let model = model(&self.terms, operands);
                let Judged { terms, evaluator, .. } = &mut *self;
                evaluator.reset();
                let mut evaluator = std::mem::take(evaluator);
                let terms = std::mem::take(terms);
                let outcome = self.observe(computed, |term| evaluator.eval(&terms, &model, term));
                (self.terms, self.evaluator) = (terms, evaluator);
                Some(outcome)
            }
            (Way::Constants | Way::Mixed, kind) => {
                let mut terms = std::mem::take(&mut self.scratch);
                terms.clear();
                let choice = if way == Way::Mixed { random.next() } else { u64::MAX };
                let mut mixed = Vec::new();
                for (place, &value) in operands.iter().enumerate() {
                    mixed.push(if choice >> place & 1 == 1 {
                        constant(&mut terms, value)
                    } else {
                        symbols(&mut terms, place, type_of(value))
                    });
                }
                let computed = kind.compute(&mut terms, &mixed);
                let model = model(&terms, operands);
                let outcome = computed.map(|computed| {
                    self.observe(computed, |term| match (way, terms.as_constant(term)) {
                        (Way::Constants, None) => unreachable!("{kind:?} of constants is a constant"),
                        (_, Some(bits)) => bits,
                        (_, None) => terms.eval(term, &model),
                    })
                });
                self.scratch = terms;
                outcome
            }
        }
    }

    /// The outcome, as the values of the conditions and of the result say.
    fn observe<V: Copy>(&self, computed: Computed<V>, mut value: impl FnMut(V) -> u64) -> Outcome {
        for (condition, kind) in computed.traps.iter() {
            if value(condition) == 1 {
                return trapped(kind);
            }
        }
        Outcome::Returned(match computed.result {
            Operand::Scalar(result) => {
                let bits = value(result);
                match self.result {
                    ValType::I32 => Value::I32(bits as u32),
                    ValType::F32 => Value::F32(bits as u32),
                    ValType::F64 => Value::F64(bits),
                    _ => Value::I64(bits),
                }
            }
            Operand::Vector([low, high]) => {
                Value::V128(u128::from(value(high)) << 64 | u128::from(value(low)))
            }
        })
    }
}

impl std::fmt::Debug for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Scalar(scalar) => scalar.fmt(f),
            Kind::Vectorial(vectorial) => vectorial.fmt(f),
            Kind::Fused(fused) => fused.fmt(f),
        }
    }
}

impl Kind {
    /// `None` if it is not written in the algebra.
    fn compute<A: Algebra>(self, alg: &mut A, operands: &[Operand<A::Value>]) -> Option<Computed<A::Value>> {
        match self {
            Kind::Scalar(scalar) => {
                let scalars: Vec<A::Value> = operands
                    .iter()
                    .map(|operand| match operand {
                        Operand::Scalar(value) => *value,
                        Operand::Vector(_) => unreachable!("a scalar operator has scalar operands"),
                    })
                    .collect();
                let Meaning { traps, result } = scalar.apply(alg, &scalars);
                Some(Computed { traps, result: Operand::Scalar(result) })
            }
            Kind::Vectorial(vectorial) => {
                Some(Computed { traps: Traps::NONE, result: vectorial.apply(alg, operands) })
            }
            Kind::Fused(_) => None,
        }
    }
}

fn trapped(kind: TrapKind) -> Outcome {
    match failure(Stop::Trap { kind, at: None }) {
        Failure::Trap(trap) => Outcome::Trapped(trap),
        other => unreachable!("no operator ends with {other}"),
    }
}

fn type_of(value: Value) -> ValType {
    match value {
        Value::I32(_) => ValType::I32,
        Value::F32(_) => ValType::F32,
        Value::F64(_) => ValType::F64,
        Value::V128(_) => ValType::V128,
        _ => ValType::I64,
    }
}

/// The pieces of a value: width and bits, lowest first.
fn pieces(value: Value) -> Vec<(u8, u64)> {
    match value {
        Value::I32(bits) | Value::F32(bits) => vec![(32, u64::from(bits))],
        Value::I64(bits) | Value::F64(bits) => vec![(64, bits)],
        Value::V128(bits) => vec![(64, bits as u64), (64, (bits >> 64) as u64)],
        other => unreachable!("{other:?} is no operand of a computation"),
    }
}

fn operand<V: Copy>(pieces: &[V]) -> Operand<V> {
    match *pieces {
        [low, high] => Operand::Vector([low, high]),
        _ => Operand::Scalar(pieces[0]),
    }
}

fn constant<A: Algebra>(alg: &mut A, value: Value) -> Operand<A::Value> {
    let pieces: Vec<A::Value> =
        pieces(value).into_iter().map(|(width, bits)| alg.constant(width, bits)).collect();
    operand(&pieces)
}

/// The operand at a place as symbols.
fn symbols(terms: &mut Terms, place: usize, ty: ValType) -> Operand<Term> {
    let widths: &[u8] = match ty {
        ValType::I32 | ValType::F32 => &[32],
        ValType::V128 => &[64, 64],
        _ => &[64],
    };
    let pieces: Vec<Term> =
        (0..).zip(widths).map(|(piece, &width)| terms.symbol(&name(place, piece), width)).collect();
    operand(&pieces)
}

fn name(place: usize, piece: usize) -> String {
    format!("operand{place}.{piece}")
}

/// What the symbols stand for.
fn model(terms: &Terms, operands: &[Value]) -> Model {
    let mut model = Model::new();
    for (place, &value) in operands.iter().enumerate() {
        for (piece, (_, bits)) in pieces(value).into_iter().enumerate() {
            if let Some(symbol) = terms.find_symbol(&name(place, piece)) {
                model.set(symbol, bits);
            }
        }
    }
    model
}
