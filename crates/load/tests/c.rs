//! C and C++ programs, from one file to several.

mod common;

use common::{Workspace, exports, imports};

#[test]
fn a_program_with_main_is_a_command() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("t.c", "#include <stdio.h>\nint half(int x) { return x / 2; }\nint main(int c, char **v) { printf(\"%d\\n\", half(c)); return 0; }\n");
    let loaded = work.load(&["t.c"]).unwrap();
    assert_eq!(loaded.name, "t");
    assert!(loaded.has_relocations);
    assert_eq!(loaded.messages, "");
    let exports = exports(&loaded.wasm);
    assert!(exports.contains("_start") && exports.contains("half"), "{exports:?}");
    assert!(!exports.contains("main") && !exports.contains("printf"), "{exports:?}");
    assert!(imports(&loaded.wasm).iter().all(|(module, _)| module == "wasi_snapshot_preview1"));
}
