//! Paths as DWARF has them: strings of the machine that compiled, joined and tidied without looking at
//! this machine's files.

/// `path`, seen from `base`, without `.` and, where they cancel, `..`.
pub(crate) fn join(base: &str, path: &str) -> String {
    if base.is_empty() || is_absolute(path) { tidy(path) } else { tidy(&format!("{base}/{path}")) }
}

/// Whether a path of any system starts at its root.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic();
    path.starts_with('/') || path.starts_with('\\') || drive
}

fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(&last)) if last != ".." => {
                parts.pop();
            }
            ("..", None) if path.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// The last component of a unit's name. Rust adds the part of the crate to the name, after `/@/`.
pub(crate) fn unit_file_name(unit: &str) -> &str {
    unit_file(unit).rsplit(['/', '\\']).next().unwrap_or_default()
}

/// A unit's name without what Rust adds to it.
pub(crate) fn unit_file(unit: &str) -> &str {
    unit.split_once("/@/").map_or(unit, |(file, _)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_tidied() {
        assert_eq!(join("/a/build", "../src/./x.c"), "/a/src/x.c");
        assert_eq!(join("./build", "./libc/x.c"), "build/libc/x.c");
        assert_eq!(join("", "../x.c"), "../x.c");
        assert_eq!(join("/a", "/usr//include/x.h"), "/usr/include/x.h");
        assert_eq!(join("/a", "C:\\src\\x.c"), "C:\\src\\x.c");
        assert_eq!(join("/", "../../x.c"), "/x.c");
    }

    #[test]
    fn a_crate_is_named_by_its_root_file() {
        assert_eq!(unit_file_name("src/lib.rs/@/lz4.1f2e-cgu.0"), "lib.rs");
        assert_eq!(unit_file_name("lib\\zlib.c"), "zlib.c");
    }
}
