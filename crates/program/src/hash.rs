//! A function's identity across versions.

/// Hash of a function's code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncHash(pub u128);
