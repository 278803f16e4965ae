//! What programs say when they are asked for their version and the like.
//!
//! An answer is kept as long as the program is the same file. A program may be a script or a `ccache` that starts the next one of its
//! name, so all of the name on the path must be as they were.

use std::path::{Path, PathBuf};

use crate::cache::{Cache, Entry, KeyBuilder};
use crate::process;
use crate::stamp::Stamp;
use crate::tools::Tools;

/// Programs, and where their answers are kept.
pub(crate) struct Asked<'a> {
    pub tools: &'a Tools,
    pub cache: &'a Cache,
}

impl Asked<'_> {
    /// What a program answers on standard output, if it runs and succeeds.
    pub fn answer(&self, program: &Path, argument: &str) -> Option<String> {
        if !self.cache.is_on() {
            return process::answer(program, argument);
        }
        let name = program.file_name()?.to_str()?;
        let stamps: Vec<(PathBuf, Stamp)> = [program.to_owned()]
            .into_iter()
            .chain(self.tools.path.iter().map(|directory| directory.join(name)))
            .filter_map(|place| Stamp::of(&place).map(|stamp| (place, stamp)))
            .collect();
        let key = KeyBuilder::remembering("answer").part(format!("{stamps:?}").as_bytes());
        let key = key.part(argument.as_bytes()).finish();
        if let Some(entry) = self.cache.get(&key) {
            return Some(entry.messages);
        }
        let messages = process::answer(program, argument)?;
        // A program that was changed just now may be changed again at the same moment.
        let is_old = |(_, stamp): &(PathBuf, Stamp)| Some(stamp.changed()) < self.cache.opened();
        if stamps.iter().all(is_old) {
            self.cache.put(&key, &Entry { payload: Vec::new(), messages: messages.clone() });
        }
        Some(messages)
    }

    /// The first line of an answer.
    pub fn first_line(&self, program: &Path, argument: &str) -> Option<String> {
        Some(self.answer(program, argument)?.lines().next().unwrap_or_default().trim().to_owned())
    }
}
