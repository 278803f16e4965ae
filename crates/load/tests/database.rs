//! Compilation databases as CMake, Bear and others write them.

mod common;

use coax_load::{Error, Request};
use common::{Workspace, exports, owns_unit};

/// A database of units with flags that only a host's compiler understands.
fn write_database(work: &Workspace, file: &str, sources: &[&str]) {
    let directory = work.path("project").display().to_string();
    let entries: Vec<serde_json::Value> = sources
        .iter()
        .map(|source| {
            let command = format!(
                "/usr/bin/gcc -DNAME=\\\"x\\\" -Iinclude -std=gnu11 -O2 -march=native -fPIC -pthread -Werror \
                 -fstack-clash-protection -o {source}.o -c {source}"
            );
            serde_json::json!({ "directory": directory, "command": command, "file": source })
        })
        .collect();
    work.write(file, &serde_json::to_string(&entries).unwrap());
}

fn write_project(work: &Workspace) {
    work.write("project/include/api.h", "int helper(int);\n#define NAME_LENGTH sizeof(NAME)\n");
    work.write("project/tool.c", "#include \"api.h\"\nint main(void) { return helper(3); }\n");
    work.write("project/other.c", "#include \"api.h\"\nint main(void) { return helper(4); }\n");
    work.write(
        "project/src/helper.c",
        "#include \"api.h\"\nint helper(int x) { return x + (int)NAME_LENGTH; }\n",
    );
}

#[test]
fn units_are_compiled_with_their_own_flags() {
    let Some(work) = Workspace::with_clang() else { return };
    write_project(&work);
    // CMake and libtool list a file once for each library it is in.
    write_database(&work, "project/build/compile_commands.json", &["tool.c", "src/helper.c", "src/helper.c"]);
    for input in ["project", "project/build", "project/build/compile_commands.json"] {
        let loaded = work.load(&[input]).unwrap();
        assert_eq!(loaded.name, "project");
        let exported = exports(&loaded.wasm);
        assert!(exported.contains("_start") && exported.contains("helper"), "{exported:?}");
        let directory = work.path("project").display().to_string();
        assert!(owns_unit(&loaded.user_code, "src/helper.c", &directory));
    }
}

#[test]
fn one_of_several_programs_is_chosen_by_its_file() {
    let Some(work) = Workspace::with_clang() else { return };
    write_project(&work);
    write_database(&work, "project/compile_commands.json", &["tool.c", "other.c", "src/helper.c"]);
    let error = work.load(&["project"]).unwrap_err();
    assert!(matches!(&error, Error::SeveralMains { files } if files.len() == 2), "{error}");
    let loaded = work.load(&["project", "project/other.c"]).unwrap();
    assert_eq!(loaded.name, "other");
    assert!(exports(&loaded.wasm).contains("_start"));
    let error = work.load(&["project", "project/include/../missing.c"]).unwrap_err();
    assert!(matches!(error, Error::Read { .. }), "{error}");
    work.write("elsewhere.c", "int f(void) { return 0; }\n");
    let error = work.load(&["project", "elsewhere.c"]).unwrap_err();
    assert!(matches!(error, Error::NotInDatabase { .. }), "{error}");
}

#[test]
fn only_what_changed_is_compiled_again() {
    let Some(work) = Workspace::with_clang() else { return };
    write_project(&work);
    write_database(&work, "project/compile_commands.json", &["tool.c", "src/helper.c"]);
    let request = Request { cache: Some(work.cache()), ..work.request(&["project"]) };
    let entries = || common::files_below(&work.cache().join("compiled")).len();
    work.load_request(&request).unwrap();
    assert_eq!(entries(), 3, "two objects and the module");
    work.write("project/tool.c", "#include \"api.h\"\nint main(void) { return helper(5); }\n");
    assert!(!work.load_request(&request).unwrap().from_cache);
    assert_eq!(entries(), 5, "one object and the module are new");
    assert!(work.load_request(&request).unwrap().from_cache);
}

#[test]
fn a_database_gives_no_orders_to_clang() {
    let Some(work) = Workspace::with_clang() else { return };
    let directory = work.path("project").display().to_string();
    let load = |file: &str, flags: &[&str]| {
        let arguments = [&["cc"], flags, &["-c", file]].concat();
        let entry = serde_json::json!({ "directory": directory, "arguments": arguments, "file": file });
        work.write("project/compile_commands.json", &format!("[{entry}]"));
        work.load(&["project"])
    };
    // Clang would refuse this argument, if it took a name for a file of arguments.
    for name in ["args", "args.c"] {
        work.write(&format!("project/{name}"), "-no-such-flag");
    }
    for name in ["-no-such-flag.c", "@args.c", "sub/@args.c"] {
        work.write(&format!("project/{name}"), "int f(void) { return 1; }\n");
    }
    let hostile = ["-D", "@args", "-I@args", "-include", "@args", "-fplugin=args"];
    assert!(exports(&load("-no-such-flag.c", &hostile).unwrap().wasm).contains("f"));
    for name in ["@args.c", "sub/@args.c"] {
        let error = load(name, &[]).unwrap_err();
        assert!(matches!(error, Error::ResponseFile { .. }), "{error}");
    }
}

#[test]
fn broken_databases_are_explained() {
    let work = Workspace::new();
    let cases = [
        ("{", "expected a sequence"),
        ("[]", "lists no C or C++ file"),
        (
            "[{\"directory\": \"/nonexistent\", \"command\": \"cc a.c\", \"file\": \"a.c\"}]",
            "/nonexistent is not there",
        ),
    ];
    for (text, words) in cases {
        work.write("compile_commands.json", text);
        let error = work.load(&["compile_commands.json"]).unwrap_err();
        assert!(
            matches!(error, Error::CompileCommands { .. }) && error.to_string().contains(words),
            "{error}"
        );
    }
}
