//! SIMD: vectors of 128 bits as two values of 64, lane by lane.
//!
//! As with scalars an operator is first sorted into a kind of [`Vectorial`] computation (`decode.rs`) and then carried out,
//! with the operators of single lanes in `lane.rs`; what loads and stores do with lanes is in `access.rs`. Relaxed operators
//! do what wasmtime's deterministic ones do. The fused multiplications alone are not written in the algebra, which has no
//! such operator: [`fused`] computes them from numbers.

mod access;
mod decode;
pub mod fused;
mod lane;

pub use access::{loaded, stored};
pub use fused::Fused;
pub use lane::{Lane1, Lane2};

use super::is_zero;
use coax_term::{Algebra, Binary, Unary};

/// A vector: its lower 64 bits, then its upper.
pub type Vector<V> = [V; 2];

/// An operand or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<V> {
    /// An integer or float.
    Scalar(V),
    /// A vector.
    Vector(Vector<V>),
}

impl<V: Copy> Operand<V> {
    fn scalar(self) -> V {
        match self {
            Operand::Scalar(value) => value,
            Operand::Vector(_) => unreachable!("a validated operator has a scalar here"),
        }
    }

    fn vector(self) -> Vector<V> {
        match self {
            Operand::Vector(value) => value,
            Operand::Scalar(_) => unreachable!("a validated operator has a vector here"),
        }
    }
}

/// A kind of vector computation. `width` is always that of a lane, of the narrower lanes if there are two kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the fields say it")]
pub enum Vectorial {
    /// A constant.
    Constant(u128),
    /// All lanes are the lower bits of a scalar.
    Splat { width: u8 },
    /// A lane, extended to 32 bits if it is narrower.
    ExtractLane { width: u8, lane: u8, signed: bool },
    /// All lanes but one, which comes from a scalar.
    ReplaceLane { width: u8, lane: u8 },
    /// Bytes chosen from two vectors by constants.
    Shuffle([u8; 16]),
    /// Bytes chosen from a vector by another; zero for those that do not exist.
    Swizzle,
    /// Each lane by itself.
    Map1 { width: u8, lane: Lane1 },
    /// Pairs of lanes.
    Map2 { width: u8, lane: Lane2 },
    /// Each lane shifted by a scalar modulo the width.
    Shift { width: u8, op: Binary },
    /// Bits of the first vector where the third has ones, else of the second.
    Bitselect,
    /// Whether any bit is one.
    AnyTrue,
    /// Whether no lane is zero.
    AllTrue { width: u8 },
    /// The sign bits.
    Bitmask { width: u8 },
    /// Lanes of two vectors, halved in width, the nearest value where one does not fit.
    Narrow { width: u8, signed: bool },
    /// Half of the lanes, doubled in width.
    Extend { width: u8, high: bool, signed: bool },
    /// The products of half of the lanes, doubled in width.
    ExtendMultiply { width: u8, high: bool, signed: bool },
    /// Neighbours added, in double width.
    AddPairwise { width: u8, signed: bool },
    /// Products of lanes in double width, neighbours added.
    Dot { width: u8 },
    /// `Dot` of bytes, neighbours added once more and to a third vector.
    DotAdd,
    /// The two 64-bit lanes converted to 32 bits; zeros above.
    ConvertDown(Unary),
    /// The two lower 32-bit lanes converted to 64 bits.
    ConvertUp(Unary),
}

impl Vectorial {
    /// Carries out the computation; there must be as many operands as the operator has, of its types.
    pub fn apply<A: Algebra>(self, alg: &mut A, operands: &[Operand<A::Value>]) -> Operand<A::Value> {
        use Vectorial as V;
        let scalar = |index: usize| operands[index].scalar();
        let vector = |index: usize| operands[index].vector();
        Operand::Vector(match self {
            V::AnyTrue | V::AllTrue { .. } | V::Bitmask { .. } | V::ExtractLane { .. } => {
                return Operand::Scalar(self.reduce(alg, vector(0)));
            }
            V::Constant(bits) => [alg.constant(64, bits as u64), alg.constant(64, (bits >> 64) as u64)],
            V::Splat { width } => splat(alg, width, scalar(0)),
            V::ReplaceLane { width, lane } => replace(alg, width, vector(0), lane, scalar(1)),
            V::Shuffle(lanes) => pack(alg, 8, |alg, index| {
                let from = lanes[usize::from(index)];
                get(alg, 8, vector(usize::from(from / 16)), from % 16)
            }),
            V::Swizzle => swizzle(alg, vector(0), vector(1)),
            V::Map1 { width, lane } => pack(alg, width, |alg, index| {
                let a = get(alg, width, vector(0), index);
                lane.apply(alg, a)
            }),
            V::Map2 { width, lane } => map2(alg, width, lane, vector(0), vector(1)),
            V::Shift { width, op } => shift(alg, width, op, vector(0), scalar(1)),
            V::Bitselect => [0, 1].map(|half| {
                let mask = vector(2)[half];
                let first = alg.and(vector(0)[half], mask);
                let unmask = alg.not(mask);
                let second = alg.and(vector(1)[half], unmask);
                alg.or(first, second)
            }),
            V::Narrow { width, signed } => pack(alg, width, |alg, index| {
                let count = 64 / width;
                let wide = get(alg, width * 2, vector(usize::from(index / count)), index % count);
                lane::saturate(alg, wide, width, signed)
            }),
            V::Extend { width, high, signed } => {
                pack(alg, width * 2, |alg, index| get_half(alg, width, vector(0), index, high, signed))
            }
            V::ExtendMultiply { width, high, signed } => pack(alg, width * 2, |alg, index| {
                let a = get_half(alg, width, vector(0), index, high, signed);
                let b = get_half(alg, width, vector(1), index, high, signed);
                alg.binary(Binary::Mul, a, b)
            }),
            V::AddPairwise { width, signed } => add_pairwise(alg, width, vector(0), signed),
            V::Dot { width } => dot(alg, width, vector(0), vector(1)),
            V::DotAdd => {
                let products = dot(alg, 8, vector(0), vector(1));
                let sums = add_pairwise(alg, 16, products, true);
                map2(alg, 32, Lane2::Binary(Binary::Add), sums, vector(2))
            }
            V::ConvertDown(op) => {
                let [low, high] = vector(0).map(|lane| alg.unary(op, lane));
                [alg.concat(high, low), alg.constant(64, 0)]
            }
            V::ConvertUp(op) => pack(alg, 64, |alg, index| {
                let lane = get(alg, 32, vector(0), index);
                alg.unary(op, lane)
            }),
        })
    }

    /// Those whose result is a scalar.
    fn reduce<A: Algebra>(self, alg: &mut A, vector: Vector<A::Value>) -> A::Value {
        match self {
            Vectorial::ExtractLane { width, lane, signed } => {
                let lane = get(alg, width, vector, lane);
                match (width < 32, signed) {
                    (true, true) => alg.sign_extend(lane, 32),
                    (true, false) => alg.zero_extend(lane, 32),
                    (false, _) => lane,
                }
            }
            Vectorial::AllTrue { width } => {
                let mut all = alg.constant(1, 1);
                for index in 0..128 / width {
                    let lane = get(alg, width, vector, index);
                    let zero = is_zero(alg, lane);
                    let nonzero = alg.not(zero);
                    all = alg.and(all, nonzero);
                }
                alg.zero_extend(all, 32)
            }
            Vectorial::Bitmask { width } => {
                let sign = |alg: &mut A, index| {
                    let lane = get(alg, width, vector, index);
                    alg.extract(lane, width - 1, 1)
                };
                let mut mask = sign(alg, 0);
                for index in 1..128 / width {
                    let sign = sign(alg, index);
                    mask = alg.concat(sign, mask);
                }
                alg.zero_extend(mask, 32)
            }
            _ => {
                let bits = alg.or(vector[0], vector[1]);
                let zero = is_zero(alg, bits);
                let any = alg.not(zero);
                alg.zero_extend(any, 32)
            }
        }
    }
}

/// A lane of a vector.
fn get<A: Algebra>(alg: &mut A, width: u8, vector: Vector<A::Value>, index: u8) -> A::Value {
    let half = vector[usize::from(index * width / 64)];
    if width == 64 { half } else { alg.extract(half, index * width % 64, width) }
}

/// A lane of the lower or upper half of the lanes, doubled in width.
fn get_half<A: Algebra>(
    alg: &mut A,
    width: u8,
    vector: Vector<A::Value>,
    index: u8,
    high: bool,
    signed: bool,
) -> A::Value {
    let lane = get(alg, width, vector, if high { index + 64 / width } else { index });
    lane::widen(alg, lane, signed)
}

/// A vector whose lanes are computed one by one, the lowest first.
fn pack<A: Algebra>(
    alg: &mut A,
    width: u8,
    mut lane: impl FnMut(&mut A, u8) -> A::Value,
) -> Vector<A::Value> {
    let count = 64 / width;
    [0, count].map(|first| {
        let mut half = lane(alg, first);
        for index in first + 1..first + count {
            let next = lane(alg, index);
            half = alg.concat(next, half);
        }
        half
    })
}

fn splat<A: Algebra>(alg: &mut A, width: u8, scalar: A::Value) -> Vector<A::Value> {
    let lane = low(alg, scalar, width);
    pack(alg, width, |_, _| lane)
}

fn replace<A: Algebra>(
    alg: &mut A,
    width: u8,
    vector: Vector<A::Value>,
    lane: u8,
    scalar: A::Value,
) -> Vector<A::Value> {
    let new = low(alg, scalar, width);
    pack(alg, width, |alg, index| if index == lane { new } else { get(alg, width, vector, index) })
}

/// The lower bits.
fn low<A: Algebra>(alg: &mut A, value: A::Value, width: u8) -> A::Value {
    if alg.width(value) == width { value } else { alg.extract(value, 0, width) }
}

fn map2<A: Algebra>(
    alg: &mut A,
    width: u8,
    lane: Lane2,
    a: Vector<A::Value>,
    b: Vector<A::Value>,
) -> Vector<A::Value> {
    pack(alg, width, |alg, index| {
        let a = get(alg, width, a, index);
        let b = get(alg, width, b, index);
        lane.apply(alg, a, b)
    })
}

fn swizzle<A: Algebra>(alg: &mut A, bytes: Vector<A::Value>, indices: Vector<A::Value>) -> Vector<A::Value> {
    pack(alg, 8, |alg, index| {
        let wanted = get(alg, 8, indices, index);
        let mut chosen = alg.constant(8, 0);
        for place in 0..16 {
            let number = alg.constant(8, u64::from(place));
            let here = alg.eq(wanted, number);
            let byte = get(alg, 8, bytes, place);
            chosen = alg.ite(here, byte, chosen);
        }
        chosen
    })
}

fn shift<A: Algebra>(
    alg: &mut A,
    width: u8,
    op: Binary,
    vector: Vector<A::Value>,
    count: A::Value,
) -> Vector<A::Value> {
    let mask = alg.constant(32, u64::from(width) - 1);
    let count = alg.and(count, mask);
    let count = if width == 64 { alg.zero_extend(count, 64) } else { low(alg, count, width) };
    pack(alg, width, |alg, index| {
        let lane = get(alg, width, vector, index);
        alg.binary(op, lane, count)
    })
}

fn add_pairwise<A: Algebra>(
    alg: &mut A,
    width: u8,
    vector: Vector<A::Value>,
    signed: bool,
) -> Vector<A::Value> {
    pack(alg, width * 2, |alg, index| {
        let [a, b] = [0, 1].map(|next| {
            let lane = get(alg, width, vector, index * 2 + next);
            lane::widen(alg, lane, signed)
        });
        alg.binary(Binary::Add, a, b)
    })
}

fn dot<A: Algebra>(alg: &mut A, width: u8, a: Vector<A::Value>, b: Vector<A::Value>) -> Vector<A::Value> {
    pack(alg, width * 2, |alg, index| {
        let [first, second] = [0, 1].map(|next| {
            let [a, b] = [a, b].map(|vector| {
                let lane = get(alg, width, vector, index * 2 + next);
                lane::widen(alg, lane, true)
            });
            alg.binary(Binary::Mul, a, b)
        });
        alg.binary(Binary::Add, first, second)
    })
}
