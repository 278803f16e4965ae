//! What is wrong with texts that name no place: one part that says it, and one that says what to do.

/// A part that is missing, whatever the program is.
pub fn lacks(text: &str) -> Option<String> {
    let wrong = |what: &str, form: &str| Some(format!("`{text}` has no {what}; write {form}"));
    match text {
        "" => Some("a place to reach has no name; name one, for instance `--target parser.c:412`".to_owned()),
        "label:" => wrong("name behind the colon", "label:NAME"),
        "site:" => wrong("number behind the colon", "site:NUMBER"),
        ":trap" => wrong("function before the colon", "FUNCTION:trap"),
        _ if text.starts_with(':') && !text.starts_with("::") => {
            wrong("file before the colon", "FILE:LINE, for instance parser.c:412")
        }
        _ if text.starts_with('+') => wrong("function before the plus", "FUNCTION+OFFSET"),
        _ if text.bytes().all(|byte| byte.is_ascii_digit()) => {
            wrong("file before the line", &format!("FILE:LINE, for instance parser.c:{text}"))
        }
        _ => None,
    }
}

/// Why a text that is no function's name is no other place, as far as it looks like one.
pub fn is_none(text: &str) -> Option<String> {
    // Two colons are part of a name.
    let behind_colon = text.rsplit_once(':').filter(|(before, _)| !before.ends_with(':'));
    if behind_colon.is_some() {
        let why = "behind its last colon is neither a line nor `trap`";
        return Some(format!("`{text}` is no place: {why}; write FILE:LINE or FUNCTION:trap"));
    }
    let (function, _) = text.rsplit_once('+')?;
    let why = "behind its plus is no number of bytes";
    Some(format!("`{text}` is no place: {why}; write FUNCTION+OFFSET, for instance {function}+0x1c"))
}
