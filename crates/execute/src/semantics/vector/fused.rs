//! Fused multiplication and addition: rounded once.
//!
//! The algebra has no such operator. Vectors are never terms, so numbers are enough.

use wasmparser::Operator;

/// A fused operator: `a * b + c` in each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fused {
    /// 32 or 64: the width of a lane.
    width: u8,
    /// Whether `a` is negated first.
    negated: bool,
}

impl Fused {
    /// The computation that an operator does; `None` if it is of another kind.
    pub fn of(op: &Operator<'_>) -> Option<Fused> {
        let fused = |width, negated| Some(Fused { width, negated });
        match op {
            Operator::F32x4RelaxedMadd => fused(32, false),
            Operator::F32x4RelaxedNmadd => fused(32, true),
            Operator::F64x2RelaxedMadd => fused(64, false),
            Operator::F64x2RelaxedNmadd => fused(64, true),
            _ => None,
        }
    }

    /// Carries out the computation on vectors with lane 0 in the lowest bits.
    pub fn apply(self, [a, b, c]: [u128; 3]) -> u128 {
        let lane = |vector: u128, index: u8| vector >> (index * self.width);
        let mut result = 0;
        for index in 0..128 / self.width {
            let [a, b, c] = [a, b, c].map(|vector| lane(vector, index));
            let bits = if self.width == 32 {
                u128::from(self.fuse_f32([a, b, c].map(|bits| f32::from_bits(bits as u32))))
            } else {
                u128::from(self.fuse_f64([a, b, c].map(|bits| f64::from_bits(bits as u64))))
            };
            result |= bits << (index * self.width);
        }
        result
    }

    fn fuse_f32(self, [a, b, c]: [f32; 3]) -> u32 {
        let result = if self.negated { (-a).mul_add(b, c) } else { a.mul_add(b, c) };
        if result.is_nan() { 0x7fc0_0000 } else { result.to_bits() }
    }

    fn fuse_f64(self, [a, b, c]: [f64; 3]) -> u64 {
        let result = if self.negated { (-a).mul_add(b, c) } else { a.mul_add(b, c) };
        if result.is_nan() { 0x7ff8_0000_0000_0000 } else { result.to_bits() }
    }
}
