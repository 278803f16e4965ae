//! Frames of whole programs: compared with another reader of DWARF, with inlining, with traps that carry
//! their reason, and with debug information that is damaged.

mod compile;

use addr2line::gimli;
use coax_program::debug_info::DebugInfo;
use coax_program::{Program, Scope, names};
use compile::{Level, Random, Workshop, custom_sections};
use wasmparser::{Parser, Payload};

const LIBRARY_USER: &str = r#"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static inline int twice(int x) { return 2 * x; }
int main(int argc, char **argv) {
    char *copy = malloc(strlen(argv[0]) + 1);
    strcpy(copy, argv[0]);
    qsort(copy, strlen(copy), 1, (int (*)(const void *, const void *))strcmp);
    printf("%s %d %f\n", copy, twice(argc), strtod(copy, 0));
    return isdigit(copy[0]);
}
"#;

#[test]
fn frames_are_those_of_addr2line() {
    let Some(workshop) = Workshop::new() else { return };
    workshop.write("user.c", LIBRARY_USER);
    let Some(wasm) = workshop.command_module("user.c", &["-O2"]) else { return };
    let debug = DebugInfo::parse(&wasm);
    assert_eq!(debug.warnings(), Vec::<String>::new());
    let sections = custom_sections(&wasm);
    let load = |id: gimli::SectionId| {
        let bytes = sections
            .iter()
            .find(|(name, _)| *name == id.name())
            .map_or(&[][..], |(_, range)| &wasm[range.clone()]);
        Ok::<_, gimli::Error>(gimli::EndianSlice::new(bytes, gimli::LittleEndian))
    };
    let judge = addr2line::Context::from_dwarf(gimli::Dwarf::load(load).expect("sections")).expect("DWARF");
    let (start, operators) = operators(&wasm);
    let mut compared = 0;
    for offset in operators {
        let mut frames = judge.find_frames(u64::from(offset - start)).skip_all_loads().expect("frames");
        let mut expected = Vec::new();
        while let Some(frame) = frames.next().expect("a frame") {
            let function = frame.function.map(|name| names::demangle(&name.raw_name().expect("a name")));
            let (line, column) = frame.location.map_or((None, None), |at| (at.line, at.column));
            expected.push((function, line, column));
        }
        let found = debug.frames(offset);
        assert_eq!(found.len(), expected.len(), "at {offset:#x}");
        for (found, (function, line, column)) in found.into_iter().zip(expected) {
            assert_eq!(found.function, function, "at {offset:#x}");
            // Where the compiler says line 0, we look around and say more than addr2line.
            if line.is_some_and(|line| line != 0) {
                compared += 1;
                assert_eq!((found.line, found.column), (line, column.filter(|&c| c != 0)), "at {offset:#x}");
            }
        }
    }
    assert!(compared > 5000, "only {compared} lines compared");
}

#[test]
fn threads_may_share_a_program() {
    fn shared<T: Send + Sync>() {}
    shared::<Program>();
    shared::<coax_program::hash::Hasher<'static>>();
}

#[test]
fn inlined_calls_have_frames_of_their_own() {
    let Some(workshop) = Workshop::new() else { return };
    workshop.write(
        "t.c",
        "static int third(int *p) {\n  return *p;\n}\nint outer(int *p) {\n  return third(p + 2);\n}\n",
    );
    let wasm = workshop.module("t.c", Level::O2);
    let debug = DebugInfo::parse(&wasm);
    let all = operators(&wasm).1.into_iter().map(|offset| debug.frames(offset));
    let nested = all.into_iter().find(|frames| frames.len() == 2).expect("an inlined call");
    let shown = nested.iter().map(|frame| (frame.function.as_deref(), frame.line));
    assert_eq!(Vec::from_iter(shown), [(Some("third"), Some(2)), (Some("outer"), Some(5))]);
    let file = workshop.path().canonicalize().expect("a path").join("t.c");
    let found =
        nested[0].file.as_ref().map(|file| std::path::Path::new(file).canonicalize().expect("a path"));
    assert_eq!(found, Some(file));
}

#[test]
fn a_sanitizer_trap_says_why_and_where() {
    let Some(workshop) = Workshop::new().filter(Workshop::can_sanitize) else { return };
    workshop.write("t.c", "int add(int a, int b) {\n  return a\n         + b;\n}\n");
    let wasm = workshop.module("t.c", Level::Sanitized);
    let debug = DebugInfo::parse(&wasm);
    let all = operators(&wasm).1.into_iter().map(|offset| debug.frames(offset));
    let trap = all.into_iter().find(|frames| frames.first().is_some_and(|f| f.trap_reason().is_some()));
    let trap = trap.expect("a trap with a reason");
    let reason = ("Undefined Behavior Sanitizer", "signed integer addition overflow in 'a + b'");
    assert_eq!(trap[0].trap_reason(), Some(reason));
    assert_eq!((trap[0].line, trap[1].line), (Some(3), Some(3)));
    assert_eq!(trap[1].function.as_deref(), Some("add"));
    assert_eq!(trap[1].trap_reason(), None);
}

const DEAD: &str = "
int kept(int x) { return x ? 3 / x : 7; }
static int used(int x) { return x * 3; }
int unused(int x) { for (int i = 0; i < x; i++) x += used(i); return x; }
int also_kept(int x) { return used(x) - 1; }
";

#[test]
fn dropped_functions_claim_no_code() {
    let Some(workshop) = Workshop::new() else { return };
    workshop.write("t.c", DEAD);
    let object = workshop.object("t.c", Level::Default, &[]);
    let mut wasm = workshop.link_only(&[object], &["--export=kept", "--export=also_kept"]);
    let frames = |wasm: &[u8]| {
        let debug = DebugInfo::parse(wasm);
        Vec::from_iter(operators(wasm).1.into_iter().map(|offset| debug.frames(offset)))
    };
    let before = frames(&wasm);
    let names = before.iter().flatten().filter_map(|frame| frame.function.as_deref());
    let names = std::collections::BTreeSet::from_iter(names);
    assert_eq!(Vec::from_iter(names), ["also_kept", "kept", "used"]);
    // Older linkers wrote 0 where newer ones write -1.
    let mut tombstones = 0;
    for (name, range) in custom_sections(&wasm.clone()) {
        if name == ".debug_info" || name == ".debug_line" {
            for start in range.start..range.end - 3 {
                if wasm[start..start + 4] == [0xff; 4] {
                    wasm[start..start + 4].fill(0);
                    tombstones += 1;
                }
            }
        }
    }
    assert!(tombstones > 0, "the dropped function left no trace");
    assert_eq!(frames(&wasm), before);
}

#[test]
fn damaged_debug_information_does_no_harm() {
    let Some(workshop) = Workshop::new() else { return };
    workshop.write("t.c", DEAD);
    let intact = workshop.module("t.c", Level::O1);
    let ranges = custom_sections(&intact).into_iter().filter(|(name, _)| name.starts_with(".debug_"));
    let places = Vec::from_iter(ranges.flat_map(|(_, range)| range));
    let offsets = operators(&intact).1;
    let mut random = Random::new();
    for _ in 0..2000 {
        let debug = DebugInfo::parse(&random.damage(&intact, &places));
        for &offset in &offsets {
            debug.frames(offset);
            debug.declared_at(offset);
        }
    }
}

#[test]
fn a_function_belongs_to_who_declared_it() {
    let Some(workshop) = Workshop::new() else { return };
    let beside = workshop.write("mine/beside.h", "static int beside(int x) { return x + 1; }\n");
    workshop.write("other/library.h", "static int library(int x) { return x + 2; }\n");
    let source = "#include \"beside.h\"\n#include \"../other/library.h\"\nint mine(int x) { return beside(x) + library(x); }\n";
    let file = workshop.write("mine/mine.c", source);
    workshop.write("other/other.c", "int other(int x) { return x; }\n");
    let objects = ["mine/mine.c", "other/other.c"].map(|name| workshop.object(name, Level::Default, &[]));
    let program = Program::parse(workshop.link(&objects, &["--emit-relocs"])).expect("a module");
    let in_scope = |scope: &Scope| {
        let ids = program.functions.ids().filter(|&func| program.in_scope(func, scope));
        let mut names = Vec::from_iter(ids.map(|func| program.functions[func].name.as_str()));
        names.retain(|name| !name.starts_with("__wasm"));
        names.sort_unstable();
        names
    };
    assert_eq!(in_scope(&Scope::all()), ["beside", "library", "mine", "other"]);
    let other = [workshop.path().join("other")];
    assert_eq!(in_scope(&Scope::paths([&file], &[])), ["beside", "library", "mine"]);
    assert_eq!(in_scope(&Scope::paths([&file], &other)), ["beside", "mine"]);
    assert_eq!(in_scope(&Scope::paths([file.parent().expect("a directory")], &other)), ["beside", "mine"]);
    assert_eq!(in_scope(&Scope::paths([&beside], &[])), ["beside"]);
    assert_eq!(in_scope(&Scope::paths([workshop.path()], &[])), ["beside", "library", "mine", "other"]);
    assert_eq!(in_scope(&Scope::paths(["elsewhere"], &[])), Vec::<&str>::new());
}

#[test]
fn the_c_library_is_not_the_users() {
    let Some(workshop) = Workshop::new() else { return };
    let file = workshop.write("user.c", LIBRARY_USER);
    let Some(wasm) = workshop.command_module("user.c", &[]) else { return };
    let program = Program::parse(wasm).expect("a module");
    for scope in [Scope::paths([&file], &[]), Scope::paths([workshop.path()], &[])] {
        let own = program.functions.ids().filter(|&func| program.in_scope(func, &scope));
        let mut names = Vec::from_iter(own.map(|func| program.functions[func].name.as_str()));
        names.sort_unstable();
        // Some versions of clang rename `main`.
        assert!(names == ["__main_argc_argv", "twice"] || names == ["main", "twice"], "{names:?}");
    }
}

/// Where the contents of the code section start, and where each operator is.
fn operators(wasm: &[u8]) -> (u32, Vec<u32>) {
    let (mut start, mut offsets) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.expect("a module") {
            Payload::CodeSectionStart { range, .. } => start = range.start as u32,
            Payload::CodeSectionEntry(body) => {
                let mut reader = body.get_operators_reader().expect("a body");
                while !reader.eof() {
                    offsets.push(reader.original_position() as u32);
                    reader.read().expect("an operator");
                }
            }
            _ => {}
        }
    }
    (start, offsets)
}
