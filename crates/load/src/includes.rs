//! Which headers a unit has read, and where others could come to stand before them.
//!
//! clang lists the files that it read. It does not say where it looked for them in vain. But the name by which a header was included is the
//! end of its path, behind one of the directories in which headers are looked for; so a header of such a name in any of the
//! user's directories might be taken instead. What `__has_include` asks for is read from the text.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Headers of a unit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Includes {
    /// The files that were read, from the unit's directory.
    pub files: Vec<PathBuf>,
    /// Where else headers are looked for.
    pub directories: BTreeSet<PathBuf>,
    /// What is looked for.
    pub names: BTreeSet<PathBuf>,
}

/// Flags whose value is a directory of headers.
const DIRECTORY_FLAGS: [&str; 9] = [
    "--include-directory=",
    "--include-directory-after=",
    "-cxx-isystem",
    "-c-isystem",
    "-idirafter",
    "-isystem",
    "-iquote",
    "-I",
    "-F",
];

/// Beginnings of flags that lead clang to files in other ways.
const OTHER_WAYS: [&str; 9] =
    ["@", "--config", "-iprefix", "-iwith", "-I=", "-fmodule", "-ivfsoverlay", "-fplugin", "-load"];

/// Words whose meaning is another one each time.
const CLOCKS: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

/// Operators that ask whether there is a file.
const QUESTIONS: [&str; 2] = ["__has_include", "__has_embed"];

impl Includes {
    /// The headers of a unit that was compiled with these flags of the user's, from clang's list of the files that it read. `brought` are
    /// directories of headers that came with the compiler: nothing new is expected there. None if more may matter.
    pub fn new(list: &str, flags: &[String], directory: &Path, brought: &[PathBuf]) -> Option<Includes> {
        if flags.iter().any(|flag| OTHER_WAYS.iter().any(|other| flag.starts_with(other))) {
            return None;
        }
        let files = listed(list);
        let is_brought = |path: &Path| brought.iter().any(|place| path.starts_with(place));
        // As the names of files begin.
        let mut named: BTreeSet<PathBuf> = directories_in(flags).collect();
        named.extend(files.iter().filter_map(|file| file.parent()).map(Path::to_owned));
        let mut includes = Includes::default();
        for file in &files {
            let is_below = |place: &&PathBuf| !place.as_os_str().is_empty();
            let behind = named.iter().chain(brought).filter(is_below);
            includes
                .names
                .extend(behind.filter_map(|place| file.strip_prefix(place).ok()).map(Path::to_owned));
            if file.is_relative() {
                includes.names.insert(file.clone());
            }
            let asked = questions(&std::fs::read(directory.join(file)).ok()?, is_brought(file))?;
            includes.names.extend(asked.into_iter().map(PathBuf::from));
        }
        // clang takes a compiled header that lies beside one.
        let included = flags.windows(2).filter(|pair| pair[0] == "-include").map(|pair| &pair[1]);
        includes
            .names
            .extend(included.flat_map(|name| ["pch", "gch"].map(|it| format!("{name}.{it}").into())));
        let own = named.into_iter().filter(|place| !is_brought(place));
        includes.directories = own.map(|place| directory.join(place)).collect();
        includes.files = files.into_iter().map(|file| directory.join(file)).collect();
        Some(includes)
    }
}

/// The directories that flags name: behind the flags that say so, and any other argument that is one.
fn directories_in(flags: &[String]) -> impl Iterator<Item = PathBuf> {
    let value = |flag: &String| {
        let value = DIRECTORY_FLAGS.iter().find_map(|name| flag.strip_prefix(name));
        value.unwrap_or(flag).to_owned()
    };
    flags.iter().map(value).filter(|value| !value.is_empty() && !value.starts_with('-')).map(PathBuf::from)
}

/// The files in a dependency list as make reads it.
fn listed(list: &str) -> Vec<PathBuf> {
    let rule = list.split_once(':').map_or("", |(_, files)| files);
    let (mut files, mut file) = (BTreeSet::new(), String::new());
    let mut rest = rule.chars().peekable();
    while let Some(character) = rest.next() {
        match (character, rest.peek()) {
            ('\\', Some('\n')) => {}
            ('\\', Some(' ' | '#')) => file.extend(rest.next()),
            ('$', Some('$')) => file.extend(rest.next()),
            (character, _) if character.is_whitespace() => {
                files.insert(std::mem::take(&mut file));
            }
            (character, _) => file.push(character),
        }
    }
    files.insert(file);
    files.into_iter().filter(|file| !file.is_empty()).map(PathBuf::from).collect()
}

/// The files for which a text asks whether they are there; none if it asks for one whose name it makes, or for the time.
fn questions(text: &[u8], is_brought: bool) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(text);
    if !is_brought && CLOCKS.iter().any(|word| text.contains(word)) {
        return None;
    }
    let mut names = Vec::new();
    for (at, word) in QUESTIONS.iter().flat_map(|word| text.match_indices(word)) {
        let behind = &text[at + word.len()..];
        let behind = behind.strip_prefix("_next").unwrap_or(behind).trim_start();
        let is_defined = text[..at].trim_end().ends_with("define");
        let Some(operand) = behind.strip_prefix('(').filter(|_| !is_defined) else { continue };
        let operand = operand.trim_start();
        let quoted = |begin, end| operand.strip_prefix(begin)?.split_once(end).map(|(name, _)| name);
        match quoted('<', '>').or_else(|| quoted('"', '"')) {
            Some(name) => names.push(name.to_owned()),
            None if is_brought => {}
            None => return None,
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_make_reads_them() {
        let list = "x.o: a\\ b.c \\\n  /usr/include/c\\#.h $$d.h\n";
        assert_eq!(listed(list), ["$d.h", "/usr/include/c#.h", "a b.c"].map(PathBuf::from));
    }

    #[test]
    fn questions_are_found() {
        let text = "#ifdef __has_include\n#if __has_include( <a/b.h>) && __has_include_next(\"c.h\")\n";
        assert_eq!(questions(text.as_bytes(), false).unwrap(), ["a/b.h", "c.h"]);
        assert_eq!(questions(b"#define __has_include(x) 0\n", false), Some(Vec::new()));
        assert_eq!(questions(b"#if __has_include(CONFIG)\n", false), None);
        assert_eq!(questions(b"puts(__TIME__);", false), None);
    }

    #[test]
    fn a_name_is_looked_for_in_every_directory_of_the_user() {
        let work = tempfile::tempdir().unwrap();
        for file in ["main.c", "inc/sub/a.h", "libc/stdio.h"] {
            let file = work.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        let libc = work.path().join("libc");
        let list = format!("x: main.c inc/sub/a.h {}/stdio.h", libc.display());
        let flags = ["-Iinc".to_owned(), "-isystem".to_owned(), "other".to_owned()];
        let includes = Includes::new(&list, &flags, work.path(), &[libc]).unwrap();
        let expected = ["main.c", "sub/a.h", "a.h", "inc/sub/a.h", "stdio.h"];
        assert_eq!(includes.names, expected.map(PathBuf::from).into());
        for place in ["", "inc", "inc/sub", "other"] {
            assert!(includes.directories.contains(&work.path().join(place)), "{place}: {includes:?}");
        }
        assert!(!includes.directories.contains(&work.path().join("libc")));
        assert_eq!(Includes::new(&list, &["@flags".to_owned()], work.path(), &[]), None);
    }
}
