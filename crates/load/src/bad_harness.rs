//! Harnesses that do not compile: which they are, by what the compiler says. The others need not go with them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::rust_harness::{MARKS, function_after};

/// The harnesses that all of the compiler's errors are in; none if there are errors elsewhere. Files are named as seen from a directory.
pub(crate) fn in_messages(messages: &str, directory: &Path) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let mut in_error = false;
    for line in messages.lines() {
        if line.starts_with("error") || line.starts_with("warning") {
            in_error = line.starts_with("error");
        }
        // Only the first place of an error is where it is.
        let Some(place) = line.trim_start().strip_prefix("--> ").filter(|_| in_error) else { continue };
        in_error = false;
        let mut parts = place.rsplitn(3, ':').skip(1);
        let number: usize = parts.next()?.parse().ok()?;
        let text = fs::read_to_string(directory.join(parts.next()?)).ok()?;
        found.insert(harness_at(&text, number)?);
    }
    Some(found).filter(|found| !found.is_empty())
}

/// The harness that a line, counted from 1, is in: from its mark to the brace that stands as far to the right as the line with its name.
fn harness_at(text: &str, line: usize) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let is_mark = |line: &&str| MARKS.iter().any(|mark| line.contains(mark));
    let mark = lines[..line.min(lines.len())].iter().rposition(is_mark)?;
    let name = function_after(&lines[mark..].join("\n"))?;
    let head = mark + lines[mark..].iter().position(|line| line.contains(&format!("fn {name}")))?;
    let indent = lines[head].len() - lines[head].trim_start().len();
    let closes = |line: &&str| line.get(indent..).is_some_and(|rest| rest.trim_end() == "}");
    let is_one_line = lines[head].trim_end().ends_with('}');
    let end = if is_one_line { head } else { head + lines[head..].iter().position(closes)? };
    (line <= end + 1).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "fn plain() {}

#[kani::proof]
fn good() {
    let x: u8 = kani::any();
}

mod proofs {
    #[kani::proof]
    #[kani::unwind(3)]
    fn bad() {
        if true {
            missing();
        }
    }
    fn after() {}
}
";

    #[test]
    fn lines_belong_to_the_harness_around_them() {
        let at = |line| harness_at(SOURCE, line);
        assert_eq!([1, 2].map(at), [None, None]);
        assert_eq!([3, 5, 6].map(at), [3, 5, 6].map(|_| Some("good".to_owned())));
        assert_eq!([9, 13, 15].map(at), [9, 13, 15].map(|_| Some("bad".to_owned())));
        assert_eq!([7, 16, 17, 99].map(at), [7, 16, 17, 99].map(|_| None));
    }

    #[test]
    fn errors_elsewhere_are_nobodys() {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("lib.rs"), SOURCE).expect("a file");
        let error = |line: u32| format!("error[E0425]: cannot find\n  --> lib.rs:{line}:13\n   |\n");
        let warning = "warning: unused\n --> lib.rs:1:4\n";
        let of = |messages: String| in_messages(&messages, directory.path());
        assert_eq!(of(format!("{warning}{}", error(13))), Some(["bad".to_owned()].into()));
        assert_eq!(of(format!("{}{}", error(13), error(5))).map(|found| found.len()), Some(2));
        assert_eq!(of(format!("{}{}", error(13), error(1))), None);
        assert_eq!(of("error: could not compile".into()), None);
    }
}
