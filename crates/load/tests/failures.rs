//! Bad input: the right error, the compiler's own words, and nothing left on disk (`Workspace` checks that).

mod common;

use std::path::PathBuf;

use coax_load::{Error, Request, Tools};
use common::Workspace;

#[test]
fn no_input() {
    assert!(matches!(coax_load::load(&Request::default()), Err(Error::NoInput)));
}

#[test]
fn a_file_that_is_not_there() {
    let work = Workspace::new();
    let error = work.load(&["nothing.c"]).unwrap_err();
    assert!(matches!(&error, Error::Read { path, .. } if path.ends_with("nothing.c")), "{error}");
}

#[test]
fn files_of_no_known_kind() {
    let work = Workspace::new();
    work.write("notes.txt", "hello");
    work.write("empty/readme", "");
    for input in ["notes.txt", "empty"] {
        let error = work.load(&[input]).unwrap_err();
        assert!(matches!(error, Error::UnknownKind { .. }), "{error}");
    }
}

#[test]
fn an_object_of_the_host() {
    let work = Workspace::new();
    work.write("host.o", "\x7fELF and so on");
    let error = work.load(&["host.o"]).unwrap_err();
    assert!(matches!(error, Error::BadObject { .. }), "{error}");
}

#[test]
fn inputs_that_do_not_go_together() {
    let work = Workspace::new();
    work.write("a.c", "");
    work.write("b.wat", "(module)");
    for inputs in [["a.c", "b.wat"], ["b.wat", "a.c"]] {
        let error = work.load(&inputs).unwrap_err();
        assert!(matches!(error, Error::Mixed { .. }), "{error}");
    }
}

#[test]
fn text_that_is_no_module() {
    let work = Workspace::new();
    work.write("bad.wat", "(module\n  (func i32.bad))");
    let error = work.load(&["bad.wat"]).unwrap_err();
    assert!(matches!(error, Error::Wat { .. }), "{error}");
    assert!(error.messages().contains("bad.wat:2:"), "{}", error.messages());
}

#[test]
fn c_that_does_not_compile() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("good.c", "int g(void) { return 1; }\n");
    work.write("one.c", "int f(void) { return missing_one; }\n");
    work.write("two.c", "#include \"not_there.h\"\n");
    let error = work.load(&["good.c", "one.c", "two.c"]).unwrap_err();
    assert!(
        matches!(&error, Error::Compile { what, .. } if what.contains("one.c") && !what.contains("good.c"))
    );
    for words in ["one.c:1:", "use of undeclared identifier 'missing_one'", "'not_there.h' file not found"] {
        assert!(error.messages().contains(words), "{}", error.messages());
    }
}

#[test]
fn objects_that_do_not_link() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("a.c", "int twice(void) { return 1; }\n");
    work.write("b.c", "int twice(void) { return 2; }\n");
    let error = work.load(&["a.c", "b.c"]).unwrap_err();
    assert!(matches!(error, Error::Link { .. }), "{error}");
    assert!(error.messages().contains("duplicate symbol: twice"), "{}", error.messages());
    let source = work.path("a.c").display().to_string();
    assert!(error.messages().contains(&source), "it names the source: {}", error.messages());
}

#[test]
fn sources_with_a_main_each() {
    let Some(work) = Workspace::with_clang() else { return };
    for name in ["a.c", "b.c"] {
        work.write(name, "int main(void) { return 0; }\n");
    }
    let error = work.load(&["a.c", "b.c"]).unwrap_err();
    assert!(matches!(&error, Error::SeveralMains { files } if files.len() == 2), "{error}");
}

#[test]
fn cxx_exceptions_are_refused_in_plain_words() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.cpp", "int f(int x) { if (x) throw x; return 0; }\n");
    let allowed = Request { cflags: vec!["-fexceptions".to_owned()], ..work.request(&["t.cpp"]) };
    for request in [work.request(&["t.cpp"]), allowed] {
        let error = work.load_request(&request).unwrap_err();
        assert!(matches!(error, Error::Exceptions { .. }), "{error}");
    }
}

#[test]
fn no_compiler_on_this_machine() {
    let work = Workspace::new();
    work.write("t.c", "int f(void) { return 1; }\n");
    work.write("t.rs", "fn main() {}\n");
    work.write("project/Cargo.toml", "[package]\nname = \"p\"\nversion = \"0.1.0\"\n");
    for (input, words) in [("t.c", "clang-"), ("t.rs", "rustup"), ("project", "rustup")] {
        let request =
            Request { tools: Tools { path: Vec::new(), ..Tools::default() }, ..work.request(&[input]) };
        let error = work.load_request(&request).unwrap_err();
        assert!(matches!(error, Error::MissingTool { .. }), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn no_c_library_on_this_machine() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(void) { return 1; }\n");
    let tools = Tools { libc: Vec::new(), ..work.request(&[]).tools };
    let error = work.load_request(&Request { tools, ..work.request(&["t.c"]) }).unwrap_err();
    assert!(
        error.to_string().contains("apt-get install") && error.to_string().contains("wasi-libc"),
        "{error}"
    );
}

#[test]
fn a_scratch_directory_that_is_not_there() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(void) { return 1; }\n");
    let tools = Tools { scratch: PathBuf::from("/nonexistent/place"), ..Tools::default() };
    let error = work.load_request(&Request { tools, ..work.request(&["t.c"]) }).unwrap_err();
    assert!(matches!(error, Error::Write { .. }), "{error}");
}

#[cfg(unix)]
#[test]
fn inputs_that_never_end() {
    let work = Workspace::new();
    let link = work.path("endless.c");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    let request = Request { inputs: vec![link.clone()], ..Request::default() };
    for inputs in [vec![link], vec![PathBuf::from("/dev/zero")]] {
        let error = coax_load::load(&Request { inputs, ..request.clone() }).unwrap_err();
        assert!(matches!(error, Error::NotAFile { .. }), "{error}");
    }
}

/// A directory with programs that only print a line, for machines that lack something we have.
#[cfg(unix)]
fn fake_programs(work: &Workspace, programs: &[(&str, &str)]) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    for (name, line) in programs {
        let file = work.write(&format!("bin/{name}"), &format!("#!/bin/sh\necho '{line}'\n"));
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    work.path("bin")
}

#[cfg(unix)]
#[test]
fn rust_without_the_wasm_target() {
    let work = Workspace::new();
    work.write("t.rs", "fn main() {}\n");
    let path = vec![fake_programs(&work, &[("rustc", "/nonexistent/rustlib/wasm32-wasip1/lib")])];
    let tools = Tools { path, ..work.request(&[]).tools };
    let error = work.load_request(&Request { tools, ..work.request(&["t.rs"]) }).unwrap_err();
    assert!(error.to_string().ends_with("Get it with: rustup target add wasm32-wasip1"), "{error}");
}

#[cfg(unix)]
#[test]
fn clang_without_its_linker() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(void) { return 1; }\n");
    let path = vec![fake_programs(&work, &[("clang", "Some clang version 17.0.1")])];
    let tools = Tools { path, ..work.request(&[]).tools };
    let error = work.load_request(&Request { tools, ..work.request(&["t.c"]) }).unwrap_err();
    assert!(error.to_string().contains("wasm-ld") && error.to_string().ends_with(" lld-17"), "{error}");
}

#[cfg(unix)]
#[test]
fn clang_without_opt_still_works_and_says_so() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(void) { return 1; }\n");
    std::fs::create_dir(work.path("bin")).unwrap();
    for check in coax_load::doctor(&Tools::default()) {
        if let (Some(found), "clang" | "wasm-ld") = (check.found, check.name.as_str()) {
            let link = work.path("bin").join(found.path.file_name().unwrap());
            std::os::unix::fs::symlink(&found.path, link).unwrap();
        }
    }
    let tools = Tools { path: vec![work.path("bin")], ..work.request(&[]).tools };
    let loaded = work.load_request(&Request { tools, ..work.request(&["t.c"]) }).unwrap();
    assert!(loaded.notes[0].contains("opt was not found"), "{:?}", loaded.notes);
}
