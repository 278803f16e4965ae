//! Values whose length is an input too.
//!
//! As many elements as there can be are asked for, and then a length: so the length stays an input that every use of
//! an element says something about, rather than a number that was chosen before.

use crate::{assume, requests, Arbitrary};
use std::ops::Range;

/// Any vector with at most `most` elements.
pub fn any_vec<T: Arbitrary>(most: usize) -> Vec<T> {
    any_vec_named(most, "vec")
}

/// Any vector with at most `most` elements, under this name.
pub fn any_vec_named<T: Arbitrary>(most: usize, name: &str) -> Vec<T> {
    let mut elements = T::any_elements(most, name);
    elements.truncate(any_length(most, name));
    elements
}

/// Any string of at most `most` bytes.
pub fn any_string(most: usize) -> String {
    any_string_named(most, "string")
}

/// Any string of at most `most` bytes, under this name.
pub fn any_string_named(most: usize, name: &str) -> String {
    let text = String::from_utf8(any_vec_named(most, name));
    assume(text.is_ok());
    text.unwrap_or_default()
}

/// Any part of a slice.
pub fn any_array_slice<T>(whole: &[T]) -> &[T] {
    whole.get(any_range(whole.len())).unwrap_or_default()
}

/// Any part of a slice, to be changed.
pub fn any_array_slice_mut<T>(whole: &mut [T]) -> &mut [T] {
    whole.get_mut(any_range(whole.len())).unwrap_or_default()
}

/// Where a part of so many elements begins and ends.
fn any_range(length: usize) -> Range<usize> {
    let end = any_up_to(length, "slice.end");
    let begin = any_up_to(length, "slice.begin");
    assume(begin <= end);
    begin..end
}

/// A length of at most `most`, of what is called so.
fn any_length(most: usize, name: &str) -> usize {
    any_up_to(most, &format!("{name}.length"))
}

/// A number of at most `most`.
fn any_up_to(most: usize, name: &str) -> usize {
    let end = i32::try_from(most).ok().and_then(|most| most.checked_add(1)).unwrap_or(i32::MAX);
    usize::try_from(requests::range(0, end, name)).unwrap_or_default()
}
