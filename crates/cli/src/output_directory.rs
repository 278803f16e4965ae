//! A directory that coax writes to, opened once: everything in it is reached from there, and never through a link.
//!
//! A directory of results may come from elsewhere, with a cache or a checkout. A link in it must not lead a write out of it, and a pipe must
//! not stop a read. The directory itself may be a link: that is the user's choice. Files appear whole or not at all: they are written under
//! another name and renamed, which replaces a link or one of several names of a file without touching what it stands for.

use anyhow::{Context, Error, Result, anyhow, bail};
use coax_load::read_all;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What files are called until they are whole. What is left of a run that was killed is removed by the next one.
const UNFINISHED: &str = ".coax-unfinished-";
/// Reports are as readable as the user's other files.
const FILE_MODE: Mode = Mode::from_raw_mode(0o666);
const FOLDER_MODE: Mode = Mode::from_raw_mode(0o777);
/// How large a file can be that is read: a report of a large program has some megabytes.
const MOST_BYTES: u64 = 1 << 30;

/// The directory.
pub struct OutputDirectory {
    path: PathBuf,
    handle: OwnedFd,
}

/// What an entry of a directory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A pipe, a socket or a device.
    Other,
}

impl OutputDirectory {
    /// A directory that is there; none if it is not.
    pub fn open(path: &Path) -> Result<Option<OutputDirectory>> {
        match openat(CWD, path, OFlags::DIRECTORY | OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(handle) => Ok(Some(OutputDirectory { path: path.to_owned(), handle })),
            Err(Errno::NOENT) => Ok(None),
            Err(Errno::NOTDIR) => {
                Err(anyhow!("{} is no directory; name another one with `--out`", path.display()))
            }
            Err(error) => Err(failed(error, "open", path)),
        }
    }

    /// A directory that is made if it is not there.
    pub fn make(path: &Path) -> Result<OutputDirectory> {
        std::fs::create_dir_all(path).with_context(|| {
            format!("cannot make {}; name another directory with `--out`", path.display())
        })?;
        OutputDirectory::open(path)?
            .ok_or_else(|| anyhow!("{} is gone; name another directory with `--out`", path.display()))
    }

    /// Where it is, for people.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is in it, in order.
    pub fn entries(&self) -> Result<Vec<(String, Kind)>> {
        let unreadable = |error| failed(error, "read", &self.path);
        let mut entries = Vec::new();
        for entry in Dir::read_from(&self.handle).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say.
                FileType::Unknown => self.kind(&name)?.unwrap_or(Kind::Other),
                kind => kind.into(),
            };
            entries.push((name, kind));
        }
        entries.sort();
        Ok(entries)
    }

    /// What an entry is; none if it is not there.
    pub fn kind(&self, name: &str) -> Result<Option<Kind>> {
        self.check(name)?;
        match statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(FileType::from_raw_mode(stat.st_mode).into())),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(failed(error, "read", &self.path.join(name))),
        }
    }

    /// Fails if a name is not one of an entry, but leads somewhere else.
    fn check(&self, name: &str) -> Result<()> {
        if ["", ".", ".."].contains(&name) || name.contains('/') {
            bail!("`{name}` is no name of a file in {}; remove what has it", self.path.display());
        }
        Ok(())
    }

    /// A folder in it, made if it is not there.
    pub fn make_folder(&self, name: &str) -> Result<OutputDirectory> {
        self.check(name)?;
        match mkdirat(&self.handle, name, FOLDER_MODE) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(failed(error, "make", &self.path.join(name))),
        }
        self.folder(name)?.ok_or_else(|| anyhow!("{} is gone", self.path.join(name).display()))
    }

    /// A folder in it; none if it is not there.
    pub fn folder(&self, name: &str) -> Result<Option<OutputDirectory>> {
        self.check(name)?;
        let path = self.path.join(name);
        let flags = OFlags::DIRECTORY | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        match openat(&self.handle, name, flags, Mode::empty()) {
            Ok(handle) => Ok(Some(OutputDirectory { path, handle })),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => {
                self.expect(name, Kind::Folder)?;
                Err(failed(error, "open", &path))
            }
        }
    }

    /// The content of a file in it or in a folder of it; none if it is not there.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        if let Some((folder, name)) = name.split_once('/') {
            return self.folder(folder)?.map_or(Ok(None), |folder| folder.read(name));
        }
        let Some(file) = self.open_file(name, OFlags::RDONLY)? else { return Ok(None) };
        let unreadable = || format!("cannot read {}", self.path.join(name).display());
        read_all(file, MOST_BYTES).map(Some).with_context(unreadable)
    }

    /// A file that is there, opened so; none if it is not.
    pub fn open_file(&self, name: &str, flags: OFlags) -> Result<Option<File>> {
        self.check(name)?;
        // Nobody waits for the other end of a pipe.
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match openat(&self.handle, name, flags, FILE_MODE) {
            Ok(handle) => {
                let file = File::from(handle);
                let path = self.path.join(name);
                let stat = file.metadata().with_context(|| format!("cannot read {}", path.display()))?;
                expect(Kind::File, stat.file_type().into(), &path)?;
                if flags.contains(OFlags::RDWR) && stat.nlink() > 1 {
                    bail!(
                        "{} has another name somewhere (a hard link); remove it, or name another directory with `--out`",
                        path.display()
                    );
                }
                Ok(Some(file))
            }
            Err(Errno::NOENT) => Ok(None),
            Err(error) => {
                self.expect(name, Kind::File)?;
                Err(failed(error, "open", &self.path.join(name)))
            }
        }
    }

    /// A new file, to be written bit by bit; one of this name is removed before.
    pub fn new_file(&self, name: &str) -> Result<File> {
        self.remove(name)?;
        self.create(name).map_err(|error| failed(error, "write", &self.path.join(name)))
    }

    fn create(&self, name: &str) -> Result<File, Errno> {
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(&self.handle, name, flags, FILE_MODE).map(File::from)
    }

    /// Writes a file in it, whole, or in a folder of it, which is made if it is not there.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        self.write_then(name, |out| out.write_all(bytes), |_| Ok(()))
    }

    /// The same with what somebody writes bit by bit, and waits until the disk has it: some say only then that they are full.
    pub fn write_to_disk(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<&File>) -> std::io::Result<()>,
    ) -> Result<()> {
        self.write_then(name, write, File::sync_data)
    }

    fn write_then(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<&File>) -> std::io::Result<()>,
        then: impl FnOnce(&File) -> std::io::Result<()>,
    ) -> Result<()> {
        if let Some((folder, name)) = name.split_once('/') {
            return self.make_folder(folder)?.write_then(name, write, then);
        }
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        self.expect(name, Kind::File)?;
        let path = self.path.join(name);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let unfinished = format!("{UNFINISHED}{}-{number}", std::process::id());
        let file = self.create(&unfinished).map_err(|error| failed(error, "write", &path))?;
        let mut out = BufWriter::new(&file);
        let written = write(&mut out).and_then(|()| out.flush()).and_then(|()| then(&file));
        let written = written.map_err(Error::from);
        let renamed = written.and_then(|()| Ok(renameat(&self.handle, &unfinished, &self.handle, name)?));
        renamed.map_err(|error| {
            // What is wrong is told already.
            let _ = unlinkat(&self.handle, &unfinished, AtFlags::empty());
            error.context(format!("cannot write {}", path.display()))
        })
    }

    /// Removes a file in it or in a folder of it, if it is there.
    pub fn remove(&self, name: &str) -> Result<()> {
        if let Some((folder, name)) = name.split_once('/') {
            return self.folder(folder)?.map_or(Ok(()), |folder| folder.remove(name));
        }
        self.expect(name, Kind::File)?;
        match unlinkat(&self.handle, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(failed(error, "remove", &self.path.join(name))),
        }
    }

    /// Removes what a run that was killed has left unfinished.
    pub fn remove_unfinished(&self) -> Result<()> {
        for (name, kind) in self.entries()? {
            if kind == Kind::File && name.starts_with(UNFINISHED) {
                self.remove(&name)?;
            }
        }
        Ok(())
    }

    /// Fails if an entry is there and is something else.
    pub fn expect(&self, name: &str, wanted: Kind) -> Result<()> {
        self.kind(name)?.map_or(Ok(()), |kind| expect(wanted, kind, &self.path.join(name)))
    }

    /// Fails if there is a link, or anything that is neither file nor folder, in it or below it.
    pub fn expect_plain(&self) -> Result<()> {
        for (name, kind) in self.entries()? {
            match kind {
                Kind::Folder => self.folder(&name)?.map_or(Ok(()), |folder| folder.expect_plain())?,
                kind => expect(Kind::File, kind, &self.path.join(&name))?,
            }
        }
        Ok(())
    }
}

impl From<FileType> for Kind {
    fn from(kind: FileType) -> Kind {
        match kind {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        }
    }
}

impl From<std::fs::FileType> for Kind {
    fn from(kind: std::fs::FileType) -> Kind {
        match kind {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Other,
        }
    }
}

fn expect(wanted: Kind, found: Kind, path: &Path) -> Result<()> {
    let what = match found {
        found if found == wanted => return Ok(()),
        Kind::Link => "is a link, which may lead anywhere",
        Kind::Folder => "is a directory, not a file",
        Kind::File => "is a file, not a directory",
        Kind::Other => "is a pipe or a device, not a file",
    };
    Err(anyhow!("{} {what}; remove it, or name another directory with `--out`", path.display()))
}

fn failed(error: Errno, what: &str, path: &Path) -> Error {
    Error::from(std::io::Error::from(error)).context(format!("cannot {what} {}", path.display()))
}

#[cfg(test)]
mod tests;
