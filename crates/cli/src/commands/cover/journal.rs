//! The file in which a search writes down what it did, a line for each batch, so that the same command goes on with it.

use super::watch::Clock;
use anyhow::{Context, Result};
use coax_search::{Journal, Record};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::Path;

const NAME: &str = "journal";

/// The file.
pub struct JournalFile {
    file: File,
    /// What an earlier search wrote, as far as it was not read yet.
    earlier: Option<BufReader<File>>,
    /// How many of its batches are left.
    left: u64,
    /// It begins when nothing of an earlier search is left.
    clock: Clock,
    /// The first thing that could not be written or read.
    failed: Option<anyhow::Error>,
}

impl JournalFile {
    /// Goes on with the journal of this directory if it is that of the same search; otherwise begins a new one.
    /// Before that, `begin` removes what belongs to another search.
    pub fn open(
        directory: &Path,
        search: &str,
        epoch: u64,
        clock: Clock,
        begin: impl FnOnce() -> Result<()>,
    ) -> Result<JournalFile> {
        let path = directory.join(NAME);
        let failed = || format!("cannot write {}", path.display());
        let mut options = OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).with_context(failed)?;
        let head = format!("{search}\n");
        let mut earlier = BufReader::new(File::open(&path).with_context(failed)?);
        let mut line = String::new();
        earlier.read_line(&mut line).unwrap_or_default();
        if line != head {
            file.set_len(0).with_context(failed)?;
            begin()?;
            file.write_all(head.as_bytes()).with_context(failed)?;
            return Ok(JournalFile { file, earlier: None, left: 0, clock, failed: None });
        }
        // A search goes on from the end of an epoch: what was written after the last one is done again.
        let (mut batches, mut end, mut whole) = (0, head.len() as u64, head.len() as u64);
        let mut bytes = Vec::new();
        while earlier.read_until(b'\n', &mut bytes).with_context(failed)? > 0 && bytes.ends_with(b"\n") {
            batches += 1;
            end += bytes.len() as u64;
            if batches % epoch == 0 {
                whole = end;
            }
            bytes.clear();
        }
        file.set_len(whole).with_context(failed)?;
        file.seek(SeekFrom::End(0)).with_context(failed)?;
        earlier.seek(SeekFrom::Start(head.len() as u64)).with_context(failed)?;
        Ok(JournalFile { file, earlier: Some(earlier), left: batches / epoch * epoch, clock, failed: None })
    }

    /// How many batches of an earlier search there are.
    pub fn batches(&self) -> u64 {
        self.left
    }

    /// Whether it is that of a search which was begun before: what that one left behind does not count for it.
    pub fn is_begun(&self) -> bool {
        self.earlier.is_some()
    }

    /// The search is over; fails if something could not be written or read.
    pub fn finish(self) -> Result<()> {
        self.failed.map_or(Ok(()), Err)
    }

    fn read(&mut self) -> Result<Option<Record>> {
        let Some(earlier) = self.earlier.as_mut().filter(|_| self.left > 0) else { return Ok(None) };
        self.left -= 1;
        let mut line = String::new();
        earlier.read_line(&mut line).context("cannot read the journal")?;
        Ok(Some(serde_json::from_str(&line).context("the journal of the earlier search is damaged")?))
    }

    fn write(&mut self, record: &Record) -> Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.file.write_all(&line).context("cannot write the journal")
    }
}

impl Journal for JournalFile {
    fn next(&mut self) -> Option<Record> {
        let record = self.read().unwrap_or_else(|error| {
            self.failed.get_or_insert(error);
            None
        });
        if record.is_none() {
            self.clock.start();
        }
        record
    }

    fn keep(&mut self, record: Record) {
        if self.failed.is_none()
            && let Err(error) = self.write(&record)
        {
            self.failed = Some(error);
        }
    }
}
