//! What a program that aborts says of the reason: the message of a panic or a failed assertion.
//!
//! It is only shown beside the outcome, never decides it: any program may write such a line.

/// The last message of a Rust panic or a C assertion on standard error, in one line.
pub fn of(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.lines().collect();
    (0..lines.len()).rev().find_map(|index| {
        let panic = || panicked(lines[index], lines.get(index + 1)?);
        panic().or_else(|| assertion(lines[index]))
    })
}

/// `thread 'main' (1) panicked at src/main.rs:2:5:`, and the message on the next line.
fn panicked(line: &str, next: &str) -> Option<String> {
    let place = line.strip_prefix("thread ")?.split_once(" panicked at ")?.1;
    (place.ends_with(':') && !next.is_empty()).then(|| format!("panicked: {next}"))
}

/// `Assertion failed: x > 0 (file.c: function: 12)`, as musl writes it.
fn assertion(line: &str) -> Option<String> {
    let (condition, place) = line.strip_prefix("Assertion failed: ")?.rsplit_once(" (")?;
    place.ends_with(')').then(|| format!("assertion failed: {condition}"))
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn panics_and_assertions_are_found() {
        let panic =
            b"\nthread 'main' (1) panicked at a.rs:2:22:\ncalled `Option::unwrap()`\nnote: run with\n";
        assert_eq!(of(panic).as_deref(), Some("panicked: called `Option::unwrap()`"));
        let assertion = b"working\nAssertion failed: f(x) > 0 (a.c: main: 12)\n";
        assert_eq!(of(assertion).as_deref(), Some("assertion failed: f(x) > 0"));
        for other in ["", "panicked at a.rs:1:2:", "thread 'main' panicked at a.rs:1:2:", "Assertion failed"]
        {
            assert_eq!(of(other.as_bytes()), None, "{other}");
        }
    }
}
