//! C as people write it: what older compilers and model checkers accept, and what they know without a declaration.
//!
//! Functions that are called without being declared, `main` without a type, pointers of another type: compilers of
//! ten years ago warned, and benchmarks and old programs are full of it. So do we: a program that another tool takes
//! should not have to be edited. Only sources that are given to coax are read so; coax-cc, which configure scripts
//! ask what is an error, is as strict as clang.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::clang::Clang;
use crate::compile::is_cxx;

/// Errors that are warnings here.
const LENIENT: [&str; 6] = [
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=parentheses",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
];

/// The same, where clang knows it.
const LENIENT_SINCE_19: &str = "-Wno-error=return-mismatch";

/// How the names of what model checkers know without a declaration begin.
const BUILT_IN: [&str; 2] = ["__CPROVER_", "__ESBMC_"];

/// The header that declares them.
const CHECKERS: &str = "coax/checkers.h";

/// Flags for a source, before the user's own.
pub(crate) fn flags(clang: &Clang, source: &Path) -> Vec<String> {
    if is_cxx(source) {
        return Vec::new();
    }
    let mut flags: Vec<String> = LENIENT.map(str::to_owned).into();
    flags.extend((clang.version >= 19).then(|| LENIENT_SINCE_19.to_owned()));
    // One that cannot be read is reported when it is compiled.
    let text = fs::read(source).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if BUILT_IN.iter().any(|name| text.contains(name)) {
        flags.extend(["-include".to_owned(), CHECKERS.to_owned()]);
        flags.extend(declared(&text).into_iter().map(|name| format!("-DCOAX_DECLARED_{name}")));
    }
    flags
}

/// The checkers' functions that a source declares by itself: `void` stands before the name.
fn declared(text: &str) -> BTreeSet<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let places = BUILT_IN.iter().flat_map(|beginning| text.match_indices(beginning));
    let after_void = places.filter(|(at, _)| {
        let before = text[..*at].trim_end();
        before.len() < *at && before.ends_with("void")
    });
    after_void
        .map(|(at, _)| &text[at..][..text[at..].find(|c| !is_word(c)).unwrap_or(text.len() - at)])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_told_from_calls() {
        let text = "void __CPROVER_assume(_Bool);\nint f(void) { __CPROVER_assert(1, \"\"); return avoid__ESBMC_x; }";
        assert_eq!(declared(text), BTreeSet::from(["__CPROVER_assume"]));
    }
}
