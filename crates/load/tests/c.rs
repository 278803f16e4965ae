//! C and C++ programs, from one file to several.

mod common;

use coax_load::{Error, Optimise, Request};
use common::{
    Workspace, branches, calls, clang_version, code_size, exports, imports, memory_bytes, owns_file,
    owns_unit, tags, traps,
};

const HALF: &str = "#include <stdio.h>
int half(int x) { return x / 2; }
static int hidden(int x) { return x + 1; }
int main(int argc, char **argv) { printf(\"%d\\n\", half(hidden(argc))); return 0; }
";

#[test]
fn a_program_with_main_is_a_command() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", HALF);
    let loaded = work.load(&["t.c"]).unwrap();
    assert_eq!((loaded.name.as_str(), loaded.messages.as_str()), ("t", ""));
    assert!(loaded.has_relocations && !loaded.from_cache);
    let exports = exports(&loaded.wasm);
    assert!(exports.contains("_start") && exports.contains("half"), "{exports:?}");
    for name in ["main", "__main_argc_argv", "hidden", "printf"] {
        assert!(!exports.contains(name), "{name} is exported");
    }
    assert!(imports(&loaded.wasm).iter().all(|(module, _)| module == "wasi_snapshot_preview1"));
}

#[test]
fn constructors_can_run_before_any_entry() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write(
        "t.c",
        "static int ready;
__attribute__((constructor)) static void prepare(void) { ready = 1; }
int f(void) { return ready; }
int main(void) { return f(); }\n",
    );
    let loaded = work.load(&["t.c"]).unwrap();
    assert!(exports(&loaded.wasm).contains("__wasm_call_ctors"));
    assert_eq!(calls(&loaded.wasm, "f"), 0, "the export is the function itself, not a wrapper around it");
}

#[test]
fn programs_have_the_stack_and_the_formats_of_their_hosts() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write(
        "t.c",
        "#include <stdio.h>\nint main(void) { printf(\"%Lg\\n\", (long double)1.5); return 0; }\n",
    );
    let wasm = work.load(&["t.c"]).unwrap().wasm;
    assert!(memory_bytes(&wasm) > 8 << 20);
    let refusal = b"Support for formatting long double values is currently disabled";
    assert!(!wasm.windows(refusal.len()).any(|bytes| bytes == refusal), "printf would abort");
}

#[test]
fn a_library_is_a_reactor_and_unknown_functions_are_imports() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("lib.c", "int klee_int(const char *);\nint f(int x) { return x + klee_int(\"x\"); }\n");
    let loaded = work.load(&["lib.c"]).unwrap();
    let exports = exports(&loaded.wasm);
    assert!(
        exports.contains("_initialize") && exports.contains("f") && !exports.contains("_start"),
        "{exports:?}"
    );
    assert!(imports(&loaded.wasm).contains(&("env".to_owned(), "klee_int".to_owned())));
}

#[test]
fn several_files_and_libraries_make_one_program() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("one.c", "int two(int); int three(int);\nint one(int x) { return two(x) + three(x); }\n");
    work.write("two.c", "int two(int x) { return x * 2; }\n");
    work.write("three.c", "int three(int x) { return x * 3; }\nint unused(int x) { return x; }\n");
    // GNU ar writes no symbol table for wasm, and so do the builds of users.
    if !work.archive("libthree.a", &["three.c"]) {
        return;
    }
    let loaded = work.load(&["one.c", "two.c", "libthree.a"]).unwrap();
    let exported = exports(&loaded.wasm);
    assert!(
        exported.contains("one") && exported.contains("two") && !exported.contains("unused"),
        "{exported:?}"
    );
    assert!(imports(&loaded.wasm).is_empty());
    assert!(owns_unit(&loaded.user_code, &work.path("three.c").display().to_string(), &current_directory()));

    let entry = Request { entry: Some("three".to_owned()), ..work.request(&["two.c", "libthree.a"]) };
    assert!(exports(&work.load_request(&entry).unwrap().wasm).contains("three"));

    let alone = exports(&work.load(&["libthree.a"]).unwrap().wasm);
    assert!(alone.contains("three") && alone.contains("unused"), "{alone:?}");
}

#[test]
fn user_code_is_told_from_the_library() {
    let Some(work) = Workspace::with_clang() else { return };
    let source = work.write("t.c", HALF);
    let user_code = work.load(&["t.c"]).unwrap().user_code;
    assert!(owns_unit(&user_code, &source.display().to_string(), &current_directory()));
    assert!(!owns_unit(&user_code, "./libc-top-half/musl/src/stdio/printf.c", "."));
    assert!(owns_file(&user_code, &source));
    let libc = coax_load::Tools::default().find_libc().unwrap().include.clone();
    assert!(!owns_file(&user_code, &libc.join("stdio.h")));
}

#[test]
fn cxx_works_with_its_library() {
    let Some(work) = Workspace::needing(&["clang", "wasm-ld", "wasi-libc", "compiler-rt", "libc++"]) else {
        return;
    };
    work.write(
        "t.cpp",
        "#include <map>\n#include <string>\n#include <vector>
static std::map<std::string, int> table{{\"a\", 1}};
int lookup(const char *key) { std::vector<int> v{1, 2}; return table[key] + (int)v.size(); }\n",
    );
    let loaded = work.load(&["t.cpp"]).unwrap();
    let exports = exports(&loaded.wasm);
    assert!(exports.contains("_Z6lookupPKc"), "{exports:?}");
    // Copies of inline functions from headers are not entries.
    assert_eq!(exports.len(), 2, "{exports:?}");
}

#[test]
fn the_default_level_keeps_branches_that_o1_folds() {
    let Some(work) = Workspace::with_clang() else { return };
    let source = "int f(int x) { if (x + 1 < x) return 7; if (x > 3) { if (x > 2) return 1; } return 0; }\n";
    work.write("t.c", source);
    let branches_at = |optimise| {
        let request = Request { optimise, ..work.request(&["t.c"]) };
        branches(&work.load_request(&request).unwrap().wasm, "f")
    };
    assert_eq!(branches_at(Optimise::Default), 3);
    assert_eq!(branches_at(Optimise::O0), 3);
    assert!(branches_at(Optimise::O1) < 3);
    let by_flag = Request { cflags: vec!["-O1".to_owned()], ..work.request(&["t.c"]) };
    assert_eq!(branches(&work.load_request(&by_flag).unwrap().wasm, "f"), branches_at(Optimise::O1));
}

#[test]
fn the_default_level_keeps_locals_in_registers() {
    let Some(work) = Workspace::needing(&["clang", "wasm-ld", "wasi-libc", "compiler-rt", "opt"]) else {
        return;
    };
    work.write("t.c", "int f(int x) { int y = x * 3; int z = y + x; return z; }\n");
    let size = |optimise| {
        let request = Request { optimise, ..work.request(&["t.c"]) };
        code_size(&work.load_request(&request).unwrap().wasm, "f")
    };
    assert!(size(Optimise::Default) < size(Optimise::O0));
}

#[test]
fn flags_reach_compiler_and_linker() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("sub/value.h", "#define VALUE 3\n");
    work.write("t.c", "#include \"value.h\"\nint f(void) { return VALUE + EXTRA; }\n");
    let include = format!("-I{}", work.path("sub").display());
    let cflags = vec![include, "-DEXTRA=4".to_owned(), "-Wl,--export=malloc".to_owned(), "-lm".to_owned()];
    let loaded = work.load_request(&Request { cflags, ..work.request(&["t.c"]) }).unwrap();
    assert!(exports(&loaded.wasm).contains("malloc"));
}

#[test]
fn setjmp_is_compiled_and_linked() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write(
        "t.c",
        "#include <setjmp.h>\n#include <stdlib.h>
static jmp_buf outer;
static void jump(int value) { longjmp(outer, value); }
int main(void) {
  volatile int round = 0;
  int value = setjmp(outer);
  if (value == 0) jump(5);
  round++;
  if (round == 1 && value == 5) jump(0);
  exit(round == 2 && value == 1 ? 42 : 1);
}\n",
    );
    match work.load(&["t.c"]) {
        Ok(loaded) => {
            assert!(imports(&loaded.wasm).iter().all(|(module, _)| module == "wasi_snapshot_preview1"));
            assert_eq!(tags(&loaded.wasm), 1, "longjmp throws");
        }
        Err(Error::MissingTool { missing, .. }) => assert_eq!(missing, "clang 20 or newer"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn ubsan_traps_carry_their_reasons() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(int a, int b) { int c = a + b; return c / b; }\n");
    let request = Request { ubsan: true, ..work.request(&["t.c"]) };
    let loaded = work.load_request(&request).unwrap();
    assert!(traps(&loaded.wasm, "f") >= 2);
    if clang_version() >= Some(22) {
        let text = String::from_utf8_lossy(&loaded.wasm).into_owned();
        for reason in ["signed integer addition overflow", "Integer divide or remainder overflowed"] {
            assert!(
                text.contains(&format!("__clang_trap_msg$Undefined Behavior Sanitizer${reason}")),
                "{reason}"
            );
        }
    }
}

#[test]
fn warnings_are_shown_as_they_are() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "#warning look here\nint f(void) { return 0; }\n");
    let loaded = work.load(&["t.c"]).unwrap();
    assert!(loaded.messages.contains("t.c:1:2: warning: look here"), "{}", loaded.messages);
}

#[test]
fn linking_is_repeatable() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", HALF);
    assert_eq!(work.load(&["t.c"]).unwrap().wasm, work.load(&["t.c"]).unwrap().wasm);
}

#[test]
fn wasm_made_by_others_is_taken_as_it_is() {
    let work = Workspace::new();
    let wat = "(module (func (export \"f\") (result i32) i32.const 7))";
    work.write("m.wat", wat);
    let from_text = work.load(&["m.wat"]).unwrap();
    std::fs::write(work.path("m.wasm"), &from_text.wasm).unwrap();
    std::fs::write(work.path("no-extension"), &from_text.wasm).unwrap();
    for name in ["m.wasm", "no-extension"] {
        let loaded = work.load(&[name]).unwrap();
        assert_eq!(loaded.wasm, from_text.wasm);
        assert!(!loaded.has_relocations && owns_unit(&loaded.user_code, "any", "where"));
    }
}

fn current_directory() -> String {
    std::env::current_dir().unwrap().display().to_string()
}
