//! What a test harness asks coax for.
//!
//! ```
//! #[coax::test]
//! fn halves_are_smaller() {
//!     let x: u32 = coax::any_named("x");
//!     coax::assume(x > 0);
//!     assert!(x / 2 < x);
//!     coax::cover!(x % 2 == 1, "odd");
//! }
//! ```
//!
//! Each function with `#[coax::test]` is an entry: `coax … --entry halves_are_smaller`, or none if there is only
//! one. A run of coax answers the questions; they are imports of the compiled module. Elsewhere the crate compiles
//! too, and a harness that is called says that there is nobody to ask.
//!
//! coax brings the crate along: a file or project that says `coax::` needs no dependency for it to be found, and is
//! compiled with `--cfg coax`.

pub mod arbitrary;
mod collections;
mod requests;

pub use arbitrary::Arbitrary;
pub use coax_macros::{test, Arbitrary};
pub use collections::{
    any_array_slice, any_array_slice_mut, any_string, any_string_named, any_vec, any_vec_named,
};

/// Any value of a type. Its parts are called after the type: `u32`, `Point.x`.
pub fn any<T: Arbitrary>() -> T {
    T::any()
}

/// Any value of a type, under this name.
pub fn any_named<T: Arbitrary>(name: &str) -> T {
    T::any_named(name)
}

/// Any value of a type for which this holds.
pub fn any_where<T: Arbitrary>(holds: impl FnOnce(&T) -> bool) -> T {
    let value = T::any();
    assume(holds(&value));
    value
}

/// Any number with `begin <= number < end`.
pub fn any_in(begin: i32, end: i32, name: &str) -> i32 {
    requests::range(begin, end, name)
}

/// Only runs in which this holds count; a run in which it does not ends here.
pub fn assume(condition: bool) {
    requests::assume(condition)
}

/// Marks a place that tests should reach. [`cover!`] is the way to call it.
pub fn cover(label: &str) {
    requests::cover(label)
}

/// A place that tests should reach: `cover!()`, or only if a condition holds, or under a label.
#[macro_export]
macro_rules! cover {
    () => {
        $crate::cover(concat!(file!(), ":", line!()))
    };
    ($condition:expr $(,)?) => {
        if $condition {
            $crate::cover(stringify!($condition))
        }
    };
    ($condition:expr, $label:expr $(,)?) => {
        if $condition {
            $crate::cover($label)
        }
    };
}
