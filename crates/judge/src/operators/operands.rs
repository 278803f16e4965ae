//! Operands where operators have their corners, and random ones.

use crate::machine::Value;
use crate::random::Random;
use wasmparser::ValType;

/// At least so many tuples of operands: all pairs of corners for one or two scalars, the rest random.
pub(super) fn tuples(types: &[ValType], count: usize, random: &mut Random) -> Vec<Vec<Value>> {
    let mut tuples: Vec<Vec<Value>> = match types {
        [only] => corners(*only).into_iter().map(|value| vec![value]).collect(),
        [first, second] => {
            let seconds = corners(*second);
            let pairs = |first| seconds.iter().map(move |&second| vec![first, second]);
            corners(*first).into_iter().flat_map(pairs).collect()
        }
        _ => Vec::new(),
    };
    while tuples.len() < count {
        tuples.push(types.iter().map(|&ty| value(ty, random)).collect());
    }
    tuples
}

const INTEGERS: [u64; 26] = [
    0,
    1,
    2,
    3,
    7,
    8,
    15,
    16,
    31,
    32,
    33,
    63,
    64,
    65,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    i64::MAX as u64,
    i64::MIN as u64,
];

/// Numbers at the borders of conversions and roundings; their neighbours and negatives are corners too.
const FLOATS: [f64; 16] = [
    0.0,
    0.5,
    1.0,
    1.5,
    2.5,
    1e-3,
    3.0,
    8388608.0,
    16777216.0,
    2147483648.0,
    4294967296.0,
    4503599627370496.0,
    9007199254740992.0,
    9223372036854775808.0,
    18446744073709551616.0,
    1e30,
];

/// Bits of floats that are no ordinary numbers: subnormal, smallest and largest normal, infinity, NaNs (canonical, with a
/// payload, signalling).
const F32_BITS: [u32; 9] = [
    0x0000_0001,
    0x007f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0x7f80_0000,
    0x7fc0_0000,
    0x7fc1_2345,
    0x7f80_0001,
    0x7fbf_ffff,
];
const F64_BITS: [u64; 9] = [
    0x0000_0000_0000_0001,
    0x000f_ffff_ffff_ffff,
    0x0010_0000_0000_0000,
    0x7fef_ffff_ffff_ffff,
    0x7ff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0x7ff8_1234_5678_9abc,
    0x7ff0_0000_0000_0001,
    0x7ff7_ffff_ffff_ffff,
];

fn integers() -> Vec<u64> {
    INTEGERS.into_iter().flat_map(|value| [value, value.wrapping_neg()]).collect()
}

fn f32_corners() -> Vec<u32> {
    let near = FLOATS.into_iter().flat_map(|value| {
        let value = value as f32;
        [value, value.next_up(), value.next_down()].map(f32::to_bits)
    });
    near.chain(F32_BITS).flat_map(|bits| [bits, bits ^ 1 << 31]).collect()
}

fn f64_corners() -> Vec<u64> {
    let near = FLOATS.into_iter().flat_map(|value| {
        // Between two neighbours of the narrower format, for demotion.
        let half = f64::from((value as f32).next_up()) / 2.0 + value / 2.0;
        [value, value.next_up(), value.next_down(), half].map(f64::to_bits)
    });
    near.chain(F64_BITS).flat_map(|bits| [bits, bits ^ 1 << 63]).collect()
}

fn corners(ty: ValType) -> Vec<Value> {
    match ty {
        ValType::I32 => integers().into_iter().map(|value| Value::I32(value as u32)).collect(),
        ValType::F32 => f32_corners().into_iter().map(Value::F32).collect(),
        ValType::F64 => f64_corners().into_iter().map(Value::F64).collect(),
        ValType::I64 => integers().into_iter().map(Value::I64).collect(),
        // Too many to list: see `vector`.
        _ => Vec::new(),
    }
}

fn value(ty: ValType, random: &mut Random) -> Value {
    if ty == ValType::V128 {
        return Value::V128(vector(random));
    }
    if random.below(3) == 0 {
        return random.pick(&corners(ty));
    }
    match ty {
        ValType::I32 => Value::I32(random.next() as u32),
        ValType::F32 => Value::F32(random.next() as u32),
        ValType::F64 => Value::F64(random.next()),
        _ => Value::I64(random.next()),
    }
}

/// A vector of lanes of some kind, each a corner or random.
fn vector(random: &mut Random) -> u128 {
    let kind = random.below(5);
    let width = [8, 16, 32, 32, 64][kind];
    let mut vector = 0;
    for _ in 0..128 / width {
        let lane = match (random.below(3), kind) {
            (0, _) => random.next(),
            (_, 3) => u64::from(random.pick(&f32_corners())),
            (_, 4) if random.below(2) == 0 => random.pick(&f64_corners()),
            _ => random.pick(&integers()),
        };
        vector = vector << width | u128::from(lane & u64::MAX >> (64 - width));
    }
    vector
}
