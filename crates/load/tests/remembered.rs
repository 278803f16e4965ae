//! A program that was loaded before is loaded without a compiler, exactly as long as compiling it would give the same.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use coax_load::{Loaded, Optimise, Request, Tools};
use common::{Workspace, files_below};

/// Compilers that write down each time they are started.
struct Counted {
    work: Workspace,
    directory: tempfile::TempDir,
}

impl Counted {
    /// Of these names; none where one is missing, or scripts are no programs.
    fn new(names: &[&str]) -> Option<Counted> {
        let work = Workspace::with_clang()?;
        let counted = Counted { work, directory: tempfile::tempdir().unwrap() };
        fs::create_dir(counted.directory.path().join("bin")).unwrap();
        for name in names {
            let Some(program) = Tools::default().find(name) else {
                eprintln!("skipped: {name} is not on this machine");
                return None;
            };
            counted.add(name, &program);
        }
        cfg!(unix).then_some(counted)
    }

    /// The clang that loads use, and what belongs to it.
    fn clang() -> Option<Counted> {
        let version = common::clang_version()?;
        let names = ["clang", "wasm-ld", "opt"].map(|name| format!("{name}-{version}"));
        Counted::new(&names.each_ref().map(String::as_str))
    }

    fn add(&self, name: &str, program: &Path) {
        let (file, log) = (self.directory.path().join("bin").join(name), self.log());
        let (log, program) = (log.display(), program.display());
        fs::write(&file, format!("#!/bin/sh\necho \"{name} $*\" >> '{log}'\nexec '{program}' \"$@\"\n"))
            .unwrap();
        #[cfg(unix)]
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }

    fn log(&self) -> PathBuf {
        self.directory.path().join("log")
    }

    fn request(&self, files: &[&str]) -> Request {
        let request = self.work.request(files);
        let path = vec![self.directory.path().join("bin")];
        let tools = Tools { path, ..request.tools };
        Request { tools, cache: Some(self.work.cache()), ..request }
    }

    /// Loads, and says what was started for it.
    fn load(&self, request: &Request) -> (Loaded, Vec<String>) {
        let _ = fs::remove_file(self.log());
        let loaded = self.work.load_request(request).unwrap();
        let log = fs::read_to_string(self.log()).unwrap_or_default();
        (loaded, log.lines().map(str::to_owned).collect())
    }

    /// Loads until nothing is started: what was written in this very moment is not remembered yet.
    fn warm(&self, request: &Request) -> Loaded {
        for _ in 0..20 {
            let (loaded, started) = self.load(request);
            if started.is_empty() {
                return loaded;
            }
        }
        panic!("compilers are started each time");
    }

    /// Checks that compilers are started, and once only.
    fn compiles_once(&self, request: &Request, why: &str) -> Loaded {
        let (loaded, started) = self.load(request);
        assert!(!started.is_empty(), "{why}");
        self.warm(request);
        loaded
    }
}

const MAIN: &str = "#include <stdio.h>\n#include \"step.h\"\nint f(int x) { return x + STEP; }\n";

#[test]
fn a_warm_start_starts_nothing() {
    let Some(counted) = Counted::clang() else { return };
    counted.work.write("inc/step.h", "#define STEP 1\n");
    counted.work.write("t.c", &format!("#warning said\n{MAIN}"));
    let cflags = vec![format!("-I{}", counted.work.path("inc").display())];
    let request = Request { cflags, ..counted.request(&["t.c"]) };
    let (first, started) = counted.load(&request);
    assert!(!first.from_cache && !started.is_empty());
    let warm = counted.warm(&request);
    assert!(warm.from_cache);
    assert_eq!((warm.wasm, warm.messages, warm.name), (first.wasm, first.messages, first.name));
    assert_eq!((warm.user_code, warm.notes), (first.user_code, first.notes));
    assert_eq!(warm.has_relocations, first.has_relocations);
}

#[test]
fn compilers_are_asked_who_they_are_only_once() {
    let Some(counted) = Counted::clang() else { return };
    counted.work.write("t.c", "int f(int x) { return x + 1; }\n");
    let request = counted.request(&["t.c"]);
    counted.warm(&request);
    counted.work.write("t.c", "int f(int x) { return x + 2; }\n");
    let (_, started) = counted.load(&request);
    let is_question = |call: &&String| call.ends_with(" --version") || call.ends_with("-print-resource-dir");
    assert_eq!(started.iter().filter(is_question).count(), 0, "{started:?}");
    assert!(!started.is_empty());
}

#[test]
fn what_a_unit_reads_is_looked_at() {
    let Some(counted) = Counted::clang() else { return };
    let work = &counted.work;
    work.write("inc/step.h", "#define STEP 1\n");
    work.write("t.c", MAIN);
    let include = |place: &str| format!("-I{}", work.path(place).display());
    let cflags = vec![include("early"), include("inc")];
    let request = Request { cflags, ..counted.request(&["t.c"]) };
    let first = counted.warm(&request);

    work.write("inc/step.h", "#define STEP 2\n");
    let second = counted.compiles_once(&request, "a header was changed");
    assert_ne!(first.wasm, second.wasm);
    work.write("t.c", &MAIN.replace("x +", "x *"));
    let third = counted.compiles_once(&request, "the source was changed");
    assert_ne!(second.wasm, third.wasm);
    work.write("early/step.h", "#define STEP 3\n");
    let fourth =
        counted.compiles_once(&request, "a header comes before the one that was read, in a new directory");
    assert_ne!(third.wasm, fourth.wasm);
    work.write("stdio.h", "");
    counted.compiles_once(
        &Request { cflags: vec![include(""), include("inc")], ..request.clone() },
        "other flags",
    );
    fs::remove_file(work.path("stdio.h")).unwrap();
    work.write("early/unrelated.h", "");
    assert!(counted.load(&request).1.is_empty(), "nobody includes it");
    work.write("early/stdio.h", "#undef STEP\n");
    counted.compiles_once(&request, "a header comes before one of the C library");
}

#[test]
fn a_header_that_was_asked_for_in_vain_is_noticed() {
    let Some(counted) = Counted::clang() else { return };
    let text = "#if __has_include(\"config.h\")\n#include \"config.h\"\n#endif\n#ifndef STEP\n#define STEP 1\n#endif\n\
                int f(int x) { return x + STEP; }\n";
    counted.work.write("t.c", text);
    let request = counted.request(&["t.c"]);
    let first = counted.warm(&request);
    counted.work.write("config.h", "#define STEP 2\n");
    let second = counted.compiles_once(&request, "it is there now");
    assert_ne!(first.wasm, second.wasm);
}

#[test]
fn flags_levels_and_compilers_are_looked_at() {
    let Some(counted) = Counted::clang() else { return };
    counted.work.write("t.c", "int f(int x) { return x + 1; }\n");
    let request = counted.request(&["t.c"]);
    counted.warm(&request);
    let others = [
        Request { optimise: Optimise::O1, ..request.clone() },
        Request { ubsan: true, ..request.clone() },
        Request { cflags: vec!["-funsigned-char".to_owned()], ..request.clone() },
    ];
    for other in others {
        counted.compiles_once(&other, "another request");
    }
    assert!(counted.load(&request).1.is_empty(), "the first is still known");

    let clang = format!("clang-{}", common::clang_version().unwrap());
    counted.add(&clang, &Tools::default().find(&clang).unwrap());
    counted.compiles_once(&request, "the compiler is another file");
    counted.add("clang", &Tools::default().find(&clang).unwrap());
    counted.compiles_once(&request, "another compiler could be the one to choose");
}

#[test]
fn a_file_that_is_only_touched_is_read_and_not_compiled() {
    let Some(counted) = Counted::clang() else { return };
    counted.work.write("t.c", "int f(int x) { return x + 1; }\n");
    let request = counted.request(&["t.c"]);
    counted.warm(&request);
    counted.work.write("t.c", "int f(int x) { return x + 1; }\n");
    assert!(counted.load(&request).1.is_empty());
}

#[test]
fn what_cannot_be_known_is_compiled_each_time() {
    let Some(counted) = Counted::clang() else { return };
    counted.work.write("t.c", "const char *f(void) { return __TIME__; }\n");
    let request = counted.request(&["t.c"]);
    for _ in 0..3 {
        assert!(!counted.load(&request).1.is_empty());
    }
}

#[test]
fn damaged_memories_are_renewed() {
    let Some(counted) = Counted::clang() else { return };
    counted.work.write("t.c", "int f(int x) { return x + 1; }\n");
    let request = counted.request(&["t.c"]);
    let first = counted.warm(&request);
    type Damage = fn(&[u8]) -> Vec<u8>;
    let damages: [Damage; 3] = [
        |whole| whole[..whole.len() / 2].to_vec(),
        |whole| [&whole[..20], &[whole[20] ^ 1], &whole[21..]].concat(),
        |whole| [&whole[..whole.len() - 1], &[whole[whole.len() - 1] ^ 1]].concat(),
    ];
    for damage in damages {
        for entry in files_below(&counted.work.cache().join("remembered")) {
            let whole = fs::read(&entry).unwrap();
            fs::write(&entry, damage(&whole)).unwrap();
        }
        let again = counted.compiles_once(&request, "what is remembered is damaged");
        assert_eq!(first.wasm, again.wasm);
    }
}

#[test]
fn several_processes_may_remember_at_once() {
    let Some(counted) = Counted::clang() else { return };
    counted.work.write("t.c", "int f(int x) { return x + 1; }\n");
    let request = counted.request(&["t.c"]);
    let load = || coax_load::load(&request).unwrap().wasm;
    let all: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let threads = [(); 4].map(|()| scope.spawn(load));
        threads.map(|thread| thread.join().unwrap()).into()
    });
    let warm = counted.warm(&request);
    assert!(all.iter().all(|wasm| *wasm == warm.wasm));
}

#[test]
fn rust_starts_nothing_either() {
    let Some(counted) = Counted::new(&["rustc"]) else { return };
    if Workspace::needing(&["rustc", "wasm32-wasip1"]).is_none() {
        return;
    }
    let work = &counted.work;
    work.write("part.rs", "pub const STEP: i32 = 1;\n");
    let text = "mod part;\n#[unsafe(no_mangle)]\npub extern \"C\" fn f(x: i32) -> i32 { x ^ part::STEP }\n";
    work.write("t.rs", text);
    let request = counted.request(&["t.rs"]);
    let first = counted.warm(&request);
    assert!(first.from_cache);
    work.write("part.rs", "pub const STEP: i32 = 2;\n");
    let second = counted.compiles_once(&request, "a module was changed");
    assert_ne!(first.wasm, second.wasm);
    work.write("part/mod.rs", "pub const STEP: i32 = 3;\n");
    assert!(coax_load::load(&request).is_err(), "rustc does not know which of the two is meant");
}
