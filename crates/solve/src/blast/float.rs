//! Floats as circuits.

use super::divide::Divisions;
use super::gates::{Bit, Gates};
use super::word::Word;
use coax_term::{Binary, Unary};

pub(super) fn unary(_gates: &mut Gates, _divisions: &mut Divisions, _op: Unary, _a: &[Bit]) -> Word {
    unreachable!()
}

pub(super) fn binary(
    _gates: &mut Gates,
    _divisions: &mut Divisions,
    _op: Binary,
    _a: &[Bit],
    _b: &[Bit],
) -> Word {
    unreachable!()
}
