//! What programs say when they are asked for their version and the like.
//!
//! An answer is kept as long as the program is the same file, and from the first load on that succeeds: a program that does not compile
//! leaves nothing behind. A program may be a script or a `ccache` that starts the next one of its
//! name, so all of the name on the path must be as they were.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use crate::cache::{Cache, Entry, Key, KeyBuilder};
use crate::process;
use crate::stamp::Stamp;
use crate::tools::Tools;

/// Programs, and where their answers are kept.
pub(crate) struct Asked<'a> {
    pub tools: &'a Tools,
    cache: &'a Cache,
    answers: RefCell<Answers>,
}

/// What programs answered that is not kept yet.
#[derive(Default)]
pub(crate) struct Answers(Vec<(Key, Entry)>);

impl Answers {
    /// Keeps them.
    pub fn keep(&self, cache: &Cache) {
        self.0.iter().for_each(|(key, entry)| cache.put(key, entry));
    }
}

impl<'a> Asked<'a> {
    /// Nothing was asked yet.
    pub fn new(tools: &'a Tools, cache: &'a Cache) -> Asked<'a> {
        Asked { tools, cache, answers: RefCell::default() }
    }

    /// What was answered and is not kept yet.
    pub fn into_answers(self) -> Answers {
        self.answers.into_inner()
    }

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
            let entry = Entry { payload: Vec::new(), messages: messages.clone() };
            self.answers.borrow_mut().0.push((key, entry));
        }
        Some(messages)
    }

    /// The first line of an answer.
    pub fn first_line(&self, program: &Path, argument: &str) -> Option<String> {
        Some(self.answer(program, argument)?.lines().next().unwrap_or_default().trim().to_owned())
    }
}
