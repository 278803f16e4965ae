//! Shows how two transcripts differ.

use similar::TextDiff;

/// The difference as a unified diff: `-` is expected, `+` is what was printed.
pub fn diff(expected: &str, actual: &str) -> String {
    TextDiff::from_lines(expected, actual).unified_diff().header("expected", "printed").to_string()
}
