//! What leads out of a directory, what is damaged in it, and what is left of a run that was killed.

use super::{Kind, OutputDirectory};
use rustix::fs::OFlags;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use tempfile::TempDir;

/// A directory of coax's with a file beside it that is not coax's.
fn places() -> (TempDir, OutputDirectory) {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("mine"), "precious").unwrap();
    let directory = OutputDirectory::make(&place.path().join("out")).unwrap();
    (place, directory)
}

fn is_untouched(place: &TempDir) -> bool {
    fs::read(place.path().join("mine")).unwrap() == b"precious"
}

#[test]
fn a_name_leads_nowhere_else() {
    let (place, directory) = places();
    for name in ["../mine", "a/../../mine", "/mine", "..", ".", "", "a//b", "a/"] {
        assert!(directory.write(name, b"x").is_err(), "{name}");
        assert!(directory.remove(name).is_err() || !name.ends_with("mine"), "{name}");
        assert!(!matches!(directory.read(name), Ok(Some(_))), "{name}");
    }
    assert!(is_untouched(&place));
}

#[test]
fn a_link_is_neither_read_nor_written_nor_replaced() {
    let (place, directory) = places();
    let mine = place.path().join("mine");
    symlink(&mine, directory.path().join("file")).unwrap();
    symlink(place.path(), directory.path().join("folder")).unwrap();
    for name in ["file", "folder/mine", "folder/new"] {
        let said = directory.write(name, b"x").unwrap_err().to_string();
        assert!(said.contains("is a link"), "{said}");
        assert!(directory.read(name).is_err() && directory.remove(name).is_err());
    }
    assert!(directory.new_file("file").is_err());
    assert!(directory.open_file("file", OFlags::RDWR).is_err());
    assert!(directory.expect_plain().is_err());
    assert_eq!(directory.entries().unwrap(), [("file".into(), Kind::Link), ("folder".into(), Kind::Link)]);
    assert!(is_untouched(&place) && !place.path().join("new").exists());
}

#[test]
fn a_link_that_appears_later_is_not_followed() {
    let (place, directory) = places();
    let folder = directory.make_folder("tests").unwrap();
    fs::remove_dir(folder.path()).unwrap();
    symlink(place.path(), folder.path()).unwrap();
    // The folder was opened before, and is gone.
    assert!(folder.write("mine", b"x").is_err());
    assert!(is_untouched(&place));
}

#[test]
fn another_name_of_a_file_keeps_its_content() {
    let (place, directory) = places();
    let mine = place.path().join("mine");
    fs::hard_link(&mine, directory.path().join("file")).unwrap();
    assert!(directory.open_file("file", OFlags::RDWR).is_err());
    directory.write("file", b"new").unwrap();
    assert_eq!(directory.read("file").unwrap().unwrap(), b"new");
    assert!(is_untouched(&place));
}

#[test]
fn a_file_is_there_whole_or_not_at_all() {
    let (_place, directory) = places();
    directory.write("a/file", b"whole").unwrap();
    let failed =
        directory.write_then("a/file", |out| out.write_all(b"half"), |_| Err(std::io::Error::other("full")));
    assert!(format!("{:#}", failed.unwrap_err()).ends_with("out/a/file: full"));
    assert_eq!(directory.read("a/file").unwrap().unwrap(), b"whole");
    let folder = directory.folder("a").unwrap().unwrap();
    assert_eq!(folder.entries().unwrap(), [("file".to_owned(), Kind::File)]);
    // What a run that was killed has left goes when the next one begins.
    fs::write(folder.path().join(".coax-unfinished-1-1"), "half").unwrap();
    folder.remove_unfinished().unwrap();
    assert_eq!(folder.entries().unwrap(), [("file".to_owned(), Kind::File)]);
}

#[test]
fn a_directory_that_is_named_may_be_a_link() {
    let (place, directory) = places();
    let link = place.path().join("link");
    symlink(directory.path(), &link).unwrap();
    OutputDirectory::make(&link).unwrap().write("file", b"x").unwrap();
    assert_eq!(directory.read("file").unwrap().unwrap(), b"x");
    assert!(OutputDirectory::open(Path::new("/nowhere/at/all")).unwrap().is_none());
}
