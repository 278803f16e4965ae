//! Types of which any value can be asked for.

use std::array;
use std::marker::{PhantomData, PhantomPinned};
use std::time::Duration;

use crate::{assume, requests};

/// A type of which any value can be asked for. `#[derive(coax::Arbitrary)]` makes a struct or an enum one.
pub trait Arbitrary: Sized {
    /// Any value.
    fn any() -> Self;

    /// Any value, under a name.
    fn any_named(name: &str) -> Self {
        let _ = name;
        Self::any()
    }

    /// Any array of such values.
    fn any_array<const N: usize>() -> [Self; N] {
        array::from_fn(|_| Self::any())
    }

    /// Any array of such values, under a name.
    fn any_array_named<const N: usize>(name: &str) -> [Self; N] {
        array::from_fn(|index| Self::any_named(&format!("{name}[{index}]")))
    }

    /// Any vector of this length, under a name.
    fn any_elements(length: usize, name: &str) -> Vec<Self> {
        (0..length).map(|index| Self::any_named(&format!("{name}[{index}]"))).collect()
    }

    /// One of the numbers below `count`: which variant an enum has.
    #[doc(hidden)]
    fn any_variant(count: i32, name: &str) -> i32 {
        requests::range(0, count, name)
    }
}

/// Numbers that there is a request for.
macro_rules! numbers {
    ($($ty:ident)*) => {
        $(impl Arbitrary for $ty {
            fn any() -> $ty {
                requests::$ty(stringify!($ty))
            }

            fn any_named(name: &str) -> $ty {
                requests::$ty(name)
            }
        })*
    };
}

numbers!(i8 i16 u16 i32 u32 i64 u64 f32 f64 bool usize);

impl Arbitrary for u8 {
    fn any() -> u8 {
        requests::u8("u8")
    }

    fn any_named(name: &str) -> u8 {
        requests::u8(name)
    }

    fn any_array<const N: usize>() -> [u8; N] {
        Self::any_array_named("bytes")
    }

    // One request for all of them.
    fn any_array_named<const N: usize>(name: &str) -> [u8; N] {
        let mut bytes = [0; N];
        requests::bytes(&mut bytes, name);
        bytes
    }

    fn any_elements(length: usize, name: &str) -> Vec<u8> {
        let mut bytes = vec![0; length];
        requests::bytes(&mut bytes, name);
        bytes
    }
}

/// What is made of another type, under the same name.
macro_rules! made_of {
    ($($ty:ty = $from:ty, $make:expr;)*) => {
        $(impl Arbitrary for $ty {
            fn any() -> $ty {
                Self::any_named(stringify!($ty))
            }

            fn any_named(name: &str) -> $ty {
                let make: fn($from) -> $ty = $make;
                make(<$from>::any_named(name))
            }
        })*
    };
}

made_of! {
    isize = usize, |value| value as isize;
    u128 = [u8; 16], u128::from_le_bytes;
    i128 = [u8; 16], i128::from_le_bytes;
    char = u32, |value| {
        assume(char::from_u32(value).is_some());
        char::from_u32(value).unwrap_or_default()
    };
}

/// Numbers that are never zero.
macro_rules! non_zero {
    ($($ty:ident = $from:ty;)*) => {
        $(impl Arbitrary for std::num::$ty {
            fn any() -> Self {
                Self::any_named(stringify!($ty))
            }

            fn any_named(name: &str) -> Self {
                let value = <$from>::any_named(name);
                assume(value != 0);
                Self::new(value).unwrap_or(Self::MIN)
            }
        })*
    };
}

non_zero! {
    NonZeroI8 = i8;
    NonZeroU8 = u8;
    NonZeroI16 = i16;
    NonZeroU16 = u16;
    NonZeroI32 = i32;
    NonZeroU32 = u32;
    NonZeroI64 = i64;
    NonZeroU64 = u64;
    NonZeroI128 = i128;
    NonZeroU128 = u128;
    NonZeroIsize = isize;
    NonZeroUsize = usize;
}

impl<T: Arbitrary, const N: usize> Arbitrary for [T; N] {
    fn any() -> [T; N] {
        T::any_array()
    }

    fn any_named(name: &str) -> [T; N] {
        T::any_array_named(name)
    }
}

impl<T: Arbitrary> Arbitrary for Option<T> {
    fn any() -> Option<T> {
        Self::any_named("Option")
    }

    fn any_named(name: &str) -> Option<T> {
        bool::any_named(&format!("{name}.is_some")).then(|| T::any_named(&format!("{name}.some")))
    }
}

impl<T: Arbitrary, E: Arbitrary> Arbitrary for Result<T, E> {
    fn any() -> Result<T, E> {
        Self::any_named("Result")
    }

    fn any_named(name: &str) -> Result<T, E> {
        match bool::any_named(&format!("{name}.is_ok")) {
            true => Ok(T::any_named(&format!("{name}.ok"))),
            false => Err(E::any_named(&format!("{name}.err"))),
        }
    }
}

impl<T: Arbitrary> Arbitrary for Box<T> {
    fn any() -> Box<T> {
        Box::new(T::any())
    }

    fn any_named(name: &str) -> Box<T> {
        Box::new(T::any_named(name))
    }
}

impl Arbitrary for Duration {
    fn any() -> Duration {
        Self::any_named("Duration")
    }

    fn any_named(name: &str) -> Duration {
        let seconds = u64::any_named(&format!("{name}.secs"));
        let nanoseconds = requests::range(0, 1_000_000_000, &format!("{name}.nanos"));
        Duration::new(seconds, nanoseconds.unsigned_abs())
    }
}

impl<T> Arbitrary for PhantomData<T> {
    fn any() -> PhantomData<T> {
        PhantomData
    }
}

impl Arbitrary for PhantomPinned {
    fn any() -> PhantomPinned {
        PhantomPinned
    }
}

impl Arbitrary for () {
    fn any() {}
}

/// Tuples, whose parts are called by their numbers.
macro_rules! tuples {
    ($($($part:ident $index:tt)*;)*) => {
        $(impl<$($part: Arbitrary),*> Arbitrary for ($($part,)*) {
            fn any() -> Self {
                ($($part::any(),)*)
            }

            fn any_named(name: &str) -> Self {
                ($($part::any_named(&format!("{name}.{}", $index)),)*)
            }
        })*
    };
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}
