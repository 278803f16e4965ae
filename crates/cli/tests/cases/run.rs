//! Runs the commands of a case the way a user would, in an empty corner of the disk.
//!
//! Every case gets a fresh working directory with nothing but a copy of its file, and a fresh
//! directory for temporary files. Both must look the same afterwards: coax leaves nothing behind
//! that it was not asked for.

use crate::case::{Case, Step};
use crate::filter::Filter;
use crate::reports::Reports;
use std::collections::BTreeMap;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// A command that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// The directories of one run; they go when it ends.
struct Places {
    _base: tempfile::TempDir,
    /// The working directory.
    work: PathBuf,
    /// `%t`, where the commands may put what they like.
    scratch: PathBuf,
    /// Where programs put their temporary files.
    temporary: PathBuf,
    /// The user's cache directory.
    cache: PathBuf,
}

/// Runs a case: its transcript, or what went wrong that no transcript can excuse.
pub fn run(root: &Path, case: &Case, reports: &Reports) -> Result<String, String> {
    let places = Places::new(case).map_err(|error| format!("cannot be set up: {error}"))?;
    let before = contents(&places.work);
    let home = std::env::home_dir().unwrap_or_default();
    let filter = Filter::new(&[
        (&places.work, "[dir]"),
        (&places.scratch, "[t]"),
        (&places.temporary, "[tmp]"),
        (&places.cache, "[cache]"),
        (root, "[root]"),
        (&home, "[home]"),
    ]);
    let mut transcript = String::new();
    for step in &case.steps {
        run_step(root, case, step, &places, &filter, &mut transcript)?;
    }
    places.check_untouched(case, &before)?;
    reports.keep(&[&places.work, &places.scratch])?;
    Ok(transcript)
}

/// Runs one command and adds it to the transcript.
fn run_step(
    root: &Path,
    case: &Case,
    step: &Step,
    places: &Places,
    filter: &Filter,
    transcript: &mut String,
) -> Result<(), String> {
    let file = case.path.file_name().unwrap_or_default().to_string_lossy();
    let command = substitute(&step.command, &file, &places.scratch, root);
    let (status, stdout, stderr) = finish(places.shell(&command), &step.command)?;
    let (stdout, stderr) = (filter.apply(&stdout), filter.apply(&stderr));
    if status.code() != Some(step.exit) {
        let command = &step.command;
        let expected = step.exit;
        return Err(format!("`{command}`: {status}, expected {expected}\n{stdout}\n{stderr}"));
    }
    transcript.push_str(&format!("$ {}\n", step.command));
    for (gutter, text) in [("|", stdout), ("!", stderr)] {
        for line in text.lines() {
            transcript.push_str(format!("{gutter} {line}").trim_end());
            transcript.push('\n');
        }
    }
    Ok(())
}

/// Replaces `%` by the file, `%t` by the scratch directory and `%root` by the repository.
pub fn substitute(command: &str, file: &str, scratch: &Path, root: &Path) -> String {
    let mut result = String::new();
    let mut rest = command;
    while let Some((before, after)) = rest.split_once('%') {
        result.push_str(before);
        let word = after.find(|character: char| !character.is_alphanumeric()).unwrap_or(after.len());
        let (word, after) = after.split_at(word);
        match word {
            "" => result.push_str(file),
            "t" => result.push_str(&scratch.display().to_string()),
            "root" => result.push_str(&root.display().to_string()),
            other => result.push_str(&format!("%{other}")),
        }
        rest = after;
    }
    result + rest
}

/// Waits for a command: its status and all it printed.
fn finish(mut command: Command, shown: &str) -> Result<(std::process::ExitStatus, String, String), String> {
    let mut child = command.spawn().map_err(|error| format!("`{shown}` does not start: {error}"))?;
    let (sender, receiver) = mpsc::channel();
    let stdout = collect(child.stdout.take(), sender.clone());
    let stderr = collect(child.stderr.take(), sender);
    for _ in 0..2 {
        if receiver.recv_timeout(PATIENCE).is_err() {
            kill(&mut child);
            return Err(format!("`{shown}` still runs after {} seconds", PATIENCE.as_secs()));
        }
    }
    let status = child.wait().map_err(|error| format!("`{shown}` is lost: {error}"))?;
    Ok((status, stdout.join().unwrap_or_default(), stderr.join().unwrap_or_default()))
}

/// Reads a stream to its end on a thread of its own, then says so.
fn collect(
    stream: Option<impl Read + Send + 'static>,
    done: mpsc::Sender<()>,
) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // A stream that breaks off shows as missing output.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        let _ = done.send(());
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Ends a command with everything it started.
fn kill(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    let _ = child.wait();
}

impl Places {
    fn new(case: &Case) -> std::io::Result<Places> {
        let base = tempfile::tempdir()?;
        let path = base.path().canonicalize()?;
        let [work, scratch, temporary] = ["dir", "t", "tmp"].map(|name| path.join(name));
        // Compiled programs are kept from one run of the suite to the next.
        let shared_cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
        let cache = if case.untouched_cache { path.join("cache") } else { shared_cache };
        for directory in [&work, &scratch, &temporary, &cache] {
            std::fs::create_dir_all(directory)?;
        }
        let folder = case.path.parent().unwrap_or(Path::new("."));
        let own = case.path.file_name().into_iter().map(PathBuf::from);
        for file in own.chain(case.with.iter().map(PathBuf::from)) {
            let target = work.join(&file);
            std::fs::create_dir_all(target.parent().unwrap_or(&work))?;
            std::fs::copy(folder.join(&file), target)?;
        }
        Ok(Places { _base: base, work, scratch, temporary, cache })
    }

    /// The shell command, in an environment that is the same on every machine.
    fn shell(&self, command: &str) -> Command {
        let programs = Path::new(env!("CARGO_BIN_EXE_coax")).parent().unwrap_or(Path::new("."));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path));
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command).current_dir(&self.work).env_clear();
        for kept in ["HOME", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"] {
            shell.envs(std::env::var_os(kept).map(|value| (kept, value)));
        }
        shell.env("PATH", std::env::join_paths(path).unwrap_or_default());
        shell.env("TMPDIR", &self.temporary).env("XDG_CACHE_HOME", &self.cache);
        shell.envs([("LC_ALL", "C.UTF-8"), ("NO_COLOR", "1"), ("COLUMNS", "100")]);
        shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        shell
    }

    /// Fails if the commands left anything behind, or changed what was there.
    fn check_untouched(&self, case: &Case, before: &BTreeMap<PathBuf, Vec<u8>>) -> Result<(), String> {
        let mut after = contents(&self.work);
        for left in &case.leaves {
            let there = after.keys().any(|path| path.starts_with(left));
            if !there {
                return Err(format!("{left} should have been left behind but is not there"));
            }
            after.retain(|path, _| !path.starts_with(left));
        }
        if let Some(path) = after.keys().find(|path| !before.contains_key(*path)) {
            return Err(format!("the commands left {} behind in the working directory", path.display()));
        }
        if let Some(path) = before.keys().find(|path| before.get(*path) != after.get(*path)) {
            return Err(format!("the commands changed or removed {}", path.display()));
        }
        if let Some(path) = contents(&self.temporary).keys().next() {
            return Err(format!("the commands left {} behind in [tmp]", path.display()));
        }
        if !case.untouched_cache {
            return Ok(());
        }
        // The cache directory itself may be made: that says nothing of any input.
        let cached = contents(&self.cache).into_keys().find(|path| !self.cache.join(path).is_dir());
        cached.map_or(Ok(()), |path| Err(format!("the commands left {} behind in [cache]", path.display())))
    }
}

/// The files and directories below a directory; a directory's content is empty.
fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in next.read_dir().into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(directory).unwrap_or(&path).to_owned();
            if path.is_dir() {
                found.insert(name, Vec::new());
                open.push(path);
            } else {
                found.insert(name, std::fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}
