//! Starting a compiler and keeping what it said.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Error;
use crate::children::Listed;

/// What a finished child left.
pub(crate) struct Finished {
    pub success: bool,
    pub stdout: Vec<u8>,
    /// Standard error as text: what the compiler has to say to a person.
    pub messages: String,
}

/// A command for `program` whose meaning does not depend on the caller's environment.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    // These add the host's headers to every compilation, also to one for wasm.
    for variable in ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH"] {
        command.env_remove(variable);
    }
    command
}

/// A file's name as an argument that no compiler or linker takes for a flag or a response file. Names come from
/// compilation databases too, and a file called `@x.c` or `-fplugin=x.c` must not become an order.
pub(crate) fn file_argument(file: &Path) -> PathBuf {
    match file.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Path::new(".").join(file),
        _ => file.to_owned(),
    }
}

/// Runs a command to its end. Its standard input is empty, so that no compiler waits for a terminal.
pub(crate) fn run(command: &mut Command) -> Result<Finished, Error> {
    run_with_input(command, Stdio::null())
}

/// Runs a command to its end with the given standard input.
pub(crate) fn run_with_input(command: &mut Command, input: Stdio) -> Result<Finished, Error> {
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
    let finished = Listed::start(command).and_then(|(child, _listed)| child.wait_with_output());
    let output = finished.map_err(|reason| Error::Start { program: command.get_program().into(), reason })?;
    Ok(Finished {
        success: output.status.success(),
        stdout: output.stdout,
        messages: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// What a program answers on standard output, if it runs and succeeds.
pub(crate) fn answer(program: &Path, argument: &str) -> Option<String> {
    let finished = run(command(program).arg(argument)).ok()?;
    finished.success.then(|| String::from_utf8_lossy(&finished.stdout).into_owned())
}
