//! The format of a case file.
//!
//! The comments at the top hold the directives, free text may stand between them; the file ends
//! with the expected transcript, again in comments, below the line `OUTPUT`. Comments are those of
//! the file's own language, so the file is a proper input as it stands.

use std::path::{Path, PathBuf};

/// One case.
pub struct Case {
    /// Where it is.
    pub path: PathBuf,
    /// The commands, in order.
    pub steps: Vec<Step>,
    /// What the machine must have, see [`crate::requirements`].
    pub requires: Vec<String>,
    /// Files beside this one that the commands need as well.
    pub with: Vec<String>,
    /// Files that the commands leave behind on purpose.
    pub leaves: Vec<String>,
    /// Whether it runs with an empty cache of its own, in which there must be no file afterwards.
    pub untouched_cache: bool,
    /// The transcript the file expects; `None` if it has none yet.
    pub expected: Option<String>,
    /// What starts a comment in this file.
    comment: &'static str,
    /// The file up to the transcript.
    input: String,
}

/// One command and its exit code.
pub struct Step {
    /// For the shell, before substitution.
    pub command: String,
    /// The exit code it must have.
    pub exit: i32,
}

impl Case {
    /// Reads a case; `None` if the file has no command and so only serves other cases.
    pub fn read(path: &Path) -> Result<Option<Case>, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))?;
        Case::parse(path, &text)
    }

    /// See [`Case::read`].
    pub fn parse(path: &Path, text: &str) -> Result<Option<Case>, String> {
        let comment = comment_of(path);
        let (input, expected) = split_transcript(text, comment)?;
        let mut case = Case {
            path: path.to_owned(),
            steps: Vec::new(),
            requires: Vec::new(),
            with: Vec::new(),
            leaves: Vec::new(),
            untouched_cache: false,
            expected,
            comment,
            input: input.to_owned(),
        };
        for line in input.lines().take_while(|line| line.is_empty() || line.starts_with(comment)) {
            if let Some((word, value)) = directive(line.trim_start_matches(comment)) {
                case.direct(word, value)?;
            }
        }
        if case.steps.is_empty() && case.expected.is_some() {
            return Err("it expects output but runs no command: add a RUN line".to_owned());
        }
        Ok((!case.steps.is_empty()).then_some(case))
    }

    /// Takes one directive.
    fn direct(&mut self, word: &str, value: &str) -> Result<(), String> {
        let words = || value.split_whitespace().map(str::to_owned);
        match word {
            "RUN" => self.steps.push(Step { command: value.to_owned(), exit: 0 }),
            "EXIT" => {
                let step = self.steps.last_mut().ok_or("EXIT stands before any RUN line")?;
                step.exit = value.parse().map_err(|_| format!("EXIT: {value} is not a number"))?;
            }
            "REQUIRES" => self.requires.extend(words()),
            "WITH" => self.with.extend(words()),
            "LEAVES" => self.leaves.extend(words()),
            "CACHE" if value == "untouched" => self.untouched_cache = true,
            _ => return Err(format!("{word}: {value} is no directive; tests/cases/readme.wat lists them")),
        }
        Ok(())
    }

    /// Rewrites the file to expect this transcript.
    pub fn bless(&self, transcript: &str) -> Result<(), String> {
        let text = self.with_transcript(transcript);
        std::fs::write(&self.path, text).map_err(|error| format!("cannot be written: {error}"))
    }

    /// The file's text when it expects this transcript.
    pub fn with_transcript(&self, transcript: &str) -> String {
        let mut text = format!("{}\n\n{} OUTPUT\n", self.input.trim_end(), self.comment);
        for line in transcript.lines() {
            text.push_str(format!("{} {line}", self.comment).trim_end());
            text.push('\n');
        }
        text
    }
}

/// What starts a comment in such a file.
fn comment_of(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("wat" | "wast" | "smt2") => ";;",
        Some("c" | "h" | "cc" | "cpp" | "rs") => "//",
        _ => "#",
    }
}

/// Splits `WORD: value`, where the word is in capitals.
fn directive(line: &str) -> Option<(&str, &str)> {
    let (word, value) = line.trim().split_once(':')?;
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase());
    is_word.then_some((word, value.trim()))
}

/// Splits a file into its input and the transcript it expects.
fn split_transcript<'a>(text: &'a str, comment: &str) -> Result<(&'a str, Option<String>), String> {
    let marker = format!("{comment} OUTPUT\n");
    let Some((input, block)) = text.split_once(&marker) else { return Ok((text, None)) };
    let mut transcript = String::new();
    for line in block.lines() {
        let line = line.strip_prefix(comment).ok_or("below OUTPUT there may be comment lines only")?;
        transcript.push_str(line.strip_prefix(' ').unwrap_or(line));
        transcript.push('\n');
    }
    Ok((input, Some(transcript)))
}
