//! coax-cc as build systems call it.

mod common;

use std::path::PathBuf;

use common::{Workspace, exports, imports, owns_unit};

/// Calls the wrapper; words with a `+` in front are files of the workspace.
fn cc(work: &Workspace, line: &str) -> Result<coax_load::Said, coax_load::Error> {
    let place = |word: &str| match word.split_once('+') {
        Some((flag, file)) => format!("{flag}{}", work.path(file).display()),
        None => word.to_owned(),
    };
    work.cc(&line.split_whitespace().map(place).collect::<Vec<_>>())
}

fn succeeds(work: &Workspace, line: &str) -> coax_load::Said {
    let said = cc(work, line).unwrap_or_else(|error| panic!("{error}\n{}", error.messages()));
    assert!(said.success, "{}", said.stderr);
    said
}

#[test]
fn a_build_leaves_a_module_that_knows_its_sources() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("inc/a.h", "int twice(int);\n");
    work.write(
        "main.c",
        "#include \"a.h\"\n#include <stdio.h>\nint main(void) { printf(\"%d\", twice(4)); return 0; }\n",
    );
    work.write("a.c", "#include \"a.h\"\nint twice(int x) { return 2 * x; }\n");
    succeeds(&work, "-g -O2 -march=native -fPIC -Wall -I+inc -MD -MP -MF +a.d -c -o +a.o +a.c");
    let dependencies = std::fs::read_to_string(work.path("a.d")).unwrap();
    assert!(dependencies.contains("a.o:") && dependencies.contains("inc/a.h"), "{dependencies}");
    succeeds(&work, "-I+inc -c +main.c -o +main.o");
    succeeds(&work, "-Wl,--as-needed -rdynamic +main.o +a.o -lm -o +program");

    let loaded = work.load(&["program"]).unwrap();
    assert!(loaded.has_relocations);
    assert!(exports(&loaded.wasm).contains("_start") && exports(&loaded.wasm).contains("twice"));
    let directory = std::env::current_dir().unwrap().display().to_string();
    assert!(owns_unit(&loaded.user_code, &work.path("a.c").display().to_string(), &directory));
    assert!(!owns_unit(&loaded.user_code, "./libc-top-half/musl/src/stdio/printf.c", "."));
}

#[test]
fn libraries_of_the_build_are_found() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("a.c", "int once(int x) { return x; }\n");
    work.write("b.c", "int once(int);\nint twice(int x) { return once(x) * 2; }\n");
    work.write("main.c", "int twice(int);\nint main(void) { return twice(4); }\n");
    if !work.archive("libonce.a", &["a.c"]) {
        return;
    }
    // A shared library becomes an object that programs take in whole.
    succeeds(&work, "-shared -fPIC -Wl,-soname,libtwice.so.1 +b.c -o +libtwice.so");
    succeeds(&work, "+main.c -L+ -ltwice -lonce -o +program");
    assert!(imports(&work.load(&["program"]).unwrap().wasm).iter().all(|(module, _)| module != "env"));
}

#[test]
fn joined_flags_and_host_libraries_are_understood() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("program.txt", "int main(void) { return 0; }\n");
    succeeds(&work, "-xc +program.txt -lgcc_s -lgcc -lpthread -MD -MF+program.d -o+program");
    assert!(work.path("program").is_file() && work.path("program.d").is_file());
}

#[test]
fn configure_learns_what_the_c_library_lacks() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("has.c", "char strdup();\nint main(void) { return strdup(); }\n");
    work.write("lacks.c", "int fork(void);\nint main(void) { return fork(); }\n");
    work.write("harness.c", "int klee_int(const char *);\nint main(void) { return klee_int(\"x\"); }\n");
    succeeds(&work, "-Wno-everything +has.c -o +has");
    let error = cc(&work, "+lacks.c -o +lacks").unwrap_err();
    assert!(error.messages().contains("undefined symbol: fork"), "{}", error.messages());
    assert!(!work.path("lacks").exists(), "a failed link leaves no program");
    succeeds(&work, "+harness.c -o +harness");
    succeeds(&work, "+lacks.c -Wl,--allow-undefined -o +lacks");
}

#[test]
fn other_actions_go_to_clang() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("a.c", "#define A 41\nint x = A;\n");
    let text = succeeds(&work, "-E +a.c").stdout;
    assert!(String::from_utf8_lossy(&text).contains("int x = 41"));
    let macros = succeeds(&work, "-E -dM -O2 +a.c").stdout;
    assert!(String::from_utf8_lossy(&macros).contains("__wasm32__"));
    let version = succeeds(&work, "--version").stdout;
    assert!(String::from_utf8_lossy(&version).contains("clang"));
    let rule = succeeds(&work, "-MM +a.c").stdout;
    assert!(String::from_utf8_lossy(&rule).starts_with("a.o:"));
}

#[test]
fn devices_are_not_replaced() {
    let Some(work) = Workspace::with_clang() else { return };
    let null = PathBuf::from("/dev/null");
    if !null.exists() {
        eprintln!("skipped: there is no /dev/null on this machine");
        return;
    }
    work.write("a.c", "int main(void) { return 0; }\n");
    succeeds(&work, "-c +a.c -o /dev/null");
    succeeds(&work, "+a.c -o /dev/null");
    assert!(!null.metadata().unwrap().is_file());
}

#[test]
fn failures_leave_nothing() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("bad.c", "int f(void) { return missing; }\n");
    let error = cc(&work, "-c +bad.c -o +bad.o").unwrap_err();
    assert!(error.messages().contains("undeclared identifier 'missing'"), "{}", error.messages());
    assert!(!work.path("bad.o").exists());
}

#[cfg(unix)]
#[test]
fn programs_are_executable_as_builds_expect() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(work) = Workspace::with_clang() else { return };
    work.write("a.c", "int main(void) { return 0; }\n");
    succeeds(&work, "+a.c -o +a");
    assert_ne!(work.path("a").metadata().unwrap().permissions().mode() & 0o111, 0);
}
