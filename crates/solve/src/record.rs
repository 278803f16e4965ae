//! Recording: every question of a run is written as SMT-LIB, with its answer, so that it can be asked again elsewhere.
//!
//! There is a file for each arena, since terms are defined once: `0001.smt2`, `0002.smt2` and so on. A file is one incremental script; what
//! the questions of a path start with is asserted once.

use crate::transcript::{Style, Transcript};
use crate::{Answer, Budget, Layer, Query};
use coax_term::Terms;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file is no longer than about this: then the next one starts.
const LONGEST_FILE: u64 = 256 << 20;

/// Writes each question, and the next layer's answer, to a folder.
pub struct Record {
    next: Box<dyn Layer>,
    folder: PathBuf,
    files: usize,
    current: Option<Recording>,
    failure: Option<io::Error>,
}

struct Recording {
    file: io::BufWriter<File>,
    transcript: Transcript,
    length: u64,
}

impl Record {
    /// Records into a folder, which is made if it is not there. Files in it that are called like ours are replaced.
    pub fn new(next: Box<dyn Layer>, folder: &Path) -> io::Result<Record> {
        std::fs::create_dir_all(folder)?;
        Ok(Record { next, folder: folder.to_owned(), files: 0, current: None, failure: None })
    }

    /// Ends the recording, and says why it is not complete if it is not.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(recording) = &mut self.current {
            recording.file.flush()?;
        }
        self.failure.map_or(Ok(()), Err)
    }

    fn write(&mut self, terms: &Terms, query: &Query<'_>, answer: &Answer) -> io::Result<()> {
        let is_of_another = |recording: &Recording| {
            recording.transcript.identity() != terms.identity() || recording.length > LONGEST_FILE
        };
        if self.current.as_ref().is_none_or(is_of_another) {
            if let Some(mut done) = self.current.take() {
                done.file.flush()?;
            }
            self.files += 1;
            let file = File::create(self.folder.join(format!("{:04}.smt2", self.files)))?;
            let mut file = io::BufWriter::new(file);
            file.write_all(b"(set-option :global-declarations true)\n(set-logic ALL)\n")?;
            let transcript = Transcript::new(terms.identity(), Style::Levels);
            self.current = Some(Recording { file, transcript, length: 0 });
        }
        let Some(Recording { file, transcript, length }) = &mut self.current else { return Ok(()) };
        transcript.write(terms, query);
        let status = match answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        };
        let text = transcript.take_text() + &format!("(set-info :status {status})\n(check-sat)\n");
        *length += text.len() as u64;
        file.write_all(text.as_bytes())
    }
}

impl Layer for Record {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>, budget: &mut Budget) -> Answer {
        let answer = self.next.solve(terms, query, budget);
        // After a failure, a full disk for example, the run goes on without being recorded.
        if self.failure.is_none() {
            self.failure = self.write(terms, query, &answer).err();
        }
        answer
    }
}
