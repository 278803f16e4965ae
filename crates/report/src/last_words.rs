//! What a program that gives up says of the reason: the message of a panic or a failed assertion, or whatever it wrote last.
//!
//! It is only shown beside the outcome, never decides it: any program may write such a line.

/// The longest message that is shown, in characters.
const LONGEST: usize = 200;

/// What a program said before it gave up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastWords {
    /// What kind of message it is.
    pub form: Form,
    /// The message as it was written, on one line: `panicked at src/x.rs:3:5: no digit`.
    pub message: String,
    /// The same without the place, which is known better: `no digit`.
    pub gist: String,
}

/// The kinds of message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A panic of Rust's.
    Panic,
    /// A failed `assert` of C's.
    Assertion,
    /// Any other.
    Other,
}

impl LastWords {
    /// The last message of a panic or an assertion on standard error.
    pub fn known(stderr: &[u8]) -> Option<LastWords> {
        let text = String::from_utf8_lossy(stderr);
        let lines: Vec<&str> = text.lines().collect();
        (0..lines.len()).rev().find_map(|index| panicked(&lines[index..]).or_else(|| assertion(lines[index])))
    }

    /// Both, shortly: `panicked: no digit`.
    pub fn short(&self) -> String {
        match self.form {
            Form::Panic => format!("panicked: {}", self.gist),
            Form::Assertion => format!("assertion failed: {}", self.gist),
            Form::Other => self.gist.clone(),
        }
    }

    /// The last line that is not empty, whatever it is.
    pub fn any(stderr: &[u8]) -> Option<LastWords> {
        let text = String::from_utf8_lossy(stderr);
        let last = one_line(text.lines().rev().find(|line| !line.trim().is_empty()).into_iter());
        (!last.is_empty()).then(|| LastWords { form: Form::Other, gist: last.clone(), message: last })
    }
}

/// `thread 'main' (1) panicked at src/main.rs:2:5:`, and the message on the next lines.
fn panicked(lines: &[&str]) -> Option<LastWords> {
    let (first, rest) = lines.split_first()?;
    let place = first.strip_prefix("thread ")?.split_once(" panicked at ")?.1.strip_suffix(':')?;
    let is_advice =
        |line: &&&str| line.starts_with("note: run with ") || line.starts_with("stack backtrace:");
    let gist = one_line(rest.iter().take_while(|line| !is_advice(line)).copied());
    let message = one_line([&*format!("panicked at {place}: {gist}")].into_iter());
    (!gist.is_empty()).then_some(LastWords { form: Form::Panic, message, gist })
}

/// `Assertion failed: x > 0 (file.c: function: 12)`, as musl writes it.
fn assertion(line: &str) -> Option<LastWords> {
    let (condition, place) = line.strip_prefix("Assertion failed: ")?.rsplit_once(" (")?;
    let gist = one_line([condition].into_iter());
    place.ends_with(')').then(|| LastWords {
        form: Form::Assertion,
        message: one_line([line].into_iter()),
        gist,
    })
}

/// Lines as one that is not too long and does not play with the terminal.
pub(crate) fn one_line<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut line = String::new();
    for words in lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")) {
        if !line.is_empty() && !words.is_empty() {
            let is_open = line.ends_with(|c: char| c.is_ascii_punctuation() && !matches!(c, ')' | '`' | '"'));
            line.push_str(if is_open { " " } else { ", " });
        }
        line.push_str(&words);
    }
    let line: String = line.chars().filter(|c| !c.is_control()).collect();
    match line.char_indices().nth(LONGEST) {
        None => line,
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::{Form, LastWords};

    #[test]
    fn panics_and_assertions_are_found() {
        let panic = b"\nthread 'main' (1) panicked at a.rs:2:22:\nassertion failed\n  left: 1\n";
        let known = LastWords::known(panic).unwrap();
        assert_eq!(known.message, "panicked at a.rs:2:22: assertion failed, left: 1");
        assert_eq!((known.form, &*known.gist), (Form::Panic, "assertion failed, left: 1"));
        let advised = b"thread 'a' panicked at a.rs:1:2:\nno\nnote: run with `RUST_BACKTRACE=1`\n";
        assert_eq!(LastWords::known(advised).unwrap().gist, "no");
        let assertion = LastWords::known(b"working\nAssertion failed: f(x) > 0 (a.c: main: 12)\n").unwrap();
        assert_eq!(assertion.message, "Assertion failed: f(x) > 0 (a.c: main: 12)");
        assert_eq!((assertion.form, &*assertion.gist), (Form::Assertion, "f(x) > 0"));
        for other in ["", "panicked at a.rs:1:2:", "thread 'main' panicked at a.rs:1:2:", "Assertion failed"]
        {
            assert_eq!(LastWords::known(other.as_bytes()), None, "{other}");
        }
    }

    #[test]
    fn other_words_are_shortened() {
        assert_eq!(LastWords::any(b"one\n\x1b[31mtwo\t three\n\n").unwrap().message, "[31mtwo three");
        assert_eq!(LastWords::any(b"\n \n"), None);
        assert_eq!(LastWords::any("é".repeat(999).as_bytes()).unwrap().message.chars().count(), 201);
    }
}
