//! A solver's process: text goes in, expressions come out.
//!
//! Two threads carry the bytes, so that neither a child that does not read nor one that writes without end can block us. Whoever waits
//! looks at the budget. A process never outlives its owner: it is killed with its group, by its id, when dropped; and if we are killed
//! ourselves, it sees the end of its input.

use crate::Budget;
use rustix::process::{Pid, Signal};
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often to see whether someone cancelled.
const GLANCE: Duration = Duration::from_millis(5);
/// An answer of more bytes is none.
const LONGEST_ANSWER: usize = 64 << 20;
const CHUNK: usize = 64 << 10;
/// How many chunks may wait to be read.
const CHUNKS: usize = 16;

/// The groups of all solvers that are running, for who ends the process before they are done.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all solvers that are processes of their own: who ends this process cannot wait until each sees the end of its input.
pub fn end_solvers() {
    for group in std::mem::take(&mut *running()) {
        if let Some(group) = Pid::from_raw(group.cast_signed()) {
            let _ = rustix::process::kill_process_group(group, Signal::KILL);
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The budget is over.
    Late,
    /// The process ended, or closed its output.
    Ended,
    /// It says more than anyone wants to know.
    Flood,
}

pub(super) struct Process {
    child: Child,
    input: Sender<String>,
    output: Receiver<Vec<u8>>,
    pending: Pending,
    markers: usize,
    has_ended: bool,
}

impl Process {
    /// Starts a program, with so many megabytes of memory if the system can see to it.
    pub(super) fn start(program: &str, arguments: &[String], megabytes: Option<u64>) -> io::Result<Process> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A group of its own: a program that only starts the solver is killed together with it.
        let mut child = command.process_group(0).spawn()?;
        running().insert(child.id());
        if let Some(megabytes) = megabytes {
            limit_memory(&child, megabytes);
        }
        let (input, to_write) = channel();
        let (read, output) = sync_channel(CHUNKS);
        if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            thread::spawn(move || write_all(stdin, to_write));
            thread::spawn(move || read_all(stdout, read));
        }
        Ok(Process { child, input, output, pending: Pending::default(), markers: 0, has_ended: false })
    }

    /// Sends commands. If the process is no more, the next answer says so.
    pub(super) fn send(&self, commands: String) {
        let _ = self.input.send(commands);
    }

    /// Sends commands and returns all that is answered to them. A marker tells where the answers end, so that none can be taken for
    /// that of another question.
    pub(super) fn ask(&mut self, mut commands: String, budget: &Budget) -> Result<Vec<String>, Trouble> {
        self.markers += 1;
        let marker = format!("coax-{}", self.markers);
        commands += &format!("(echo \"{marker}\")\n");
        self.send(commands);
        let mut answers = Vec::new();
        let mut length = 0;
        loop {
            let answer = self.next_answer(budget)?;
            if answer.trim_matches('"') == marker {
                return Ok(answers);
            }
            // An answer takes some memory besides its bytes.
            length += answer.len() + 32;
            if length > LONGEST_ANSWER {
                return Err(Trouble::Flood);
            }
            answers.push(answer);
        }
    }

    fn next_answer(&mut self, budget: &Budget) -> Result<String, Trouble> {
        loop {
            if let Some(answer) = self.pending.next() {
                return Ok(answer);
            }
            if self.pending.bytes.len() > LONGEST_ANSWER {
                return Err(Trouble::Flood);
            }
            let left = budget.time_left().unwrap_or(GLANCE);
            if left.is_zero() {
                return Err(Trouble::Late);
            }
            match self.output.recv_timeout(left.min(GLANCE)) {
                Ok(bytes) => self.pending.add(&bytes),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Ended),
            }
        }
    }
}

impl Process {
    /// Ends the process, if it has not ended by itself; returns its exit code if it has.
    pub(super) fn end(&mut self) -> Option<i32> {
        if !self.has_ended {
            // Nobody has waited for the child, so its id, which is the group's, is still its own.
            let _ = rustix::process::kill_process_group(Pid::from_child(&self.child), Signal::KILL);
            let _ = self.child.kill();
            self.has_ended = true;
            running().remove(&self.child.id());
        }
        self.child.wait().ok()?.code()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(target_os = "linux")]
fn limit_memory(child: &Child, megabytes: u64) {
    use rustix::process::{Resource, Rlimit, prlimit};
    let most = Some(megabytes << 20);
    // If it fails, the process has ended already; who waits for its answer will see.
    let _ = prlimit(Some(Pid::from_child(child)), Resource::As, Rlimit { current: most, maximum: most });
}

#[cfg(not(target_os = "linux"))]
fn limit_memory(_child: &Child, _megabytes: u64) {}

fn write_all(mut stdin: ChildStdin, texts: Receiver<String>) {
    for text in texts {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_all(mut stdout: ChildStdout, chunks: SyncSender<Vec<u8>>) {
    let mut buffer = vec![0; CHUNK];
    loop {
        match stdout.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
            Ok(length) if chunks.send(buffer[..length].to_vec()).is_err() => return,
            Ok(_) => {}
        }
    }
}

/// Bytes that were read, cut into expressions. Each byte is looked at once.
#[derive(Debug, Default)]
struct Pending {
    bytes: Vec<u8>,
    /// Where the next expression starts: what is before has been returned.
    start: usize,
    /// How many of the bytes were looked at.
    seen: usize,
    depth: usize,
    inside: Inside,
    /// Whether an expression has begun.
    begun: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Plain,
    String,
    Bars,
    Comment,
}

impl Pending {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.seen -= self.start;
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next complete expression.
    fn next(&mut self) -> Option<String> {
        while let Some(&byte) = self.bytes.get(self.seen) {
            self.seen += 1;
            if self.ends_with(byte) {
                let expression =
                    String::from_utf8_lossy(&self.bytes[self.start..self.seen]).trim().to_owned();
                self.start = self.seen;
                self.begun = false;
                return Some(expression);
            }
        }
        None
    }

    /// Whether an expression ends with this byte.
    fn ends_with(&mut self, byte: u8) -> bool {
        match (self.inside, byte) {
            (Inside::Plain, b'"') => self.inside = Inside::String,
            (Inside::Plain, b'|') => self.inside = Inside::Bars,
            (Inside::Plain, b';') => self.inside = Inside::Comment,
            (Inside::Plain, b'(') => self.depth += 1,
            (Inside::Plain, b')') => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            (Inside::Plain, _) if byte.is_ascii_whitespace() => return self.begun && self.depth == 0,
            (Inside::Plain, _) => {}
            (Inside::String, b'"') | (Inside::Bars, b'|') => self.inside = Inside::Plain,
            (Inside::Comment, b'\n') => {
                self.inside = Inside::Plain;
                // A comment before an expression is no part of it.
                self.start = if self.begun { self.start } else { self.seen };
                return false;
            }
            _ => {}
        }
        self.begun |= self.inside != Inside::Comment;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_cut_wherever_the_pieces_end() {
        let text = b"sat\n((|a)| #x03)\n (b \"a \"\") (\")) ; a comment (\nunknown\n) (error \"x\")\nunsat";
        let expected = ["sat", "((|a)| #x03)\n (b \"a \"\") (\"))", "unknown", ")", "(error \"x\")"];
        for size in 1..text.len() {
            let mut pending = Pending::default();
            let mut found = Vec::new();
            for piece in text.chunks(size) {
                pending.add(piece);
                found.extend(std::iter::from_fn(|| pending.next()));
            }
            assert_eq!(found, expected, "pieces of {size}");
        }
    }
}
