//! The other process: it is told which program, then what slots have to do, and answers with what they bring.

use super::options;
use super::subject::subject;
use coax_program::{Func, Program};
use coax_search::Worker;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Set where this program is the other process.
pub const IS_WORKER: &str = "COAX_TEST_WORKER";

/// The side of whoever has work to do.
pub struct Elsewhere {
    child: Child,
    to: Option<ChildStdin>,
    from: ChildStdout,
}

impl Elsewhere {
    /// Starts a process for a program of which these functions are unknown.
    pub fn start(wasm: &[u8], unknown: &[u32]) -> Result<Elsewhere> {
        let mut command = Command::new(std::env::current_exe()?);
        let mut child = command.env(IS_WORKER, "").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let (Some(mut to), Some(from)) = (to, from) else { return Err(ErrorKind::BrokenPipe.into()) };
        write(&mut to, wasm)?;
        write(&mut to, &unknown.iter().flat_map(|func| func.to_le_bytes()).collect::<Vec<u8>>())?;
        Ok(Elsewhere { child, to: Some(to), from })
    }

    /// Has it do what a slot was given.
    pub fn perform(&mut self, given: &[u8]) -> Result<Vec<u8>> {
        write(self.to.as_mut().ok_or(ErrorKind::BrokenPipe)?, given)?;
        read(&mut self.from)?.ok_or_else(|| Error::other("the other process ended"))
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        // It ends when nothing more comes.
        self.to = None;
        let _ = self.child.wait();
    }
}

/// The other side.
pub fn work() {
    let (mut from, mut to) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut next = || read(&mut from).expect("the other side writes whole messages");
    let wasm = next().expect("it says which program");
    let unknown = next().expect("it says what is unknown");
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let program = Program::parse(wasm).expect("it is a program");
    let subject = subject(&program, unknown.chunks(4).map(|bytes| Func(number(bytes))));
    let options = options(1);
    let mut worker = Worker::new(&subject, &options);
    while let Some(given) = next() {
        let brought = worker.perform(&given).expect("it can be done");
        write(&mut to, &brought).expect("the other side reads");
    }
}

/// A message with its length before it.
fn write(to: &mut impl Write, message: &[u8]) -> Result<()> {
    to.write_all(&(message.len() as u64).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}

/// The next message; none if there are no more.
fn read(from: &mut impl Read) -> Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut message = vec![0; u64::from_le_bytes(length) as usize];
    from.read_exact(&mut message)?;
    Ok(Some(message))
}
