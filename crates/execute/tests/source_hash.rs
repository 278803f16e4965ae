//! The version of the instrumenter is another if its sources are.

#[path = "../build/source_hash.rs"]
#[expect(dead_code, reason = "what build scripts say to cargo is of no use here")]
mod source_hash;

use std::fs;

#[test]
fn every_change_of_a_source_changes_the_hash() {
    let directory = tempfile::tempdir().expect("a directory");
    let root = directory.path();
    let hash = || source_hash::of([root]).expect("readable");
    let write = |name: &str, text: &str| fs::write(root.join(name), text).expect("writable");
    fs::create_dir(root.join("inner")).expect("writable");
    write("inner/a.rs", "one");
    write("b.rs", "two");
    let mut seen = vec![hash()];
    assert_eq!(hash(), seen[0], "the same sources");

    write("inner/a.rs", "other");
    seen.push(hash());
    write("inner/c.rs", "");
    seen.push(hash());
    fs::rename(root.join("b.rs"), root.join("d.rs")).expect("writable");
    seen.push(hash());
    fs::remove_file(root.join("d.rs")).expect("writable");
    seen.push(hash());
    let mut distinct = seen.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), seen.len(), "{seen:x?}");
}

#[test]
fn sources_that_are_missing_are_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    assert!(source_hash::of([directory.path().join("none.rs").as_path()]).is_err());
}
