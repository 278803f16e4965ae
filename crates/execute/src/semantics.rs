//! What the operators of wasm mean, written once, over any [`Algebra`].
//!
//! Over plain numbers the meaning runs, over terms it describes. The reference interpreter, the host's side of the
//! instrumented engine and everything that later reasons about programs use these functions and no others; the spec
//! testsuite and a comparison with wasmtime, operator by operator, judge them.
//!
//! | file | what |
//! |---|---|
//! | [`scalar`] | integers and floats: [`numeric`] |
//! | [`vector`] | SIMD, lane by lane |
//! | [`memory`] | loads and stores: widths, extensions, bounds |
//! | [`choice`] | conditions of branches and switches |
//! | [`window`] | memory accesses whose address is a term |
//! | [`events`] | what is recorded of an operator, and in which order |

pub mod choice;
pub mod events;
pub mod memory;
pub mod scalar;
pub mod vector;
pub mod window;

pub use choice::{switch, truth};
pub use scalar::{Scalar, numeric};

use crate::TrapKind;
use coax_term::Algebra;

/// What an operator does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning<V> {
    /// When it traps.
    pub traps: Traps<V>,
    /// Its result if it does not trap.
    pub result: V,
}

/// The conditions on which an operator traps, in the order they are checked.
///
/// Each counts only if those before it do not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traps<V>([Option<(V, TrapKind)>; 2]);

impl<V: Copy> Traps<V> {
    /// It never traps.
    pub const NONE: Self = Traps([None, None]);

    /// It traps on this condition.
    pub fn one(condition: V, kind: TrapKind) -> Self {
        Traps([Some((condition, kind)), None])
    }

    /// It traps on either condition; the first is checked first.
    pub fn two(first: (V, TrapKind), second: (V, TrapKind)) -> Self {
        Traps([Some(first), Some(second)])
    }

    /// The conditions (true: it traps) with the kind of trap, in the order they are checked.
    pub fn iter(&self) -> impl Iterator<Item = (V, TrapKind)> + use<V> {
        self.0.into_iter().flatten()
    }
}

/// The condition that a value is zero.
#[inline]
fn is_zero<A: Algebra>(alg: &mut A, value: A::Value) -> A::Value {
    let width = alg.width(value);
    let zero = alg.constant(width, 0);
    alg.eq(value, zero)
}

/// The condition that `a` is at most `b`, both unsigned.
#[inline]
fn at_most<A: Algebra>(alg: &mut A, a: A::Value, b: A::Value) -> A::Value {
    alg.binary(coax_term::Binary::Ule, a, b)
}
