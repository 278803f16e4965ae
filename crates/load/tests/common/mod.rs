//! A directory with sources, and questions about the wasm that comes out.

#![allow(dead_code)] // each test file uses its part

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use coax_load::{Error, Loaded, Request, Tools};
use wasmparser::{Parser, Payload};

/// A temporary directory for sources, beside one for coax's temporary files.
pub struct Workspace {
    root: tempfile::TempDir,
}

impl Workspace {
    pub fn new() -> Workspace {
        let root = tempfile::tempdir().unwrap();
        for directory in ["src", "scratch"] {
            std::fs::create_dir(root.path().join(directory)).unwrap();
        }
        Workspace { root }
    }

    /// A workspace, if this machine can compile C; otherwise the test says that it was skipped.
    pub fn with_clang() -> Option<Workspace> {
        Self::needing(&["clang", "wasm-ld", "wasi-libc", "compiler-rt"])
    }

    /// A workspace, if the doctor finds all of these.
    pub fn needing(names: &[&str]) -> Option<Workspace> {
        let checks = coax_load::doctor(&Tools::default());
        for name in names {
            let found = checks.iter().any(|check| check.name == *name && check.found.is_some());
            if !found {
                eprintln!("skipped: {name} is not on this machine");
                return None;
            }
        }
        Some(Workspace::new())
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.root.path().join("src").join(file)
    }

    pub fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    pub fn write(&self, file: &str, text: &str) -> PathBuf {
        let path = self.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    pub fn request(&self, files: &[&str]) -> Request {
        let tools = Tools { scratch: self.root.path().join("scratch"), ..Tools::default() };
        Request { inputs: files.iter().map(|file| self.path(file)).collect(), tools, ..Request::default() }
    }

    /// Loads, and checks that nothing is left behind whatever the outcome.
    pub fn load(&self, files: &[&str]) -> Result<Loaded, Error> {
        self.load_request(&self.request(files))
    }

    pub fn load_request(&self, request: &Request) -> Result<Loaded, Error> {
        let before = self.sources();
        let loaded = coax_load::load(request);
        assert_eq!(self.sources(), before, "the user's directory changed");
        let left = files_below(&self.root.path().join("scratch"));
        assert!(left.is_empty(), "left behind: {left:?}");
        loaded
    }

    fn sources(&self) -> Vec<(PathBuf, Vec<u8>)> {
        files_below(&self.root.path().join("src"))
            .into_iter()
            .map(|file| (file.clone(), std::fs::read(&file).unwrap()))
            .collect()
    }
}

/// All files below a directory, sorted.
pub fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// The names of the exported functions.
pub fn exports(wasm: &[u8]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ExportSection(section) = payload.unwrap() {
            let functions = section
                .into_iter()
                .map(Result::unwrap)
                .filter(|it| it.kind == wasmparser::ExternalKind::Func);
            names.extend(functions.map(|export| export.name.to_owned()));
        }
    }
    names
}

/// Module and name of every import.
pub fn imports(wasm: &[u8]) -> BTreeSet<(String, String)> {
    let mut names = BTreeSet::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ImportSection(section) = payload.unwrap() {
            let all = section.into_imports().map(Result::unwrap);
            names.extend(all.map(|import| (import.module.to_owned(), import.name.to_owned())));
        }
    }
    names
}
