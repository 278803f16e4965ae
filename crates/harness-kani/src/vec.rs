//! `kani::vec`.

use crate::Arbitrary;

/// Any vector of at most this many elements.
pub fn any_vec<T: Arbitrary, const MOST: usize>() -> Vec<T> {
    coax::any_vec(MOST)
}

/// Any vector of exactly this many elements.
pub fn exact_vec<T: Arbitrary, const LENGTH: usize>() -> Vec<T> {
    T::any_array::<LENGTH>().into()
}
