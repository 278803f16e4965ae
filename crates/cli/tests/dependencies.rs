//! The architecture, checked: who uses whom is exactly what ARCHITECTURE.md says, and each crate
//! keeps to what only it may do.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// External crates that only some of ours may use. `judge` is for developers and free.
const ONLY_USERS: &[(&str, &[&str])] = &[
    ("wasmtime", &["execute"]),
    ("wasmtime-wasi", &[]),
    ("addr2line", &["program"]),
    ("wat", &["load"]),
    ("clap", &["cli"]),
    ("anyhow", &["cli"]),
];

/// Words that only the sources of some of our crates may contain.
const ONLY_SOURCES: &[(&str, &[&str])] = &[
    ("println!", &["cli"]),
    ("print!", &["cli"]),
    ("std::process::exit", &["cli"]),
    ("Command::new", &["load", "solve", "cli"]),
    // A macro runs in the compiler, which has no other way to tell it which harnesses to leave out.
    ("env::var", &["load", "cli", "macros"]),
];

#[test]
fn internal_dependencies_are_those_of_the_architecture_page() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let allowed = allowed_dependencies(&page);
    let packages = packages();
    let ours: BTreeSet<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let actual: BTreeSet<(String, String)> = packages
        .iter()
        .flat_map(|package| {
            package.uses.iter().map(|used| (short_name(used).to_owned(), package.name.clone()))
        })
        .filter(|(used, _)| ours.contains(used.as_str()))
        .collect();
    for (used, user) in &actual {
        let line = format!("{used} <- {user}");
        assert!(allowed.contains(&(used.clone(), user.clone())), "ARCHITECTURE.md does not allow `{line}`");
    }
    for (used, user) in &allowed {
        let line = format!("{used} <- {user}");
        assert!(
            actual.contains(&(used.clone(), user.clone())),
            "`{line}` in ARCHITECTURE.md is not used any more"
        );
    }
}

#[test]
fn external_crates_stay_where_they_belong() {
    for package in packages().iter().filter(|package| package.name != "judge") {
        for (external, users) in ONLY_USERS {
            let used = package.uses.contains(*external);
            assert!(
                !used || users.contains(&package.name.as_str()),
                "{} may not use {external}",
                package.name
            );
        }
    }
}

#[test]
fn only_the_command_line_prints_and_few_start_programs() {
    for package in packages().iter().filter(|package| package.name != "judge") {
        for file in rust_files(&package.folder.join("src")) {
            let text = std::fs::read_to_string(&file).unwrap();
            for (word, users) in ONLY_SOURCES {
                let line = code_lines(&text).position(|line| line.contains(word)).map(|line| line + 1);
                let at = format!("{}:{}", file.display(), line.unwrap_or_default());
                assert!(
                    line.is_none() || users.contains(&package.name.as_str()),
                    "{at}: only {users:?} may use {word}"
                );
            }
        }
    }
}

/// One of our crates.
struct Package {
    /// Without the common prefix: `load`, `cli`…
    name: String,
    folder: PathBuf,
    /// The crates it depends on, those of its tests left out.
    uses: BTreeSet<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Our crates, as cargo sees them.
fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().iter().map(package).collect()
}

fn package(data: &Value) -> Package {
    let name = data["name"].as_str().unwrap();
    let manifest = Path::new(data["manifest_path"].as_str().unwrap());
    let dependencies = data["dependencies"].as_array().unwrap().iter();
    Package {
        name: short_name(name).to_owned(),
        folder: manifest.parent().unwrap().to_owned(),
        uses: dependencies
            .filter(|dependency| dependency["kind"] != "dev")
            .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
            .collect(),
    }
}

/// A crate's name without the common prefix. Those that users name in their sources, `coax` and `kani`, have none.
fn short_name(name: &str) -> &str {
    name.strip_prefix("coax-").unwrap_or(name)
}

/// The lines `used <- user` of the page's block `dependencies`.
fn allowed_dependencies(page: &str) -> BTreeSet<(String, String)> {
    let (_, rest) = page.split_once("```dependencies\n").expect("ARCHITECTURE.md has a block `dependencies`");
    let (block, _) = rest.split_once("```").expect("the block ends");
    let pair = |line: &str| {
        let (used, user) =
            line.split_once(" <- ").unwrap_or_else(|| panic!("`{line}` is not `used <- user`"));
        (used.trim().to_owned(), user.trim().to_owned())
    };
    block.lines().filter(|line| !line.trim().is_empty()).map(pair).collect()
}

/// The lines without comments; those of a file's unit tests, which come last, are left out.
fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    code.map(|line| line.split("//").next().unwrap_or_default())
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}
