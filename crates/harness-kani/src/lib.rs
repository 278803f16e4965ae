//! Kani's names for what the `coax` crate offers: `#[cfg(kani)]` harnesses compile as they are, and each
//! `#[kani::proof]` is an entry that coax can run.
//!
//! A run is not a proof: `unwind` and `solver` say how a model checker should work, and mean nothing here. `should_panic` and
//! `stub_verified` are not followed, and a run says so. A run of a harness with stubs would be one of another program: it says so and
//! does not count. Contracts are not checked; a `proof_for_contract` is therefore no entry.

pub mod slice;
pub mod vec;

pub use coax::arbitrary::Arbitrary;
pub use coax::{any, any_where, assume};
pub use coax_macros::{
    ignored as ensures, ignored as modifies, ignored as proof_for_contract, ignored as recursion,
    ignored as requires, ignored as solver, ignored as unwind, not_applied as stub, should_panic,
    stub_verified, test as proof, KaniArbitrary as Arbitrary,
};

/// Ends a run of a harness that wants functions replaced.
#[doc(hidden)]
pub fn without_stubs(wanted: &str) {
    let words =
        format!("`#[kani::stub({wanted})]` is not supported: the run does not count. Remove it, or call the other function.\n");
    // There is nobody to tell if this cannot be told.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), words.as_bytes());
    assume(false);
}

/// A place that tests should reach. [`cover!`] is the way to call it.
#[doc(hidden)]
pub use coax::cover as covered;

/// A place that tests should reach: `cover!()`, or only if a condition holds, or under a message.
#[macro_export]
macro_rules! cover {
    () => {
        $crate::covered(concat!(file!(), ":", line!()))
    };
    ($condition:expr $(,)?) => {
        if $condition {
            $crate::covered(stringify!($condition))
        }
    };
    ($condition:expr, $message:literal $(,)?) => {
        if $condition {
            $crate::covered($message)
        }
    };
}

/// If the first holds, so does the second.
#[macro_export]
macro_rules! implies {
    ($premise:expr => $conclusion:expr) => {
        !($premise) || ($conclusion)
    };
}

/// The run fails here unless this holds.
pub fn assert(condition: bool, message: &'static str) {
    assert!(condition, "{message}");
}

/// The same as [`assert`].
pub fn check(condition: bool, message: &'static str) {
    assert!(condition, "{message}");
}

/// A type of which values up to a size can be asked for.
pub trait BoundedArbitrary: Sized {
    /// Any value of at most this size.
    fn bounded_any<const N: usize>() -> Self;
}

/// Any value of at most this size.
pub fn bounded_any<T: BoundedArbitrary, const N: usize>() -> T {
    T::bounded_any::<N>()
}

impl<T: Arbitrary> BoundedArbitrary for Vec<T> {
    fn bounded_any<const N: usize>() -> Vec<T> {
        coax::any_vec(N)
    }
}

impl BoundedArbitrary for String {
    fn bounded_any<const N: usize>() -> String {
        coax::any_string(N)
    }
}

impl<T: Arbitrary> BoundedArbitrary for Box<[T]> {
    fn bounded_any<const N: usize>() -> Box<[T]> {
        coax::any_vec(N).into()
    }
}

impl<T: BoundedArbitrary> BoundedArbitrary for Option<T> {
    fn bounded_any<const N: usize>() -> Option<T> {
        any::<bool>().then(T::bounded_any::<N>)
    }
}
