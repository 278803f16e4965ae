//! Names for people: symbols as the linker knows them, turned back into what the source says.

use crate::debug_info::DebugInfo;

/// The name in the source's own notation: Rust (without its hash) and C++ are demangled, any other
/// symbol is returned as it is.
pub fn demangle(symbol: &str) -> String {
    // C++ and Rust's older scheme share the prefix `_ZN`; only Rust's ends with a hash.
    if (symbol.starts_with("_R") || without_rust_hash(symbol).is_some())
        && let Ok(name) = rustc_demangle::try_demangle(symbol)
    {
        return format!("{name:#}");
    }
    if symbol.starts_with("_Z")
        && let Ok(parsed) = cpp_demangle::Symbol::new(symbol)
        && let Ok(name) = parsed.demangle()
    {
        return name;
    }
    symbol.to_string()
}

/// Parts of the names of functions that Rust calls when it panics. `catch_unwind` and others of that module are on every stack.
const PANIC_PARTS: [&str; 5] =
    ["rust_panic", "rust_begin_unwind", "begin_panic", "panic_with_hook", "__rust_end_short_backtrace"];

/// Whether a function is one that Rust calls when it panics.
pub fn is_of_panic(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    let is_helper = name.starts_with("core::") && (last.ends_with("_failed") || last.ends_with("_fail"));
    let is_known = || name.split("::").any(|part| PANIC_PARTS.contains(&part));
    is_helper || name.starts_with("core::panicking::") || is_known()
}

/// Whether a function is what a failed `assert` of C's calls.
pub fn is_of_assert(name: &str) -> bool {
    matches!(name, "__assert_fail" | "__assert" | "__assert_func")
}

/// Whether a function is only there to end a program: whoever called it is to blame.
pub fn ends_program(name: &str) -> bool {
    name == "abort" || is_of_assert(name) || is_of_panic(name)
}

/// A symbol of Rust's older mangling scheme without its hash: `_ZN4core3fmt17h0123456789abcdefE` gives
/// `_ZN4core3fmt`. The hash depends on the compiler and on the crate's version. `None` for others.
pub(crate) fn without_rust_hash(symbol: &str) -> Option<&str> {
    let symbol = without_clone_suffix(symbol);
    let (path, hash) = symbol.strip_suffix('E')?.split_at_checked(symbol.len().checked_sub(20)?)?;
    let digits = hash.strip_prefix("17h")?;
    let is_hash = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    (is_hash && path.starts_with("_ZN")).then_some(path)
}

/// The symbol without the `.llvm.123…` that LLVM adds to a local name it had to make global.
pub(crate) fn without_clone_suffix(symbol: &str) -> &str {
    match symbol.rsplit_once(".llvm.") {
        Some((name, number)) if number.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => symbol,
    }
}

/// The text without anything that a terminal would act upon: a module may call its functions what it likes.
pub fn printable(text: &str) -> String {
    // Nearly all is: reports ask a million times.
    if !text.contains(char::is_control) {
        return text.to_owned();
    }
    let escape = |character: char| -> String {
        if character.is_control() { character.escape_default().collect() } else { character.into() }
    };
    text.chars().map(escape).collect()
}

/// Whether a function is C's `main` under one of the names that clang gives it on wasm, after its type.
pub(crate) fn is_renamed_main(symbol: &str, debug: &DebugInfo, offset: u32) -> bool {
    matches!(symbol, "__original_main" | "__main_void" | "__main_argc_argv")
        && debug.short_name(offset) == Some("main")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_names_lose_their_hash() {
        assert_eq!(demangle("_ZN4core3fmt5write17h0123456789abcdefE"), "core::fmt::write");
        assert_eq!(demangle("_ZN4core3fmt5write17h0123456789abcdefE.llvm.77"), "core::fmt::write");
        assert_eq!(demangle("_RNvCskwGfYPst2Cb_3foo16example_function"), "foo::example_function");
    }

    #[test]
    fn cpp_names_keep_their_parameters() {
        assert_eq!(demangle("_ZN5shape4areaEi"), "shape::area(int)");
        assert_eq!(demangle("_ZN5shape5countE"), "shape::count");
    }

    #[test]
    fn other_names_stay() {
        for name in ["main", "", "_Z", "_R", "_ZN", "17h", "E", "__clang_trap_msg$Category$Reason", "é17hE"]
        {
            assert_eq!(demangle(name), name);
        }
    }

    #[test]
    fn only_a_rust_hash_is_a_rust_hash() {
        assert_eq!(without_rust_hash("_ZN1a17h0123456789abcdefE"), Some("_ZN1a"));
        assert_eq!(without_rust_hash("_ZN1a17h0123456789abcdegE"), None);
        assert_eq!(without_rust_hash("_ZN5shape4areaEi"), None);
        assert_eq!(without_rust_hash("17h0123456789abcdefE"), None);
    }
}
