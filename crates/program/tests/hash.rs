//! A function's hash changes with the function and with nothing else.

mod compile;

use coax_program::Program;
use coax_program::hash::{FuncHash, Hasher};
use compile::{Level, Random, Workshop, custom_sections};
use std::collections::{BTreeMap, BTreeSet};

/// The hashes of a module's functions by demangled name, and whether it has relocations.
fn hashes(wasm: Vec<u8>) -> (BTreeMap<String, FuncHash>, bool) {
    let program = Program::parse(wasm).expect("a module");
    let hasher = Hasher::new(&program);
    let entry = |func| Some((program.functions[func].name.clone(), hasher.hash(func)?));
    (program.functions.ids().filter_map(entry).collect(), hasher.relocations())
}

/// The functions that are in both and differ.
fn changed<'a>(old: &'a BTreeMap<String, FuncHash>, new: &BTreeMap<String, FuncHash>) -> BTreeSet<&'a str> {
    let differs = |(name, hash): &(&String, &FuncHash)| new.get(*name).is_some_and(|new| new != *hash);
    old.iter().filter(differs).map(|(name, _)| name.as_str()).collect()
}

/// A program in pieces: what stands above the functions, and the functions.
#[derive(Clone)]
struct Source {
    above: Vec<&'static str>,
    functions: Vec<&'static str>,
}

impl Source {
    fn text(&self) -> String {
        [&self.above[..], &self.functions[..]].concat().join("\n")
    }
}

fn source() -> Source {
    Source {
        above: vec![
            "extern int external(const char *, int);",
            "static int counter; int limit = 10; static const char *const words[] = {\"x\", \"yy\"};",
        ],
        functions: vec![
            "int speak(int x) { counter++; return external(\"one\", x) + external(words[x & 1], limit); }",
            "double half(double x) { return x / 2; }",
            "int table(int x) { switch (x) { case 0: return 17; case 1: return 4; case 2: return 99;
                case 3: return 12; case 4: return 1000; } return external(\"two\", x); }",
            "static int twice(int x) { counter += x; return 2 * x; }",
            "static int thrice(int x) { return 3 * x; }",
            "typedef int operation(int); static operation *const operations[] = {twice, thrice};",
            "int apply(int x) { return operations[x & 1](x) + speak(x) + twice(x); }",
            "operation *pick(int x) { return x ? twice : thrice; }",
            "int local(int x) { static int calls; const int primes[] = {2, 3, 5, 7, 11, 13};
                return primes[x] + calls++; }",
        ],
    }
}

/// An edit, what it does to the source, and the functions whose code it changes.
type Edit = (&'static str, fn(&mut Source), &'static [&'static str]);

const EDITS: &[Edit] = &[
    ("nothing", |_| (), &[]),
    (
        "a function above, of a new type",
        |s| {
            s.functions.insert(0, "float added(long long a, float b, char *c) { return a + b + *c; }");
        },
        &[],
    ),
    (
        "strings above",
        |s| {
            s.functions
                .insert(0, "int added(int x) { return external(\"zero\", x) + external(\"minus one\", x); }");
        },
        &[],
    ),
    (
        "globals above",
        |s| {
            s.above.push("int many[100] = {1, 2, 3}; static char letters[] = \"abc\"; char *added = letters;")
        },
        &[],
    ),
    (
        "another function pointer above",
        |s| {
            s.functions
                .insert(0, "static int other(int x) { return -x; } int (*volatile pointer)(int) = other;");
        },
        &[],
    ),
    (
        "the functions in another order",
        |s| {
            s.above.push("int speak(int); static int twice(int); static int thrice(int);");
            s.functions.reverse();
            let typedef = s.functions.iter().position(|text| text.starts_with("typedef")).expect("a typedef");
            let typedef = s.functions.remove(typedef);
            s.above.push(typedef);
        },
        &[],
    ),
    ("comments and lines", |s| s.above.push("/* more\n\n\nlines */"), &[]),
    (
        "a library function called above",
        |s| {
            s.above.push("extern int first(void);");
            s.functions.insert(0, "int added(void) { return first(); }");
        },
        &[],
    ),
    ("an operator", |s| s.functions[4] = "static int thrice(int x) { return 3 + x; }", &["thrice"]),
    (
        "a string",
        |s| {
            s.functions[0] = "int speak(int x) { counter++; return external(\"eno\", x) + external(words[x & 1], limit); }";
        },
        &["speak"],
    ),
    (
        "a constant of nameless data",
        |s| {
            s.functions[8] = "int local(int x) { static int calls; const int primes[] = {2, 3, 5, 7, 11, 17};
                return primes[x] + calls++; }";
        },
        &["local"],
    ),
    (
        "the initial value of a variable",
        |s| {
            s.above[1] =
                "static int counter; int limit = 11; static const char *const words[] = {\"x\", \"yy\"};"
        },
        &[],
    ),
    (
        "a string of a constant table",
        |s| {
            s.above[1] =
                "static int counter; int limit = 10; static const char *const words[] = {\"x\", \"zz\"};"
        },
        &["speak"],
    ),
    (
        "a function of a constant table",
        |s| {
            s.functions[5] =
                "typedef int operation(int); static operation *const operations[] = {thrice, twice};"
        },
        &["apply"],
    ),
    (
        "another callee",
        |s| {
            s.functions[6] = "int apply(int x) { return operations[x & 1](x) + speak(x) + thrice(x); }";
        },
        &["apply"],
    ),
    (
        "another pointer",
        |s| s.functions[7] = "operation *pick(int x) { return x ? thrice : twice; }",
        &["pick"],
    ),
    ("a type", |s| s.functions[1] = "float half(float x) { return x / 2; }", &["half"]),
];

fn edits_change_what_they_edit(level: Level) {
    let Some(workshop) = Workshop::new() else { return };
    let compile = |source: &Source| {
        workshop.write("t.c", &source.text());
        let object = workshop.object("t.c", level, &["-fno-inline"]);
        hashes(workshop.link(&[object], &["--emit-relocs"]))
    };
    let (old, relocations) = compile(&source());
    assert!(relocations);
    for name in ["speak", "half", "table", "twice", "thrice", "apply", "pick", "local"] {
        assert!(old.contains_key(name), "no {name}");
    }
    for (name, edit, expected) in EDITS {
        let mut source = source();
        edit(&mut source);
        let (new, _) = compile(&source);
        assert_eq!(
            changed(&old, &new),
            BTreeSet::from_iter(expected.iter().copied()),
            "after editing {name}"
        );
    }
}

#[test]
fn edits_change_what_they_edit_by_default() {
    edits_change_what_they_edit(Level::Default);
}

#[test]
fn edits_change_what_they_edit_at_o2() {
    edits_change_what_they_edit(Level::O2);
}

#[test]
fn another_directory_changes_nothing() {
    let compile = || {
        let workshop = Workshop::new()?;
        workshop.write("t.c", &source().text());
        Some(hashes(workshop.module("t.c", Level::Default)))
    };
    assert_eq!(compile(), compile());
}

#[test]
fn static_functions_of_different_files_are_different() {
    let Some(workshop) = Workshop::new() else { return };
    let file = |name: &str, number: u32| {
        let text = "static int state; static int helper(int x) { state = x; return NUMBER * x; }
            int NAME(int x) { return helper(x) + state; }";
        let text = text.replace("NUMBER", &number.to_string()).replace("NAME", name);
        workshop.write(&format!("{name}.c"), &text);
        workshop.object(&format!("{name}.c"), Level::Default, &[])
    };
    let (a, b, c) = (file("a", 2), file("b", 3), file("c", 4));
    let relocs = &["--emit-relocs"];
    let (two, _) = hashes(workshop.link(&[a.clone(), b.clone()], relocs));
    assert_ne!(two["a"], two["b"], "they call different functions");
    // Nor does a third one, wherever it stands, change which they call.
    let (three, _) = hashes(workshop.link(&[c, b, a], relocs));
    assert_eq!((two["a"], two["b"]), (three["a"], three["b"]));
}

#[test]
fn without_relocations_addresses_count() {
    let Some(workshop) = Workshop::new() else { return };
    let compile = |source: &Source| {
        workshop.write("t.c", &source.text());
        hashes(workshop.link(&[workshop.object("t.c", Level::Default, &[])], &[]))
    };
    let (old, relocations) = compile(&source());
    assert!(!relocations);
    assert_eq!(compile(&source()).0, old);
    let mut moved = source();
    moved.functions.insert(0, "int added(float y) { return external(\"zero\", y); }");
    let (new, _) = compile(&moved);
    let changed = changed(&old, &new);
    assert!(changed.contains("speak"), "its string is elsewhere");
    for name in ["half", "thrice"] {
        assert!(!changed.contains(name), "{name} mentions no address");
    }
}

#[test]
fn relocations_of_other_code_are_not_believed() {
    let Some(workshop) = Workshop::new() else { return };
    workshop
        .write("t.c", "int f(int x) { return x; } int g(int x) { return -x; } int h(int x) { return f(x); }");
    let wasm = workshop.module("t.c", Level::Default);
    let program = Program::parse(wasm.clone()).expect("a module");
    let [f, g] = ["f", "g"].map(|name| program.find_function(name).expect("a function").0 as u8);
    let call = [0x10, 0x80 | f, 0x80, 0x80, 0x80, 0];
    let place = wasm.windows(6).position(|bytes| bytes == call).expect("a call with a relocation");
    let mut rewritten = wasm;
    rewritten[place + 1] = 0x80 | g;
    assert!(!hashes(rewritten).1);
}

#[test]
fn what_variables_begin_with_counts_for_who_asks_for_it() {
    let Some(workshop) = Workshop::new() else { return };
    let text = source().text();
    workshop.write("t.c", &text);
    let old = workshop.module("t.c", Level::O2);
    workshop.write("t.c", &text.replace("limit = 10", "limit = 11"));
    let new = workshop.module("t.c", Level::O2);
    let with_values = |wasm: &[u8]| -> BTreeMap<String, FuncHash> {
        let program = Program::parse(wasm.to_vec()).expect("a module");
        let hasher = Hasher::with_initial_values(&program);
        let entry = |func| Some((program.functions[func].name.clone(), hasher.hash(func)?));
        program.functions.ids().filter_map(entry).collect()
    };
    // `speak` is inlined into `apply`.
    assert_eq!(changed(&with_values(&old), &with_values(&new)), BTreeSet::from(["apply", "speak"]));
    assert_eq!(changed(&hashes(old).0, &hashes(new).0), BTreeSet::new());
}

#[test]
fn damaged_relocations_do_no_harm() {
    let Some(workshop) = Workshop::new() else { return };
    workshop.write("t.c", &source().text());
    let intact = workshop.module("t.c", Level::O2);
    let of_linker = |name: &str| ["linking", "reloc.CODE", "reloc.DATA"].contains(&name);
    let ranges = custom_sections(&intact).into_iter().filter(|(name, _)| of_linker(name));
    let places = Vec::from_iter(ranges.flat_map(|(_, range)| range));
    let mut random = Random::new();
    for _ in 0..1000 {
        let program = Program::parse(random.damage(&intact, &places)).expect("a module");
        let hasher = Hasher::new(&program);
        assert!(program.functions.ids().all(|func| hasher.hash(func).is_some() || func.0 == 0));
    }
}

const RUST: &str = r#"
pub fn pair<T: Copy>(values: &[T], index: usize) -> (T, T) { (values[index], values[index + 1]) }
#[unsafe(no_mangle)] pub fn bytes(values: &[u8], index: usize) -> u8 { let (a, b) = pair(values, index); a / b }
#[unsafe(no_mangle)] pub fn words(values: &[u64], index: usize) -> u64 { let (a, b) = pair(values, index); a / b }
#[unsafe(no_mangle)] pub fn parse(text: &str) -> u32 { text.trim().parse().expect("a number") }
"#;

#[test]
fn a_rust_function_that_moves_keeps_its_hash() {
    for level in [&["-Clink-arg=--emit-relocs"][..], &["-Clink-arg=--emit-relocs", "-O"][..]] {
        let compile = |text: &str| {
            let directory = tempfile::tempdir().expect("a temporary directory");
            let file = directory.path().join("t.rs");
            std::fs::write(&file, text).expect("a file");
            Some(hashes(compile::rust(&file, level)?))
        };
        let Some((old, relocations)) = compile(RUST) else { return };
        assert!(relocations);
        assert_eq!(compile(RUST).expect("rustc").0, old);
        let above = "#[unsafe(no_mangle)] pub fn above(v: &[u16], i: usize) -> u16 { pair(v, i).1 % v[i] }\n";
        assert_eq!(changed(&old, &compile(&format!("\n{above}{RUST}")).expect("rustc").0), BTreeSet::new());
        let edited = RUST.replace(
            "pair(values, index); a / b }\n#[unsafe(no_mangle)] pub fn words",
            "pair(values, index); b / a }\n#[unsafe(no_mangle)] pub fn words",
        );
        assert_eq!(changed(&old, &compile(&edited).expect("rustc").0), BTreeSet::from(["bytes"]));
    }
}
