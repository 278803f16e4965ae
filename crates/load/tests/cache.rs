//! Results come from the cache exactly when nothing that matters changed.

mod common;

use coax_load::{Optimise, Request};
use common::{Workspace, files_below};

#[test]
fn a_second_load_compiles_nothing() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("h.h", "#define STEP 1\n");
    work.write("t.c", "#warning kept\n#include \"h.h\"\nint f(int x) { return x + STEP; }\n");
    let request = Request { cache: Some(work.cache()), ..work.request(&["t.c"]) };
    let first = work.load_request(&request).unwrap();
    let second = work.load_request(&request).unwrap();
    assert!(!first.from_cache && second.from_cache);
    assert_eq!(first.wasm, second.wasm);
    assert_eq!(first.messages, second.messages, "a warning is shown every time");
    assert_eq!(first.user_code, second.user_code);

    work.write("h.h", "#define STEP 2\n");
    let changed = work.load_request(&request).unwrap();
    assert!(!changed.from_cache);
    assert_ne!(changed.wasm, first.wasm);

    work.write("h.h", "#define STEP 1\n");
    assert!(work.load_request(&request).unwrap().from_cache, "the old content is still known");
}

#[test]
fn flags_and_levels_are_part_of_the_key() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(int x) { return x + 1; }\n");
    let request = Request { cache: Some(work.cache()), ..work.request(&["t.c"]) };
    let variants = [
        request.clone(),
        Request { optimise: Optimise::O1, ..request.clone() },
        Request { ubsan: true, ..request.clone() },
        Request { cflags: vec!["-funsigned-char".to_owned()], ..request.clone() },
    ];
    for variant in &variants {
        assert!(!work.load_request(variant).unwrap().from_cache, "{variant:?}");
    }
    for variant in &variants {
        assert!(work.load_request(variant).unwrap().from_cache, "{variant:?}");
    }
}

#[test]
fn the_cache_does_not_change_the_module() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "#include <setjmp.h>\njmp_buf b;\nint f(int x) { return x ? setjmp(b) : 1; }\n");
    let without = work.load(&["t.c"]);
    let with = work.load_request(&Request { cache: Some(work.cache()), ..work.request(&["t.c"]) });
    assert_eq!(without.ok().map(|it| it.wasm), with.ok().map(|it| it.wasm));
}

#[test]
fn damaged_entries_are_compiled_again() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(int x) { return x + 1; }\n");
    let request = Request { cache: Some(work.cache()), ..work.request(&["t.c"]) };
    let first = work.load_request(&request).unwrap();
    for entry in files_below(&work.cache().join("compiled")) {
        let bytes = std::fs::read(&entry).unwrap();
        std::fs::write(&entry, &bytes[..bytes.len() / 2]).unwrap();
    }
    let again = work.load_request(&request).unwrap();
    assert!(!again.from_cache);
    assert_eq!(first.wasm, again.wasm);
    assert!(work.load_request(&request).unwrap().from_cache);
}

#[test]
fn failures_are_not_kept() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(int x) { return y; }\n");
    let request = Request { cache: Some(work.cache()), ..work.request(&["t.c"]) };
    assert!(work.load_request(&request).is_err());
    assert!(files_below(&work.cache().join("compiled")).is_empty());
}

#[test]
fn a_library_behind_a_flag_counts_too() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int step(int);\nint f(int x) { return step(x); }\n");
    let cflags = vec![format!("-L{}", work.path("").display()), "-lstep".to_owned()];
    let request = Request { cache: Some(work.cache()), cflags, ..work.request(&["t.c"]) };
    for (text, known) in [("x + 1", false), ("x + 1", true), ("x + 2", false)] {
        work.write("step.c", &format!("int step(int x) {{ return {text}; }}\n"));
        if !work.archive("libstep.a", &["step.c"]) {
            return;
        }
        let loaded = work.load_request(&request).unwrap();
        assert_eq!(loaded.from_cache, known, "{text}");
        assert!(common::imports(&loaded.wasm).is_empty());
    }
}

#[test]
fn members_of_thin_libraries_count_too() {
    let Some(work) = Workspace::with_clang() else { return };
    let Some(ar) = coax_load::Tools::default().find("ar") else {
        common::skip("ar is not on this machine");
        return;
    };
    work.write("t.c", "int step(int);\nint f(int x) { return step(x); }\n");
    let request = Request { cache: Some(work.cache()), ..work.request(&["t.c", "libstep.a"]) };
    for (text, known) in [("x + 1", false), ("x + 1", true), ("x + 2", false)] {
        work.write("step.c", &format!("int step(int x) {{ return {text}; }}\n"));
        let object = work.compile("step.c");
        if !work.path("libstep.a").exists() {
            let library = work.path("libstep.a");
            let made = std::process::Command::new(&ar).arg("rcT").arg(library).arg(object).output().unwrap();
            assert!(made.status.success(), "{made:?}");
        }
        assert_eq!(work.load_request(&request).unwrap().from_cache, known, "{text}");
    }
}

#[test]
fn files_behind_flags_and_in_assembly_count_too() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "int f(int x, int y) { return x + y; }\n");
    let ignored = work.path("ignored");
    let cflags = ["-fsanitize=integer".to_owned(), "-fsanitize-trap=integer".to_owned()];
    let list = format!("-fsanitize-ignorelist={}", ignored.display());
    let cflags = cflags.into_iter().chain([list]).collect();
    let request = Request { cache: Some(work.cache()), cflags, ..work.request(&["t.c"]) };
    for (text, known) in [("", false), ("", true), ("src:*\n", false)] {
        work.write("ignored", text);
        assert_eq!(work.load_request(&request).unwrap().from_cache, known, "{text}");
    }

    let data = work.write("data", "one");
    let assembly = format!(".section .rodata.data,\\\"\\\",@\\ndata:\\n.incbin \\\"{}\\\"", data.display());
    work.write("t.c", &format!("__asm__(\"{assembly}\\n.size data, 3\\n\");\nint f(void) {{ return 1; }}\n"));
    let request = Request { cache: Some(work.cache()), ..work.request(&["t.c"]) };
    for _ in 0..2 {
        assert!(!work.load_request(&request).unwrap().from_cache);
    }
}
