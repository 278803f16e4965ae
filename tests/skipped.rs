//! What tests do if this machine lacks something that they need.
//!
//! On a developer's machine such a test is skipped, and says so. Where `scripts/test` has installed everything, as in continuous integration, a
//! test that is skipped would be one that nobody runs: there it fails.

#![allow(dead_code, reason = "each test takes what it needs")]

/// Says that a test is skipped, and why; fails if the machine is one that must have it all (`CI=true`, or `COAX_STRICT` is set).
pub fn skip(why: &str) {
    assert!(
        !is_strict(),
        "{why}; `scripts/test` installs it, so here no test may be skipped (CI or COAX_STRICT is set)"
    );
    eprintln!("skipped: {why}");
}

/// Whether no test may be skipped for want of something that `scripts/test` installs.
pub fn is_strict() -> bool {
    let is_set =
        |name| std::env::var_os(name).is_some_and(|value| !["", "0", "false"].iter().any(|no| value == *no));
    is_set("CI") || is_set("COAX_STRICT")
}
