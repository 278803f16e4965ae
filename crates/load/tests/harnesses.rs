//! Sources written for other tools, and for coax's own harness, compile as they are.

mod common;

use coax_load::Request;
use common::{Workspace, exports, imports};

/// The functions that a module imports from `env`.
fn asked_for(wasm: &[u8]) -> Vec<String> {
    imports(wasm).into_iter().filter(|(module, _)| module == "env").map(|(_, name)| name).collect()
}

const ALL_HEADERS: &str = "#include <coax.h>
#include <klee/klee.h>
#include <owi.h>
#include <wasp.h>
int main(void) {
    char bytes[2];
    coax_bytes(bytes, 2, \"bytes\");
    klee_make_symbolic(bytes, 2, \"again\");
    coax_assert(bytes[0] != coax_i8(\"x\"));
    owi_assume(owi_int(\"named\") == owi_int32());
    __WASP_assert(__WASP_symb_int((char *)\"y\") < owi_short());
    return 0;
}
";

#[test]
fn headers_of_harnesses_are_found_without_flags() {
    let Some(work) = Workspace::needing(&["clang", "wasm-ld", "wasi-libc", "compiler-rt", "libc++"]) else {
        return;
    };
    for file in ["t.c", "t.cpp"] {
        work.write(file, ALL_HEADERS);
        let loaded = work.load(&[file]).unwrap();
        assert_eq!(loaded.messages, "");
        let names =
            ["coax_assert_fail", "coax_bytes", "coax_i16", "coax_i32", "coax_i8", "klee_make_symbolic"];
        assert_eq!(asked_for(&loaded.wasm), names, "{file}");
        let owi = |name: &str| ("owi".to_owned(), name.to_owned());
        assert!(imports(&loaded.wasm).is_superset(&[owi("i32_symbol"), owi("assume")].into()), "{file}");
    }
}

#[test]
fn a_header_of_the_user_comes_first() {
    let Some(work) = Workspace::with_clang() else { return };
    work.write("include/coax.h", "int mine(void);\n");
    work.write("t.c", "#include <coax.h>\nint main(void) { return mine(); }\n");
    let include = format!("-I{}", work.path("include").display());
    let loaded = work.load_request(&Request { cflags: vec![include], ..work.request(&["t.c"]) }).unwrap();
    assert_eq!(asked_for(&loaded.wasm), ["mine"]);
}

#[test]
fn what_model_checkers_know_needs_no_declaration() {
    let Some(work) = Workspace::with_clang() else { return };
    let used = "int nondet_int();
main() { int x = nondet_int(); __CPROVER_assume(&x); __CPROVER_assert(x, \"x\"); __ESBMC_assume(undeclared(x)); }\n";
    work.write("without.c", used);
    work.write("with.c", &format!("void __CPROVER_assume(int);\nvoid __ESBMC_assume(_Bool);\n{used}"));
    for file in ["without.c", "with.c"] {
        let loaded = work.load(&[file]).unwrap();
        let names = ["__CPROVER_assert", "__CPROVER_assume", "__ESBMC_assume", "nondet_int", "undeclared"];
        assert_eq!(asked_for(&loaded.wasm), names, "{file}");
        assert!(loaded.messages.contains("undeclared"), "it is said: {}", loaded.messages);
    }
}

#[test]
fn every_kind_of_main_is_a_command() {
    let Some(work) = Workspace::with_clang() else { return };
    for main in [
        "void main() {}",
        "int main(int c) { return c; }",
        "int main(int c, char **v, char **e) { return !e; }",
    ] {
        work.write("t.c", main);
        let loaded = work.load(&["t.c"]).unwrap();
        assert!(exports(&loaded.wasm).contains("_start"), "{main}");
        assert!(!loaded.messages.contains("mismatch"), "{main}: {}", loaded.messages);
    }
}

#[test]
fn a_fuzzing_harness_is_a_library() {
    let Some(work) = Workspace::needing(&["clang", "wasm-ld", "wasi-libc", "compiler-rt", "libc++"]) else {
        return;
    };
    work.write("t.c", "int LLVMFuzzerTestOneInput(const char *d, unsigned n) { return n && *d; }\n");
    work.write(
        "t.cc",
        "#include <string>
extern \"C\" int LLVMFuzzerInitialize(int *, char ***) { return 0; }
extern \"C\" int LLVMFuzzerTestOneInput(const char *d, unsigned n) { return std::string(d, n) == \"x\"; }\n",
    );
    for file in ["t.c", "t.cc"] {
        let exported = exports(&work.load(&[file]).unwrap().wasm);
        assert!(
            exported.contains("LLVMFuzzerTestOneInput") && exported.contains("_initialize"),
            "{exported:?}"
        );
    }
}

const PROOFS: &str = "#![forbid(unsafe_code)]
#[derive(Debug, PartialEq)]
#[cfg_attr(kani, derive(kani::Arbitrary))]
pub struct Pair<'a, T: Copy = u8, const N: usize = 2>
where
    T: PartialOrd,
{
    pub first: T,
    pub(crate) r#type: [u8; N],
    more: (Option<char>, std::marker::PhantomData<fn(&'a u8) -> u8>),
}
#[cfg_attr(kani, derive(kani::Arbitrary))]
pub enum Shape { Dot, Circle(f32), Box { w: Result<u16, ()>, h: i64 } }
#[cfg(kani)]
mod proofs {
    use super::*;
    #[kani::proof]
    #[kani::unwind(3)]
    fn pairs() {
        let pair: Pair<'static, u32, 3> = kani::any();
        kani::assume(pair.first > 3);
        kani::cover!(pair.r#type[2] == 7, \"seven\");
        if let Shape::Circle(radius) = kani::any() { assert!(radius >= 0.0); }
        let bytes: [u8; 5] = kani::any_where(|bytes: &[u8; 5]| bytes[0] == 1);
        assert!(kani::slice::any_slice_of_array(&bytes).len() <= kani::vec::any_vec::<u16, 9>().len());
    }
    mod inner {
        #[kani::proof]
        #[test]
        fn pairs() { assert!(kani::any::<bool>()); }
    }
}
";

fn rust() -> Option<Workspace> {
    Workspace::needing(&["rustc", "cargo", "wasm32-wasip1"])
}

#[test]
fn kani_proofs_of_a_file_are_entries() {
    let Some(work) = rust() else { return };
    work.write("proofs.rs", &format!("{PROOFS}fn main() {{}}\n"));
    let mut request = work.request(&["proofs.rs"]);
    request.cache = Some(work.cache());
    for from_cache in [false, true] {
        let loaded = work.load_request(&request).unwrap();
        let exported = exports(&loaded.wasm);
        assert!(exported.contains("pairs") && exported.contains("pairs_2"), "{exported:?}");
        let asked = asked_for(&loaded.wasm);
        for name in ["coax_assume", "coax_bool", "coax_bytes", "coax_cover", "coax_range", "coax_u32"] {
            assert!(asked.iter().any(|it| it == name), "{name} is not among {asked:?}");
        }
        assert_eq!(loaded.from_cache, from_cache);
    }
}

#[test]
fn kani_proofs_of_a_project_are_entries() {
    let Some(work) = rust() else { return };
    work.write("Cargo.toml", "[package]\nname = \"shapes\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    work.write("src/main.rs", &format!("{PROOFS}fn main() {{}}\n"));
    let exported = exports(&work.load(&["."]).unwrap().wasm);
    assert!(exported.contains("pairs") && exported.contains("_start"), "a program's, too: {exported:?}");
    work.write("src/lib.rs", PROOFS);
    work.write("src/main.rs", "fn main() {}\n");
    let loaded = work.load(&["."]).unwrap();
    assert!(exports(&loaded.wasm).contains("pairs"), "{:?}", exports(&loaded.wasm));
    assert!(loaded.user_code.foreign.iter().any(|it| it.ends_with("coax-harness")), "ours is not the user's");
}

#[test]
fn harnesses_that_do_not_compile_are_left_out_of_a_project() {
    let Some(work) = rust() else { return };
    work.write("Cargo.toml", "[package]\nname = \"shapes\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    work.write(
        "src/lib.rs",
        "#[unsafe(no_mangle)]
pub extern \"C\" fn twice(x: u32) -> u32 { x * 2 }
#[cfg(kani)]
#[kani::proof]
fn check() { kani::no_such_function(); }\n",
    );
    let loaded = work.load(&["."]).unwrap();
    assert!(exports(&loaded.wasm).contains("twice"));
    assert!(loaded.notes.iter().any(|note| note.contains("left out")), "{:?}", loaded.notes);
}

#[test]
fn a_file_can_use_the_coax_crate() {
    let Some(work) = rust() else { return };
    work.write(
        "t.rs",
        "#[derive(coax::Arbitrary)]
struct Point(i8, i128);
#[coax::test]
fn harness() {
    let point: Point = coax::any_named(\"point\");
    let text = coax::any_string(4);
    coax::cover!(point.0 == 3 && point.1 == 4 && text.len() == 3);
    let age: std::time::Duration = coax::any();
    let items: Vec<std::num::NonZeroU16> = coax::any_vec(3);
    coax::assume(age.as_secs() > 3 && !items.is_empty());
}\n",
    );
    let loaded = work.load(&["t.rs"]).unwrap();
    assert_eq!(loaded.messages, "");
    assert!(exports(&loaded.wasm).contains("harness"));
    assert!(asked_for(&loaded.wasm).contains(&"coax_u64".to_owned()));
}
