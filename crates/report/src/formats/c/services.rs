//! The functions of test harnesses, answered natively: each takes the next value of the test.

use coax_program::{Extern, Program};
use std::fmt::Write;

/// What `__VERIFIER_nondet_…` and `nondet_…` return, by the end of their names.
const NONDET: [(&str, &str); 24] = [
    ("bool", "_Bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("unsigned_char", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("unsigned_int", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
    ("size_t", "size_t"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("i32", "int"),
    ("loff_t", "long long"),
    ("pointer", "void *"),
];

/// What coax.h's functions return, by the end of their names.
const COAX: [(&str, &str); 12] = [
    ("i8", "int8_t"),
    ("u8", "uint8_t"),
    ("i16", "int16_t"),
    ("u16", "uint16_t"),
    ("i32", "int32_t"),
    ("u32", "uint32_t"),
    ("i64", "int64_t"),
    ("u64", "uint64_t"),
    ("f32", "float"),
    ("f64", "double"),
    ("bool", "_Bool"),
    ("size", "size_t"),
];

/// Others, as they are.
const OTHERS: [(&str, &str); 19] = [
    ("coax_bytes", "void coax_bytes(void *p, size_t n, const char *name) { coax_take_bytes(p, n); }"),
    (
        "coax_range",
        "int32_t coax_range(int32_t begin, int32_t end, const char *name) { return coax_take().integer; }",
    ),
    ("coax_assume", "void coax_assume(_Bool condition) {}"),
    (
        "coax_assert_fail",
        "void coax_assert_fail(const char *text, const char *file, uint32_t line, const char *function) { abort(); }",
    ),
    ("coax_cover", "void coax_cover(const char *label) {}"),
    ("coax_unknown", "void coax_unknown(void (*function)(void)) {}"),
    (
        "klee_make_symbolic",
        "void klee_make_symbolic(void *p, size_t n, const char *name) { coax_take_bytes(p, n); }",
    ),
    ("klee_int", "int klee_int(const char *name) { return coax_take().integer; }"),
    ("klee_range", "int klee_range(int begin, int end, const char *name) { return coax_take().integer; }"),
    ("klee_assume", "void klee_assume(uintptr_t condition) {}"),
    (
        "klee_assert_fail",
        "void klee_assert_fail(const char *text, const char *file, unsigned line, const char *function) { abort(); }",
    ),
    ("klee_abort", "void klee_abort(void) { abort(); }"),
    ("__VERIFIER_assume", "void __VERIFIER_assume(int condition) {}"),
    ("__VERIFIER_assert", "void __VERIFIER_assert(int condition) { if (!condition) abort(); }"),
    ("__VERIFIER_atomic_begin", "void __VERIFIER_atomic_begin(void) {}"),
    ("__VERIFIER_atomic_end", "void __VERIFIER_atomic_end(void) {}"),
    ("reach_error", "void reach_error(void) { abort(); }"),
    ("__VERIFIER_error", "void __VERIFIER_error(void) { abort(); }"),
    (
        "__VERIFIER_nondet_memory",
        "void __VERIFIER_nondet_memory(void *p, size_t n) { coax_take_bytes(p, n); }",
    ),
];

/// What a native C library has.
const NATIVE: [&str; 5] = ["__assert_fail", "abort", "exit", "_exit", "_Exit"];

/// Definitions of all that the program imports by C's rules; `source` is the text that stands before them.
pub(super) fn definitions(program: &Program, source: &str) -> Result<String, String> {
    let mut text = String::new();
    for import in &program.imports {
        if import.module != "env"
            || !matches!(import.kind, Extern::Func(_))
            || NATIVE.contains(&&*import.name)
        {
            continue;
        }
        let definition = definition(&import.name, source)
            .ok_or_else(|| format!("it calls `{}`, which has no native answer", import.name))?;
        let _ = writeln!(text, "{definition}");
    }
    Ok(text)
}

fn definition(name: &str, source: &str) -> Option<String> {
    if let Some((_, definition)) = OTHERS.iter().find(|(known, _)| *known == name) {
        return Some((*definition).to_owned());
    }
    let by_end = |table: &[(&str, &'static str)], prefix: &str| {
        let end = name.strip_prefix(prefix)?;
        table.iter().find(|(known, _)| *known == end).map(|(_, ty)| *ty)
    };
    let nondet = by_end(&NONDET, "__VERIFIER_nondet_").or_else(|| by_end(&NONDET, "nondet_"));
    let (ty, parameters) = match nondet {
        Some(ty) => (ty, "void"),
        None => (by_end(&COAX, "coax_")?, "const char *name"),
    };
    let part = if matches!(ty, "float" | "double") { "number" } else { "integer" };
    let cast = if ty == "void *" { "(void *)(intptr_t)" } else { "" };
    // Programs do not agree on the types of some: what this one has declared is right.
    let declared = format!("__typeof__({name}())");
    let ty = if nondet.is_some() && source.contains(name) { &declared } else { ty };
    Some(format!("{ty} {name}({parameters}) {{ return {cast}coax_take().{part}; }}"))
}
