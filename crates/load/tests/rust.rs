//! Rust files and Cargo projects.

mod common;

use coax_load::{Error, Optimise, Request};
use common::{Workspace, branches, exports, imports, owns_unit};

const LIBRARY: &str = "#[unsafe(no_mangle)]
pub extern \"C\" fn classify(a: i32, b: i32) -> i32 {
    if a > 0 && b > 0 { return a; }
    match a { 0 => 1, 7 => 9, _ => b.wrapping_sub(a) }
}
fn unused() {}
";

fn workspace() -> Option<Workspace> {
    Workspace::needing(&["rustc", "cargo", "wasm32-wasip1"])
}

#[test]
fn a_file_with_main_is_a_program() {
    let Some(work) = workspace() else { return };
    work.write("hello-world.rs", "mod inner;\nfn main() { println!(\"{}\", inner::VALUE); }\n");
    work.write("inner.rs", "pub const VALUE: u32 = 7;\n");
    let loaded = work.load(&["hello-world.rs"]).unwrap();
    assert_eq!(loaded.name, "hello-world");
    assert!(loaded.has_relocations && exports(&loaded.wasm).contains("_start"));
    assert!(loaded.notes.is_empty() && loaded.messages.is_empty(), "{:?} {}", loaded.notes, loaded.messages);
}

#[test]
fn a_file_without_main_exports_its_functions() {
    let Some(work) = workspace() else { return };
    work.write("lib.rs", &format!("// not here: fn main() {{}}\n{LIBRARY}"));
    let loaded = work.load(&["lib.rs"]).unwrap();
    let exported = exports(&loaded.wasm);
    assert!(exported.contains("classify") && !exported.contains("unused"), "{exported:?}");
    assert!(exported.contains("_initialize"), "constructors run once, not around every call: {exported:?}");
    assert!(loaded.messages.contains("function `unused` is never used"), "{}", loaded.messages);
    assert!(imports(&loaded.wasm).iter().all(|(module, _)| module == "wasi_snapshot_preview1"));
}

#[test]
fn the_default_level_keeps_branches_that_o3_folds() {
    let Some(work) = workspace() else { return };
    let source = "#[unsafe(no_mangle)]
pub extern \"C\" fn f(x: i32) -> i32 { if x > 3 { if x > 2 { return 1; } } 0 }\n";
    work.write("lib.rs", source);
    let branches_at = |optimise| {
        let request = Request { optimise, ..work.request(&["lib.rs"]) };
        branches(&work.load_request(&request).unwrap().wasm, "f")
    };
    assert_eq!(branches_at(Optimise::Default), 2);
    assert_eq!(branches_at(Optimise::O0), 2);
    assert!(branches_at(Optimise::O3) < 2);
}

#[test]
fn a_library_without_exports_says_so() {
    let Some(work) = workspace() else { return };
    work.write("lib.rs", "pub fn f(x: u32) -> u32 { x + 1 }\n");
    let loaded = work.load(&["lib.rs"]).unwrap();
    assert!(loaded.notes.iter().any(|note| note.contains("exports no function")), "{:?}", loaded.notes);
}

#[test]
fn rustc_says_what_is_wrong() {
    let Some(work) = workspace() else { return };
    work.write("bad.rs", "fn main() { missing(); }\n");
    let error = work.load(&["bad.rs"]).unwrap_err();
    assert!(matches!(error, Error::Compile { .. }), "{error}");
    assert!(error.messages().contains("cannot find function `missing`"), "{}", error.messages());
}

#[test]
fn a_file_is_cached_with_all_it_includes() {
    let Some(work) = workspace() else { return };
    work.write("data.txt", "one");
    work.write("a.rs", "fn main() { print!(\"{}\", include_str!(\"data.txt\")); }\n");
    let request = Request { cache: Some(work.cache()), ..work.request(&["a.rs"]) };
    let first = work.load_request(&request).unwrap();
    let second = work.load_request(&request).unwrap();
    assert!(!first.from_cache && second.from_cache && first.wasm == second.wasm);
    work.write("data.txt", "two");
    assert!(!work.load_request(&request).unwrap().from_cache);
}

fn manifest(name: &str, more: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n{more}")
}

#[test]
fn a_library_package_becomes_a_module() {
    let Some(work) = workspace() else { return };
    work.write("p/Cargo.toml", &manifest("my-lib", "[dependencies]\nhelper = { path = \"../helper\" }\n"));
    work.write("p/src/lib.rs", &LIBRARY.replace("return a;", "return helper::id(a);"));
    work.write("helper/Cargo.toml", &manifest("helper", ""));
    work.write("helper/src/lib.rs", "#[inline(never)] pub fn id(x: i32) -> i32 { x }\n");
    let request = Request { cache: Some(work.cache()), ..work.request(&["p"]) };
    let first = work.load_request(&request).unwrap();
    assert_eq!(first.name, "my_lib");
    assert!(exports(&first.wasm).contains("classify"));
    assert!(first.has_relocations && !first.from_cache);
    let units = &first.user_code;
    let helper = work.path("helper").canonicalize().unwrap();
    assert!(owns_unit(units, "src/lib.rs/@/helper.1", &helper.display().to_string()));
    assert!(!owns_unit(units, "library/std/src/lib.rs/@/std.1", "/rustc/abc"));
    assert!(!owns_unit(units, "src/lib.rs/@/hashbrown.1", "/rust/deps/hashbrown-0.15"));

    let by_manifest = Request { inputs: vec![work.path("p/Cargo.toml")], ..request };
    let second = work.load_request(&by_manifest).unwrap();
    assert!(second.from_cache && second.wasm == first.wasm);
}

#[test]
fn a_binary_package_becomes_a_program() {
    let Some(work) = workspace() else { return };
    work.write("p/Cargo.toml", &manifest("tool", "default-run = \"tool\"\n[profile.dev]\nstrip = true\n"));
    work.write("p/src/main.rs", "fn main() { println!(\"{}\", std::env::args().count()); }\n");
    work.write("p/src/bin/other.rs", "fn main() {}\n");
    let loaded = work.load(&["p"]).unwrap();
    assert_eq!(loaded.name, "tool");
    assert!(exports(&loaded.wasm).contains("_start") && loaded.has_relocations);
    let cflags = vec!["--bin".to_owned(), "other".to_owned()];
    assert_eq!(work.load_request(&Request { cflags, ..work.request(&["p"]) }).unwrap().name, "other");
}

#[test]
fn projects_that_need_a_choice_ask_for_it() {
    let Some(work) = workspace() else { return };
    work.write("two/Cargo.toml", &manifest("two", ""));
    work.write("two/src/bin/a.rs", "fn main() {}\n");
    work.write("two/src/bin/b.rs", "fn main() {}\n");
    let error = work.load(&["two"]).unwrap_err();
    assert!(error.to_string().contains("a, b") && error.to_string().contains("--bin"), "{error}");

    work.write("ws/Cargo.toml", "[workspace]\nmembers = [\"x\", \"y\"]\n");
    for name in ["x", "y"] {
        work.write(&format!("ws/{name}/Cargo.toml"), &manifest(name, ""));
        work.write(&format!("ws/{name}/src/lib.rs"), LIBRARY);
    }
    let error = work.load(&["ws"]).unwrap_err();
    assert!(matches!(&error, Error::Cargo { reason, .. } if reason.contains("x, y")), "{error}");
    assert_eq!(work.load(&["ws/y"]).unwrap().name, "y");
}

#[test]
fn cargo_says_what_is_wrong() {
    let Some(work) = workspace() else { return };
    work.write("bad/Cargo.toml", "[package]\nname = \"bad\"\n[dependencies\n");
    let error = work.load(&["bad"]).unwrap_err();
    assert!(matches!(error, Error::Cargo { .. }) && !error.messages().is_empty(), "{error}");

    work.write("typo/Cargo.toml", &manifest("typo", ""));
    work.write("typo/src/lib.rs", "pub fn f() { missing(); }\n");
    let error = work.load(&["typo"]).unwrap_err();
    assert!(matches!(error, Error::Compile { .. }), "{error}");
    assert!(error.messages().contains("cannot find function `missing`"), "{}", error.messages());
}

#[test]
fn crates_behind_flags_count_too() {
    let Some(work) = workspace() else { return };
    work.write("t.rs", "fn main() { std::process::exit(step::STEP) }\n");
    let rustc = coax_load::Tools::default().find("rustc").unwrap();
    let library = work.path("lib/libstep.rlib");
    let named = vec!["--extern".to_owned(), format!("step={}", library.display())];
    let searched =
        vec!["--extern".to_owned(), "step".to_owned(), format!("-Lcrate={}", work.path("lib").display())];
    for cflags in [named, searched] {
        let request = Request { cache: Some(work.cache()), cflags, ..work.request(&["t.rs"]) };
        for (step, known) in [(1, false), (1, true), (2, false)] {
            let source = work.write("step.rs", &format!("pub const STEP: i32 = {step};\n"));
            std::fs::create_dir_all(work.path("lib")).unwrap();
            let mut command = std::process::Command::new(&rustc);
            command.args(["--crate-type=rlib", "--target=wasm32-wasip1", "-Cpanic=abort", "-o"]);
            assert!(command.arg(&library).arg(source).status().unwrap().success());
            assert_eq!(work.load_request(&request).unwrap().from_cache, known, "{step}");
        }
    }
}

#[test]
fn flags_of_the_project_are_kept() {
    let Some(work) = workspace() else { return };
    let package = "[package]\nname = \"flags\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    work.write("project/Cargo.toml", package);
    work.write(
        "project/src/lib.rs",
        &format!("#[cfg(not(special))]\ncompile_error!(\"flags are lost\");\n{LIBRARY}"),
    );
    let mut sizes = Vec::new();
    for table in ["build", "target.wasm32-wasip1"] {
        let configuration = format!("[{table}]\nrustflags = [\"--cfg\", \"special\"]\n");
        work.write("project/.cargo/config.toml", &configuration);
        let loaded = work.load(&["project"]).unwrap_or_else(|error| panic!("{}", error.messages()));
        sizes.push(common::code_size(&loaded.wasm, "classify"));
    }
    assert_eq!(sizes[0], sizes[1], "the passes reach the crate in both cases");
}
