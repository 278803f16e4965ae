//! C as people write it: what older compilers and model checkers accept, and what they know without a declaration.
//!
//! Functions that are called without being declared, `main` without a type, pointers of another type: compilers of
//! ten years ago warned, and benchmarks and old programs are full of it. So do we: a program that another tool takes
//! should not have to be edited. What gcc knows and clang does not, as the types by which glibc's headers call
//! floating-point numbers, gets a meaning too. Only sources that are given to coax are read so; coax-cc, which configure scripts
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

/// gcc's types, and what they are here.
const FLOATS: [(&str, &str); 5] = [
    ("_Float32", "float"),
    ("_Float32x", "double"),
    ("_Float64", "double"),
    ("_Float64x", "long double"),
    ("_Float128", "long double"),
];

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
    let mut preamble: Vec<String> = Vec::new();
    if BUILT_IN.iter().any(|name| text.contains(name)) {
        preamble.extend(["-include".to_owned(), CHECKERS.to_owned()]);
        preamble.extend(declared(&text).into_iter().map(|name| format!("-DCOAX_DECLARED_{name}")));
    }
    if text.contains("_Float") {
        let lacking = FLOATS.iter().filter(|(name, _)| is_used(&text, name));
        preamble.extend(lacking.map(|(name, meaning)| format!("-D{name}={meaning}")));
    }
    // For one that was preprocessed already, clang would not look at these.
    if !preamble.is_empty() && source.extension().is_some_and(|extension| extension == "i") {
        flags.extend(["-x".to_owned(), "c".to_owned()]);
    }
    flags.extend(preamble);
    flags
}

/// Whether a text has a word, and neither defines it as a type nor as a macro.
fn is_used(text: &str, word: &str) -> bool {
    let mut is_found = false;
    for (at, _) in text.match_indices(word) {
        let (before, after) = (&text[..at], text[at + word.len()..].trim_start());
        if before.ends_with(is_word) || text[at + word.len()..].starts_with(is_word) {
            continue;
        }
        let is_defined = before.trim_end().ends_with("define");
        let statement = before.rsplit([';', '}', '\n']).next().unwrap_or_default();
        if is_defined || (after.starts_with(';') && statement.contains("typedef")) {
            return false;
        }
        is_found = true;
    }
    is_found
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The checkers' functions that a source declares by itself: `void` stands before the name.
fn declared(text: &str) -> BTreeSet<&str> {
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

    #[test]
    fn types_that_a_source_defines_are_its_own() {
        assert!(is_used("extern _Float32 strtof32(const char *);", "_Float32"));
        assert!(!is_used("extern _Float32x f(void);", "_Float32"));
        assert!(!is_used("typedef float _Float32;\nextern _Float32 f(void);", "_Float32"));
        assert!(!is_used("#define _Float32 float\nextern _Float32 f(void);", "_Float32"));
    }
}
