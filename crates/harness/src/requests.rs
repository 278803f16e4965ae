//! The questions themselves: functions that the module imports, as coax.h declares them for C.

// Nothing else can call an import. Names live as long as the call, and `bytes` is given a slice's own memory.
#![allow(unsafe_code)]

use std::ffi::CString;

/// Declares the imports, and their stand-ins for machines on which nobody answers.
macro_rules! imports {
    ($(fn $name:ident($($parameter:ident: $ty:ty),*) $(-> $result:ty)?;)*) => {
        #[cfg(target_family = "wasm")]
        mod imports {
            use std::ffi::c_char;
            #[link(wasm_import_module = "env")]
            extern "C" {
                $(pub fn $name($($parameter: $ty),*) $(-> $result)?;)*
            }
        }

        #[cfg(not(target_family = "wasm"))]
        mod imports {
            use std::ffi::c_char;
            $(pub unsafe fn $name($(_: $ty),*) $(-> $result)? {
                panic!("a harness has inputs only in a run of coax: give the program to coax");
            })*
        }
    };
}

imports! {
    fn coax_bytes(place: *mut u8, length: usize, name: *const c_char);
    fn coax_i8(name: *const c_char) -> i8;
    fn coax_u8(name: *const c_char) -> u8;
    fn coax_i16(name: *const c_char) -> i16;
    fn coax_u16(name: *const c_char) -> u16;
    fn coax_i32(name: *const c_char) -> i32;
    fn coax_u32(name: *const c_char) -> u32;
    fn coax_i64(name: *const c_char) -> i64;
    fn coax_u64(name: *const c_char) -> u64;
    fn coax_f32(name: *const c_char) -> f32;
    fn coax_f64(name: *const c_char) -> f64;
    fn coax_bool(name: *const c_char) -> bool;
    fn coax_size(name: *const c_char) -> usize;
    fn coax_range(begin: i32, end: i32, name: *const c_char) -> i32;
    fn coax_assume(condition: bool);
    fn coax_cover(label: *const c_char);
}

/// A name as C wants it; one with a zero byte inside ends there.
fn c_string(name: &str) -> CString {
    let before_zero = name.split('\0').next().unwrap_or_default();
    CString::new(before_zero).unwrap_or_default()
}

/// Functions that ask for one value.
macro_rules! values {
    ($($name:ident: $ty:ty = $import:ident;)*) => {
        $(pub(crate) fn $name(name: &str) -> $ty {
            let name = c_string(name);
            unsafe { imports::$import(name.as_ptr()) }
        })*
    };
}

values! {
    i8: i8 = coax_i8;
    u8: u8 = coax_u8;
    i16: i16 = coax_i16;
    u16: u16 = coax_u16;
    i32: i32 = coax_i32;
    u32: u32 = coax_u32;
    i64: i64 = coax_i64;
    u64: u64 = coax_u64;
    f32: f32 = coax_f32;
    f64: f64 = coax_f64;
    bool: bool = coax_bool;
    usize: usize = coax_size;
}

pub(crate) fn bytes(place: &mut [u8], name: &str) {
    let name = c_string(name);
    unsafe { imports::coax_bytes(place.as_mut_ptr(), place.len(), name.as_ptr()) }
}

pub(crate) fn range(begin: i32, end: i32, name: &str) -> i32 {
    let name = c_string(name);
    unsafe { imports::coax_range(begin, end, name.as_ptr()) }
}

pub(crate) fn assume(condition: bool) {
    unsafe { imports::coax_assume(condition) }
}

pub(crate) fn cover(label: &str) {
    let label = c_string(label);
    unsafe { imports::coax_cover(label.as_ptr()) }
}
