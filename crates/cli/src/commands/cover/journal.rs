//! The file in which a search writes down what it did, a line for each batch, so that the same command goes on with it.

use super::watch::Clock;
use crate::output_directory::OutputDirectory;
use anyhow::{Context, Result};
use coax_search::{Journal, Record, Stop, StopReason};
use rustix::fs::OFlags;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};

const NAME: &str = "journal";
const DAMAGED: &str =
    "the journal in the directory of `--out` is damaged; remove it, and the search begins anew";
/// How long a line can be: a batch of a large program takes some megabytes.
const LONGEST: u64 = 256 << 20;

/// The file.
pub struct JournalFile {
    file: File,
    /// What an earlier search wrote, as far as it was not read yet.
    earlier: Option<BufReader<File>>,
    /// How many of its batches are left.
    left: u64,
    /// It begins when nothing of an earlier search is left.
    clock: Clock,
    /// Ends the search if it cannot be written down.
    stop: Stop,
    /// The first thing that could not be written or read.
    failed: Option<anyhow::Error>,
}

impl JournalFile {
    /// Goes on with the journal of this directory if it is that of the same search; otherwise begins a new one.
    /// Before that, `begin` removes what belongs to another search.
    pub fn open(
        directory: &OutputDirectory,
        search: &str,
        epoch: u64,
        ending: (Clock, Stop),
        begin: impl FnOnce() -> Result<()>,
    ) -> Result<JournalFile> {
        let (clock, stop) = ending;
        let path = directory.path().join(NAME);
        let failed = || format!("cannot write {}", path.display());
        let head = format!("{search}\n");
        let Some((mut file, mut earlier)) = going_on(directory, &head)? else {
            // Whose journal is not there any more has no tests that are missed.
            directory.remove(NAME)?;
            begin()?;
            let mut file = directory.new_file(NAME)?;
            file.write_all(head.as_bytes()).with_context(failed)?;
            return Ok(JournalFile { file, earlier: None, left: 0, clock, stop, failed: None });
        };
        // A search goes on from the end of an epoch: what was written after the last one is done again.
        let (mut batches, mut end, mut whole) = (0, head.len() as u64, head.len() as u64);
        let mut bytes = Vec::new();
        while read_line(&mut earlier, &mut bytes).with_context(failed)? {
            batches += 1;
            end += bytes.len() as u64;
            if batches % epoch == 0 {
                whole = end;
            }
        }
        file.set_len(whole).with_context(failed)?;
        file.seek(SeekFrom::End(0)).with_context(failed)?;
        earlier.seek(SeekFrom::Start(head.len() as u64)).with_context(failed)?;
        let left = batches / epoch * epoch;
        Ok(JournalFile { file, earlier: Some(earlier), left, clock, stop, failed: None })
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
        let mut line = Vec::new();
        read_line(earlier, &mut line).context("cannot read the journal")?;
        Ok(Some(serde_json::from_slice(&line).context(DAMAGED)?))
    }

    fn fail(&mut self, error: anyhow::Error) {
        self.failed.get_or_insert(error);
        self.stop.now(StopReason::Interrupted);
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
            self.fail(error);
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
            self.fail(error);
        }
    }
}

/// The journal of the same search, behind its head: to be written, and to be read; none if there is no such journal.
fn going_on(directory: &OutputDirectory, head: &str) -> Result<Option<(File, BufReader<File>)>> {
    let Some(file) = directory.open_file(NAME, OFlags::RDWR)? else { return Ok(None) };
    let Some(earlier) = directory.open_file(NAME, OFlags::RDONLY)? else { return Ok(None) };
    let mut earlier = BufReader::new(earlier);
    let mut begin = Vec::new();
    let unreadable = || format!("cannot read {}", directory.path().join(NAME).display());
    earlier.by_ref().take(head.len() as u64).read_to_end(&mut begin).with_context(unreadable)?;
    Ok((begin == head.as_bytes()).then_some((file, earlier)))
}

/// Reads a line; false if there is no whole one any more.
fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    from.take(LONGEST).read_until(b'\n', line)?;
    Ok(line.ends_with(b"\n"))
}
