//! What tells a file from what it was before, without reading it.

use std::fs::{File, Metadata};
use std::path::Path;

use serde::{Deserialize, Serialize};

/// A moment of a file system's clock: seconds and nanoseconds.
pub(crate) type Moment = (i64, i64);

/// A file as its directory knows it. Two stamps that are equal are of the same content, as long as the first was taken after the moment
/// in which the file was changed: the clock that a later change is stamped by has gone on by then. That the times can be set by hand
/// does not matter: setting them changes the time of the last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    bytes: u64,
    modified: Moment,
    changed: Moment,
    inode: u64,
}

impl Stamp {
    /// That of a file; none if there is no file there.
    pub fn of(path: &Path) -> Option<Stamp> {
        std::fs::metadata(path).ok().filter(Metadata::is_file).map(|metadata| Stamp::from(&metadata))
    }

    /// That of a file that is open.
    pub fn of_open(file: &File) -> Option<Stamp> {
        file.metadata().ok().map(|metadata| Stamp::from(&metadata))
    }

    /// When anything about the file changed last.
    pub fn changed(&self) -> Moment {
        self.changed.max(self.modified)
    }
}

#[cfg(unix)]
impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Stamp {
        use std::os::unix::fs::MetadataExt;
        Stamp {
            bytes: metadata.size(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }
}

#[cfg(not(unix))]
impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Stamp {
        let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let modified =
            since.map_or((0, 0), |since| (since.as_secs().cast_signed(), i64::from(since.subsec_nanos())));
        Stamp { bytes: metadata.len(), modified, changed: modified, inode: 0 }
    }
}
