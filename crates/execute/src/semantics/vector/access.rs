//! What vector loads and stores do with lanes.

use super::{Vector, get, lane, pack, replace, splat};
use coax_term::Algebra;
use wasmparser::Operator;

/// The vector that a load makes of what it read, as pieces of at most 64 bits with the lowest first; a load of one lane
/// takes the others from its operand. `None` if the operator is no vector load.
pub fn loaded<A: Algebra>(
    alg: &mut A,
    op: &Operator<'_>,
    read: &[A::Value],
    operand: Option<Vector<A::Value>>,
) -> Option<Vector<A::Value>> {
    use Operator as O;
    let mut extend = |width: u8, signed| {
        let zero = alg.constant(64, 0);
        pack(alg, width * 2, |alg, index| {
            let narrow = get(alg, width, [read[0], zero], index);
            lane::widen(alg, narrow, signed)
        })
    };
    Some(match op {
        O::V128Load { .. } => [read[0], read[1]],
        O::V128Load8x8S { .. } => extend(8, true),
        O::V128Load8x8U { .. } => extend(8, false),
        O::V128Load16x4S { .. } => extend(16, true),
        O::V128Load16x4U { .. } => extend(16, false),
        O::V128Load32x2S { .. } => extend(32, true),
        O::V128Load32x2U { .. } => extend(32, false),
        O::V128Load8Splat { .. } => splat(alg, 8, read[0]),
        O::V128Load16Splat { .. } => splat(alg, 16, read[0]),
        O::V128Load32Splat { .. } => splat(alg, 32, read[0]),
        O::V128Load64Splat { .. } => [read[0], read[0]],
        O::V128Load32Zero { .. } => [alg.zero_extend(read[0], 64), alg.constant(64, 0)],
        O::V128Load64Zero { .. } => [read[0], alg.constant(64, 0)],
        O::V128Load8Lane { lane, .. } => replace(alg, 8, operand?, *lane, read[0]),
        O::V128Load16Lane { lane, .. } => replace(alg, 16, operand?, *lane, read[0]),
        O::V128Load32Lane { lane, .. } => replace(alg, 32, operand?, *lane, read[0]),
        O::V128Load64Lane { lane, .. } => replace(alg, 64, operand?, *lane, read[0]),
        _ => return None,
    })
}

/// The pieces that a store writes of its vector, of at most 64 bits, the lowest first: one, or two equal halves. `None` if
/// the operator is no vector store.
pub fn stored<A: Algebra>(
    alg: &mut A,
    op: &Operator<'_>,
    vector: Vector<A::Value>,
) -> Option<(A::Value, Option<A::Value>)> {
    use Operator as O;
    Some(match op {
        O::V128Store { .. } => (vector[0], Some(vector[1])),
        O::V128Store8Lane { lane, .. } => (get(alg, 8, vector, *lane), None),
        O::V128Store16Lane { lane, .. } => (get(alg, 16, vector, *lane), None),
        O::V128Store32Lane { lane, .. } => (get(alg, 32, vector, *lane), None),
        O::V128Store64Lane { lane, .. } => (get(alg, 64, vector, *lane), None),
        _ => return None,
    })
}
