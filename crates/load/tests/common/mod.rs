//! A directory with sources, and questions about the wasm that comes out.

#![allow(dead_code)] // each test file uses its part

#[path = "../../../../tests/skipped.rs"]
mod skipped;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use coax_load::{Error, Loaded, Optimise, Request, Said, SourceUnit, Tools, UserCode, UserUnits, Wrapper};
pub use skipped::skip;
use wasmparser::{ExternalKind, Operator, Parser, Payload, TypeRef};

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
                skip(&format!("{name} is not on this machine"));
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

    /// Compiles sources to wasm objects with coax-cc's own code and joins them with the system's `ar`; says
    /// that the test is skipped where there is none.
    pub fn archive(&self, library: &str, sources: &[&str]) -> bool {
        let Some(ar) = Tools::default().find("ar") else {
            skip("ar is not on this machine");
            return false;
        };
        let objects: Vec<PathBuf> = sources.iter().map(|source| self.compile(source)).collect();
        let status = Command::new(ar).arg("rc").arg(self.path(library)).args(objects).status().unwrap();
        assert!(status.success());
        true
    }

    /// Compiles a source to an object beside it.
    pub fn compile(&self, source: &str) -> PathBuf {
        let object = self.path(source).with_extension("o");
        let arguments = ["-c", "SOURCE", "-o", "OBJECT"].map(|word| match word {
            "SOURCE" => self.path(source).display().to_string(),
            "OBJECT" => object.display().to_string(),
            other => other.to_owned(),
        });
        let said = self.cc(&arguments).unwrap();
        assert!(said.success, "{}", said.stderr);
        object
    }

    /// Calls the compiler wrapper.
    pub fn cc(&self, arguments: &[String]) -> Result<Said, Error> {
        let tools = Tools { scratch: self.root.path().join("scratch"), ..Tools::default() };
        let support = self.root.path().join("support");
        let wrapper = Wrapper {
            arguments: arguments.to_vec(),
            cxx: false,
            optimise: Optimise::Default,
            support,
            tools,
        };
        let said = wrapper.run();
        let left = files_below(&self.root.path().join("scratch"));
        assert!(left.is_empty(), "left behind: {left:?}");
        said
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
    functions(wasm).into_iter().map(|(name, _)| name).collect()
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

/// How many tags the module defines.
pub fn tags(wasm: &[u8]) -> u32 {
    let count = |payload| match payload {
        Payload::TagSection(section) => section.count(),
        _ => 0,
    };
    Parser::new(0).parse_all(wasm).map(Result::unwrap).map(count).sum()
}

/// How many conditional branches an exported function has.
pub fn branches(wasm: &[u8], function: &str) -> usize {
    count(wasm, function, |operator| matches!(operator, Operator::BrIf { .. } | Operator::If { .. }))
}

/// How many `unreachable` instructions an exported function has.
pub fn traps(wasm: &[u8], function: &str) -> usize {
    count(wasm, function, |operator| matches!(operator, Operator::Unreachable))
}

/// How many calls an exported function makes.
pub fn calls(wasm: &[u8], function: &str) -> usize {
    count(wasm, function, |operator| matches!(operator, Operator::Call { .. }))
}

/// The size of the memory at the start.
pub fn memory_bytes(wasm: &[u8]) -> u64 {
    let pages = |payload| match payload {
        Payload::MemorySection(section) => section.into_iter().map(|memory| memory.unwrap().initial).sum(),
        _ => 0,
    };
    Parser::new(0).parse_all(wasm).map(Result::unwrap).map(pages).sum::<u64>() << 16
}

/// How many instructions an exported function has.
pub fn code_size(wasm: &[u8], function: &str) -> usize {
    count(wasm, function, |_| true)
}

fn count(wasm: &[u8], function: &str, wanted: impl Fn(&Operator<'_>) -> bool) -> usize {
    let all = functions(wasm);
    let (_, index) = all.iter().find(|(name, _)| name == function).expect("it is exported");
    let imported = imported_functions(wasm);
    let mut bodies = Parser::new(0).parse_all(wasm).map(Result::unwrap).filter_map(|payload| match payload {
        Payload::CodeSectionEntry(body) => Some(body),
        _ => None,
    });
    let body = bodies.nth((index - imported) as usize).unwrap();
    body.get_operators_reader()
        .unwrap()
        .into_iter()
        .filter(|operator| wanted(operator.as_ref().unwrap()))
        .count()
}

fn functions(wasm: &[u8]) -> Vec<(String, u32)> {
    let mut all = Vec::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ExportSection(section) = payload.unwrap() {
            let functions =
                section.into_iter().map(Result::unwrap).filter(|it| it.kind == ExternalKind::Func);
            all.extend(functions.map(|export| (export.name.to_owned(), export.index)));
        }
    }
    all
}

fn imported_functions(wasm: &[u8]) -> u32 {
    let mut count = 0;
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ImportSection(section) = payload.unwrap() {
            let all = section.into_imports().map(Result::unwrap);
            count += all.filter(|import| matches!(import.ty, TypeRef::Func(_))).count() as u32;
        }
    }
    count
}

/// The version of the clang that loads use.
pub fn clang_version() -> Option<u32> {
    let checks = coax_load::doctor(&Tools::default());
    let clang = checks.iter().find(|check| check.name == "clang")?.found.as_ref()?;
    clang.version.split_once("version ")?.1.split('.').next()?.parse().ok()
}

/// Whether a compile unit, given as DWARF names it, is the user's.
pub fn owns_unit(user_code: &UserCode, name: &str, directory: &str) -> bool {
    match &user_code.units {
        UserUnits::All => true,
        UserUnits::Listed(units) => {
            units.contains(&SourceUnit { name: name.to_owned(), directory: directory.to_owned() })
        }
        UserUnits::Under(roots) => {
            let directory = Path::new(directory);
            roots.iter().any(|root| directory.starts_with(root)) && owns_file(user_code, directory)
        }
    }
}

/// Whether a source file (absolute) may hold the user's code.
pub fn owns_file(user_code: &UserCode, file: &Path) -> bool {
    !user_code.foreign.iter().any(|directory| file.starts_with(directory))
}
