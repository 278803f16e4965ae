//! `kani::slice`.

use crate::Arbitrary;

/// Any part of an array.
pub fn any_slice_of_array<T, const LENGTH: usize>(array: &[T; LENGTH]) -> &[T] {
    coax::any_array_slice(array)
}

/// Any part of an array, to be changed.
pub fn any_slice_of_array_mut<T, const LENGTH: usize>(array: &mut [T; LENGTH]) -> &mut [T] {
    coax::any_array_slice_mut(array)
}

/// Any slice of at most this many elements; it lives as long as the run.
pub fn any_slice<T: Arbitrary, const MOST: usize>() -> &'static [T] {
    coax::any_vec(MOST).leak()
}
