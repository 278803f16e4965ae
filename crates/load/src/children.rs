//! Compilers that are running and the directories that they write into, for who ends the process before they are done: it takes them along.
//!
//! There is one list, as there is one process that signals come to. It is kept only for who takes charge of it: otherwise compilers get the terminal's signals
//! themselves, as those of `coax-cc` do.

use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

static RUNNING: Mutex<Running> =
    Mutex::new(Running { is_kept: false, is_over: false, groups: BTreeSet::new(), places: BTreeSet::new() });

struct Running {
    /// Whether somebody takes charge.
    is_kept: bool,
    /// Whether no more may begin.
    is_over: bool,
    /// The groups of processes, by their first one.
    groups: BTreeSet<u32>,
    /// Directories that are to vanish.
    places: BTreeSet<PathBuf>,
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on somebody else ends compilers when the user wants that.
pub fn take_charge_of_children() {
    running().is_kept = true;
}

/// Ends all compilers, removes what they have written, and lets no more begin.
pub fn end_children() {
    let mut running = running();
    running.is_over = true;
    for group in std::mem::take(&mut running.groups) {
        // Who has ended was taken from the list when it was waited for, so the group is still its own.
        if let Some(group) = Pid::from_raw(group.cast_signed()) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
    for place in std::mem::take(&mut running.places) {
        let _ = std::fs::remove_dir_all(place);
    }
}

/// A process that is on the list.
pub(crate) struct Listed {
    group: Option<u32>,
}

impl Listed {
    /// Starts a command, in a group of its own if somebody takes charge: what it starts itself belongs to it.
    pub(crate) fn start(command: &mut Command) -> io::Result<(Child, Listed)> {
        let mut running = running();
        if running.is_over {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if !running.is_kept {
            return Ok((command.spawn()?, Listed { group: None }));
        }
        let child = command.process_group(0).spawn()?;
        running.groups.insert(child.id());
        let group = Some(child.id());
        Ok((child, Listed { group }))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        if let Some(group) = self.group {
            running().groups.remove(&group);
        }
    }
}

/// A temporary directory that is removed when it is dropped, or when all that is running is ended.
pub(crate) struct Scratch(tempfile::TempDir);

impl Scratch {
    pub(crate) fn new(directory: tempfile::TempDir) -> Scratch {
        running().places.insert(directory.path().to_owned());
        Scratch(directory)
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        running().places.remove(self.0.path());
    }
}
