//! Compiles small programs for tests, as a user's compiler would. Where a compiler is missing the test is
//! skipped, and says so.
#![allow(dead_code, reason = "each test uses its part")]

#[path = "../../../../tests/skipped.rs"]
mod skipped;

use skipped::skip;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasmparser::{Parser, Payload};

/// How C and C++ are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What coax does by itself: every branch of the source, locals in registers.
    Default,
    O1,
    O2,
    /// As `O2`, with undefined behaviour as traps that carry their reason.
    Sanitized,
}

/// A directory of sources and what is compiled from them.
pub struct Workshop {
    directory: tempfile::TempDir,
    /// The suffix of clang's programs: `-22`, or nothing.
    clang: String,
}

impl Workshop {
    /// Somewhere to compile C; `None`, with a message, if there is no clang that can.
    pub fn new() -> Option<Workshop> {
        let suffixes = (14..=22).rev().map(|version| format!("-{version}")).chain([String::new()]);
        let works =
            |suffix: &String| ["clang", "wasm-ld"].iter().all(|tool| is_there(&format!("{tool}{suffix}")));
        let Some(clang) = suffixes.into_iter().find(works) else {
            skip("neither clang nor wasm-ld is installed");
            return None;
        };
        Some(Workshop { directory: tempfile::tempdir().expect("a temporary directory"), clang })
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a source file.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// Compiles a C or C++ file of the directory to an object file, without a C library.
    pub fn object(&self, name: &str, level: Level, flags: &[&str]) -> PathBuf {
        let clang = format!("clang{}", self.clang);
        let (bitcode, object) =
            (self.path().join(format!("{name}.bc")), self.path().join(format!("{name}.o")));
        let mut compile = self.command(&clang);
        compile.args(["--target=wasm32", "-g", "-fno-exceptions", "-c", name]).args(flags);
        match level {
            Level::Default => {
                compile.args(["-O0", "-Xclang", "-disable-O0-optnone", "-fwrapv", "-emit-llvm", "-o"]);
                run(compile.arg(&bitcode));
                let opt = format!("opt{}", self.clang);
                run(self.command(&opt).args(["-passes=sroa,mem2reg", "-o"]).args([&bitcode, &bitcode]));
                let mut finish = self.command(&clang);
                run(finish.args(["--target=wasm32", "-O0", "-c", "-o"]).args([&object, &bitcode]));
            }
            Level::O1 => run(compile.args(["-O1", "-o"]).arg(&object)),
            Level::O2 => run(compile.args(["-O2", "-o"]).arg(&object)),
            Level::Sanitized => {
                compile.args(["-O2", "-fsanitize=undefined", "-fsanitize-trap=undefined"]);
                compile.args(["-fno-sanitize-merge", "-fsanitize-debug-trap-reasons", "-o"]);
                run(compile.arg(&object));
            }
        }
        object
    }

    /// Links object files; all their global functions are exported.
    pub fn link(&self, objects: &[PathBuf], flags: &[&str]) -> Vec<u8> {
        self.link_only(objects, &[flags, &["--export-all"]].concat())
    }

    /// Links object files; what nobody uses is dropped.
    pub fn link_only(&self, objects: &[PathBuf], flags: &[&str]) -> Vec<u8> {
        let module = self.path().join("module.wasm");
        let mut link = self.command(&format!("wasm-ld{}", self.clang));
        link.args(["--no-entry", "--allow-undefined"]).args(flags).args(objects).arg("-o");
        run(link.arg(&module));
        std::fs::read(module).expect("the linker's output")
    }

    /// Compiles and links one file, keeping the relocations.
    pub fn module(&self, name: &str, level: Level) -> Vec<u8> {
        self.link(&[self.object(name, level, &[])], &["--emit-relocs"])
    }

    /// Compiles and links a command with the C library; `None`, with a message, if there is none.
    pub fn command_module(&self, name: &str, flags: &[&str]) -> Option<Vec<u8>> {
        let module = self.path().join("command.wasm");
        let mut compile = self.command(&format!("clang{}", self.clang));
        compile.args(["--target=wasm32-wasi", "-g", name, "-o"]).arg(&module).args(flags);
        if !compile.output().is_ok_and(|output| output.status.success()) {
            skip("clang cannot link with a C library for wasm32-wasi");
            return None;
        }
        Some(std::fs::read(module).expect("the linker's output"))
    }

    /// Whether the compiler knows what `Level::Sanitized` asks for.
    pub fn can_sanitize(&self) -> bool {
        self.write("probe.c", "int probe;");
        let mut compile = self.command(&format!("clang{}", self.clang));
        compile.args([
            "--target=wasm32",
            "-c",
            "probe.c",
            "-fno-sanitize-merge",
            "-fsanitize-debug-trap-reasons",
        ]);
        let can = compile.output().is_ok_and(|output| output.status.success());
        if !can {
            eprintln!("skipped: this clang does not give traps a reason");
        }
        can
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path());
        command
    }
}

/// Compiles a Rust file to a library; `None`, with a message, if the target is not installed.
pub fn rust(source: &Path, flags: &[&str]) -> Option<Vec<u8>> {
    let directory = source.parent().expect("a parent");
    let module = directory.join("rust.wasm");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.current_dir(directory).args(["--target=wasm32-unknown-unknown", "--crate-type=cdylib", "-g"]);
    rustc.args(["-Cpanic=abort", "--edition=2024", "--crate-name=sample", "-o"]).arg(&module);
    let output = rustc.args(flags).arg(source.file_name().expect("a name")).output();
    match output {
        Ok(output) if output.status.success() => Some(std::fs::read(module).expect("rustc's output")),
        Ok(output) if String::from_utf8_lossy(&output.stderr).contains("can't find crate for `core`") => {
            skip("rustc's target wasm32-unknown-unknown is not installed");
            None
        }
        Ok(output) if String::from_utf8_lossy(&output.stderr).contains("can't find crate for `std`") => {
            skip("rustc's target wasm32-unknown-unknown is not installed");
            None
        }
        Ok(output) => panic!("rustc failed: {}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            skip(&format!("rustc cannot be started: {error}"));
            None
        }
    }
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn run(command: &mut Command) {
    let output = command.output().expect("a compiler");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// The name of each custom section and where its contents are.
pub fn custom_sections(wasm: &[u8]) -> Vec<(String, Range<usize>)> {
    let payloads = Parser::new(0).parse_all(wasm).map(|payload| payload.expect("a module"));
    let section = |payload| match payload {
        Payload::CustomSection(section) => {
            let start = section.data_offset();
            Some((section.name().to_string(), start..start + section.data().len()))
        }
        _ => None,
    };
    payloads.filter_map(section).collect()
}

/// Numbers that look random and are the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new() -> Random {
        Random(0x2545_f491_4f6c_dd1d)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A copy with other bytes at some of these places.
    pub fn damage(&mut self, intact: &[u8], places: &[usize]) -> Vec<u8> {
        let mut bytes = intact.to_vec();
        for _ in 0..self.next() % 8 + 1 {
            bytes[places[self.next() as usize % places.len()]] = self.next() as u8;
        }
        bytes
    }
}
