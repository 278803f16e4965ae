//! The doctor names what is missing and how to get it.

use coax_load::{Tools, doctor};

#[test]
fn on_an_empty_machine_everything_is_missing() {
    let tools = Tools { path: Vec::new(), libc: Vec::new(), ..Tools::default() };
    let checks = doctor(&tools);
    let names: Vec<&str> = checks.iter().map(|check| check.name.as_str()).collect();
    let expected = [
        "clang",
        "wasm-ld",
        "opt",
        "wasi-libc",
        "compiler-rt",
        "libc++",
        "rustc",
        "cargo",
        "wasm32-wasip1",
        "wasm32-unknown-unknown",
        "z3",
        "dot",
    ];
    assert_eq!(names, expected);
    for check in &checks {
        assert!(check.found.is_none(), "{check:?}");
        let commands = ["apt-get install ", "rustup target add ", "curl "];
        assert!(commands.iter().any(|command| check.install.starts_with(command)), "{check:?}");
    }
    // The versions of one suggestion fit together.
    let versions: Vec<bool> = checks[..3].iter().map(|check| check.install.contains("-22")).collect();
    assert_eq!(versions, [true; 3]);
}

#[test]
fn what_is_found_has_a_place() {
    for check in doctor(&Tools::default()) {
        if let Some(found) = check.found {
            assert!(found.path.exists(), "{found:?}");
        }
    }
}
