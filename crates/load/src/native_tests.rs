//! Generated tests, compiled for this machine and run: what a test asserts must have been seen to hold where it will run.
//!
//! This runs the user's program outside the sandbox, which is why it only happens when the user asks for such tests. It runs in a directory of its
//! own, with an empty standard input, and is ended when it takes too long.

use crate::children::Listed;
use crate::process::{self, file_argument};
use crate::runtime::Runtime;
use crate::{Error, Tools, install};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// C compilers, best first.
const COMPILERS: [&str; 3] = ["cc", "gcc", "clang"];
/// How long all tests together may take: so many pauses of such a length.
const PAUSES: u32 = 6000;
const PAUSE: Duration = Duration::from_millis(10);

/// What tests said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeTests {
    /// Standard output.
    pub stdout: String,
    /// Whether all went well.
    pub success: bool,
}

/// Compiles a C file, as if it stood in the current directory, with these other sources and flags, and runs it.
pub fn run_c_tests(
    tools: &Tools,
    text: &str,
    sources: &[PathBuf],
    flags: &[String],
) -> Result<NativeTests, Error> {
    let missing = || Error::MissingTool {
        missing: "a C compiler for this machine".to_owned(),
        purpose: "running generated tests".to_owned(),
        install: format!("Get it with: {}", install::native()),
        messages: String::new(),
    };
    let compiler = COMPILERS.iter().find_map(|name| tools.find(name)).ok_or_else(missing)?;
    let scratch = tools.make_scratch()?;
    let headers = Runtime::write(scratch.path())?;
    let (file, program) = (scratch.path().join("tests.c"), scratch.path().join("tests"));
    fs::write(&file, text).map_err(Error::write(&file))?;
    let mut command = process::command(&compiler);
    command.args(["-w", "-g", "-fwrapv", "-fno-strict-aliasing", "-I", "."]).arg("-I").arg(headers.headers());
    command.args(flags).arg("-o").arg(&program).arg(&file);
    command.args(sources.iter().map(|source| file_argument(source))).arg("-lm");
    compile(command, "the generated tests")?;
    run(&program, scratch.path())
}

/// Compiles a Rust file as a test and runs it.
pub fn run_rust_tests(tools: &Tools, text: &str) -> Result<NativeTests, Error> {
    let missing = || Error::MissingTool {
        missing: "rustc".to_owned(),
        purpose: "running generated tests".to_owned(),
        install: format!("Get it with: {}", install::rust()),
        messages: String::new(),
    };
    let compiler = tools.find("rustc").ok_or_else(missing)?;
    let scratch = tools.make_scratch()?;
    let (file, program) = (scratch.path().join("tests.rs"), scratch.path().join("tests"));
    fs::write(&file, text).map_err(Error::write(&file))?;
    let mut command = process::command(&compiler);
    // As in wasm, numbers wrap or not by the user's own flags; checks are those of a build for testing.
    command.args(["--test", "--edition", "2021", "--cap-lints", "allow", "-o"]).arg(&program).arg(&file);
    compile(command, "the generated tests")?;
    run(&program, scratch.path())
}

fn compile(mut command: Command, what: &str) -> Result<(), Error> {
    let finished = process::run(&mut command)?;
    match finished.success {
        true => Ok(()),
        false => Err(Error::Compile { what: what.to_owned(), messages: finished.messages }),
    }
}

fn run(program: &Path, directory: &Path) -> Result<NativeTests, Error> {
    let output = directory.join("stdout");
    let stdout = File::create(&output).map_err(Error::write(&output))?;
    let mut started = Command::new(program);
    started.current_dir(directory).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::null());
    let failed = |reason| Error::Start { program: program.into(), reason };
    let (mut child, _listed) = Listed::start(&mut started).map_err(failed)?;
    let mut success = false;
    for pause in 0..=PAUSES {
        if let Some(status) = child.try_wait().map_err(failed)? {
            success = status.success();
            break;
        }
        if pause == PAUSES {
            // It may have ended by itself just now.
            let _ = child.kill();
            let _ = child.wait();
        }
        thread::sleep(PAUSE);
    }
    let bytes = fs::read(&output).map_err(Error::read(&output))?;
    Ok(NativeTests { stdout: String::from_utf8_lossy(&bytes).into_owned(), success })
}
