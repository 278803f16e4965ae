//! Where both programs, `coax` and `coax-cc`, keep what they may need again.

use std::path::PathBuf;

/// `$COAX_CACHE`, else a place in the user's cache directory; none if neither is known.
pub fn cache_directory() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    variable("COAX_CACHE").or_else(|| Some(user()?.join("coax").join("programs")))
}
