//! Every branch, call and trap is at the line where the source says so: the samples mark their lines.

mod compile;

use coax_program::{Program, SiteData, SiteKind};
use compile::{Level, Workshop};
use std::collections::BTreeSet;
use std::path::Path;

/// Kind of site, line.
type Place = (&'static str, u32);

/// What a sample marks.
#[derive(Default)]
struct Marks {
    allowed: BTreeSet<Place>,
    by_default: BTreeSet<Place>,
    always: BTreeSet<Place>,
}

fn marks(source: &str) -> Marks {
    let mut marks = Marks::default();
    for (line, text) in (1..).zip(source.lines()) {
        let words = text.split_once("//").map_or("", |(_, comment)| comment).split_whitespace();
        for mark in words.filter_map(|word| word.strip_prefix('@')) {
            let kind = ["branch", "call", "access", "trap"].into_iter().find(|kind| mark.starts_with(kind));
            let place = (kind.expect("a kind of site"), line);
            marks.allowed.insert(place);
            if !mark.ends_with('?') {
                marks.by_default.insert(place);
            }
            if mark.ends_with('!') {
                marks.always.insert(place);
            }
        }
    }
    marks
}

/// The places of the sites of all functions that `file` declares.
fn found(program: &Program, file: &Path) -> BTreeSet<Place> {
    let declared = |func| program.declared_at(func).and_then(|frame| frame.file);
    let in_scope =
        |site: &&SiteData| declared(site.func).is_some_and(|declared| Path::new(&declared) == file);
    let place = |site: &SiteData| {
        let kind = match site.kind {
            SiteKind::Branch | SiteKind::Switch(_) | SiteKind::Select => "branch",
            SiteKind::Call => "call",
            SiteKind::Trap if is_access(program.wasm[site.offset as usize]) => "access",
            SiteKind::Trap => "trap",
        };
        let frames = program.frames(site.offset);
        // Library code that was inlined belongs to the line of the sample that calls it.
        let own = frames.iter().find(|frame| frame.file.as_deref().map(Path::new) == Some(file));
        let line = own.and_then(|frame| frame.line);
        (kind, line.unwrap_or_else(|| panic!("no line for {site:?}: {frames:?}")))
    };
    program.sites.values().filter(in_scope).map(place).collect()
}

/// Whether an operator with this first byte is a load or a store.
fn is_access(opcode: u8) -> bool {
    (0x28..=0x3e).contains(&opcode)
}

fn check(wasm: Vec<u8>, file: &Path, source: &str, everything: bool) {
    let program = Program::parse(wasm).expect("a module");
    assert_eq!(program.debug.warnings(), Vec::<String>::new());
    let marks = marks(source);
    let mut found = found(&program, file);
    if file.extension().is_some_and(|extension| extension == "rs") {
        // A debug build of Rust keeps every variable in memory.
        found.retain(|(kind, _)| *kind != "access");
    }
    let unmarked = Vec::from_iter(found.difference(&marks.allowed));
    let expected = if everything { &marks.by_default } else { &marks.always };
    let missing = Vec::from_iter(expected.difference(&found));
    assert!(
        unmarked.is_empty() && missing.is_empty(),
        "sites on lines without a mark: {unmarked:?}; marks without a site: {missing:?}"
    );
}

fn check_at(level: Level, name: &str, everything: bool) {
    let Some(workshop) = Workshop::new() else { return };
    let source = sample(name);
    let file = workshop.write(name, &source);
    check(workshop.module(name, level), &file, &source, everything);
}

fn sample(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lines").join(name);
    std::fs::read_to_string(path).expect("a sample")
}

#[test]
fn c_by_default() {
    check_at(Level::Default, "sample.c", true);
}

#[test]
fn c_at_o1() {
    check_at(Level::O1, "sample.c", false);
}

#[test]
fn c_at_o2() {
    check_at(Level::O2, "sample.c", false);
}

#[test]
fn cpp_by_default() {
    check_at(Level::Default, "sample.cc", true);
}

#[test]
fn cpp_at_o2() {
    check_at(Level::O2, "sample.cc", false);
}

#[test]
fn rust_debug() {
    check_rust(&[], true);
}

#[test]
fn rust_release() {
    check_rust(&["-O"], false);
}

fn check_rust(flags: &[&str], everything: bool) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (file, source) = (directory.path().join("sample.rs"), sample("sample.rs"));
    std::fs::write(&file, &source).expect("a file");
    if let Some(wasm) = compile::rust(&file, flags) {
        check(wasm, &file, &source, everything);
    }
}
