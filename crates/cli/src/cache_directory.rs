//! Where both programs, `coax` and `coax-cc`, keep what they may need again.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// `$COAX_CACHE`, else a place in the user's cache directory; none if neither is known.
pub fn cache_directory() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    variable("COAX_CACHE").or_else(|| Some(user()?.join("coax").join("programs")))
}

/// Why a cache cannot be used, if it cannot: compiled code in it is run as it is, so nobody else may put any there.
pub fn distrust(cache: &Path) -> Option<String> {
    const WRITABLE_BY_ALL: u32 = 0o002;
    // What is not there yet will be the user's own.
    let metadata = cache.metadata().ok()?;
    let own = [rustix::process::geteuid().as_raw(), 0];
    let why = match metadata.mode() & WRITABLE_BY_ALL {
        0 if own.contains(&metadata.uid()) => return None,
        0 => "it belongs to somebody else",
        _ => "everybody can write to it",
    };
    Some(format!(
        "the cache {} is not used, for {why} and its code would be run; name one of your own by COAX_CACHE",
        cache.display()
    ))
}
