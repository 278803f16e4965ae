//! Reading files that users and other programs name.
//!
//! A pipe, a terminal or a device may never end, and waiting for one to be written may never end either. What a file is, is asked of the file that
//! was opened, so nobody can exchange it in between.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

/// How large a file can be that is read whole: a program, an input, a report. All of it is in memory.
pub const MOST_BYTES: u64 = 256 << 20;

const NO_FILE: &str = "it is a pipe or a device, not a file";

/// A file that is opened for reading, or why it is none. Nothing is waited for.
pub fn open_plain(path: &Path) -> io::Result<File> {
    let nonblocking = OFlags::NONBLOCK.bits().cast_signed();
    let mut file = OpenOptions::new().read(true).custom_flags(nonblocking).open(path)?;
    let kind = file.metadata()?.file_type();
    // A device may be as good as an empty file: /dev/null is.
    let is_empty = |file: &mut File| matches!(file.read(&mut [0]), Ok(0));
    if kind.is_file() || kind.is_char_device() && is_empty(&mut file) {
        return Ok(file);
    }
    let what = if kind.is_dir() { "it is a directory, not a file" } else { NO_FILE };
    Err(io::Error::other(what))
}

/// The content of a file of at most so many bytes.
pub fn read_plain(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    read_all(open_plain(path)?, most_bytes)
}

/// What is left of a file, at most so many bytes.
pub fn read_all(from: impl Read, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match from.take(most_bytes.saturating_add(1)).read_to_end(&mut bytes) {
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
            return Err(io::Error::other(NO_FILE));
        }
        read => read?,
    };
    match bytes.len() as u64 > most_bytes {
        true => Err(io::Error::other(format!("it has more than {most_bytes} bytes"))),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::{NO_FILE, read_plain};
    use std::path::Path;

    #[test]
    fn what_never_ends_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let refused = |path: &Path| read_plain(path, 1000).unwrap_err().to_string();
        assert_eq!(refused(directory.path()), "it is a directory, not a file");
        assert_eq!(refused(Path::new("/dev/zero")), NO_FILE);
        assert_eq!(read_plain(Path::new("/dev/null"), 1000).unwrap(), b"");
        let pipe = directory.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
        assert_eq!(refused(&pipe), NO_FILE);
        let file = directory.path().join("file");
        std::fs::write(&file, [1; 1000]).unwrap();
        assert_eq!(read_plain(&file, 1000).unwrap().len(), 1000);
        assert_eq!(read_plain(&file, 999).unwrap_err().to_string(), "it has more than 999 bytes");
    }
}
