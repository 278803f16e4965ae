//! Every common signature of C's as an entry: pointers to everything, with lengths in every place. Each function has a branch that depends on the last
//! element and on the length; a search must come there, and must blame no function for what it was given.

use coax_execute::{
    Callback, Entry, Input, Limits, MemoryChecks, PlainModule, Shapes, SymbolicEngine, Symbols,
};
use coax_load::{HostFunction, Request};
use coax_program::{Func, Program};
use coax_search::{Approach, Kept, NoJournal, Observer, Options, Progress, Standing, Stop, Subject, search};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// Runs of each function: its few paths need fewer.
const RUNS: u64 = 60;
const FUEL: u64 = 1_000_000;
/// What an input has at most, in bytes.
const LONGEST: u64 = 256;

/// A type, and whether a value of it is 77 (or true); `$` is the value.
const ELEMENTS: &[(&str, &str)] = &[
    ("char", "$ == 77"),
    ("uint8_t", "$ == 77"),
    ("int8_t", "$ == -77"),
    ("uint16_t", "$ == 777"),
    ("int", "$ == 77"),
    ("long long", "$ == 77"),
    ("double", "$ == 77"),
    ("bool", "$"),
    ("enum colour", "$ == BLUE"),
    ("struct pair", "$.b == 77"),
    ("named_pair", "$.b == 77"),
];

/// The parameters and the condition; `T` is the type, `P(x, i)` asks about element `i` of `x`.
const TEMPLATES: &[(&str, &str)] = &[
    ("const T *data, unsigned len", "len == 3 && P(data, len - 1)"),
    ("T *data, int n", "n == 3 && P(data, n - 1)"),
    ("T *buf, uint8_t length", "length == 3 && P(buf, length - 1)"),
    ("long count, T *data", "count == 3 && P(data, count - 1)"),
    ("T *data, int key, size_t size", "size == 3 && key == 5 && P(data, size - 1)"),
    ("T *a, const T *b, size_t n", "n == 2 && P(a, n - 1) && P(b, n - 1)"),
    (
        "const T *in, size_t in_len, T *out, size_t out_len",
        "in_len == 2 && out_len == 3 && P(in, 1) && P(out, 2)",
    ),
    (
        "T *src, T *dst, int srcSize, int dstCapacity",
        "srcSize == 2 && dstCapacity == 3 && P(src, 1) && P(dst, 2)",
    ),
    (
        "const void *in, unsigned in_len, T *out, size_t *out_len",
        "*out_len == 3 && in_len == 2 && P(out, *out_len - 1)",
    ),
    ("struct { T *data; size_t len, cap; } *v", "v->len == 3 && P(v->data, v->len - 1)"),
    ("T *data, size_t len, int (*f)(T *, void *), void *ctx", "len == 2 && f(&data[1], ctx) == 42"),
];

/// Further functions, each with its whole text behind its name.
const OTHERS: &[(&str, &str)] = &[
    ("(const void *data, unsigned len)", "return len == 3 && BYTES(data)[len - 1] == 77 ? 1 : 0;"),
    ("(void *data, size_t len)", "if (len == 3) BYTES(data)[2] = 1; return len == 3;"),
    ("(unsigned len, const void *data)", "return len == 3 && BYTES(data)[len - 1] == 77 ? 1 : 0;"),
    (
        "(const void *a, const void *b, size_t n)",
        "return n == 3 && BYTES(a)[n - 1] == 7 && BYTES(b)[n - 1] == 9 ? 1 : 0;",
    ),
    (
        "(void *out, size_t *out_len, const void *in, size_t in_len)",
        "if (*out_len < in_len) return 1; for (size_t i = 0; i < in_len; i++) BYTES(out)[i] = BYTES(in)[i]; *out_len = in_len; return 0;",
    ),
    ("(const int *values, size_t nbytes)", "return nbytes == 8 && values[1] == 77 ? 1 : 0;"),
    (
        "(const struct pair *pairs, size_t size_in_bytes)",
        "return size_in_bytes == 16 && pairs[1].b == 77 ? 1 : 0;",
    ),
    ("(struct buffer *b)", "return b->len == 3 && b->data[b->cap - 1] == 7 ? 1 : 0;"),
    ("(const char *text, int n)", "int i = 0; while (text[i]) i++; return i == 3 && n == 3 ? 1 : 0;"),
    ("(char *buf, int max)", "if (max != 4) return 0; buf[max - 1] = 0; return buf[2] == 'x' ? 1 : 0;"),
    ("(const char **names, int argc)", "return argc == 2 && names[1][0] == 'x' ? 1 : 0;"),
    ("(struct pair *p, int n)", "return p->a == 5 && n == 0 ? 1 : 0;"),
    (
        "(void *ctx, const void *data, size_t len)",
        "return len == 2 && BYTES(data)[1] == 5 && BYTES(ctx)[0] == 7 ? 1 : 0;",
    ),
    ("(void *ctx, unsigned flags)", "return flags == 0x80000000u && ctx ? 1 : 0;"),
    (
        "(int *base, size_t nmemb, int (*compare)(const void *, const void *))",
        "return nmemb == 2 && compare(&base[1], &base[0]) < 0 && base[0] == 3 ? 1 : 0;",
    ),
    (
        "(bool (*next)(void *, int *), void *user)",
        "int n = 0, x; while (n < 3 && next(user, &x)) n++; return n == 2 ? 1 : 0;",
    ),
    (
        "(struct ops *ops, size_t n)",
        "long got = n == 1 ? ops->read(ops->ctx, 0, n) : 0; ops->done(ops->ctx); return got == 9 ? 1 : 0;",
    ),
    ("(void *(*get)(size_t), float (*f)(double))", "return f(1) > 2.5f && !get(9) ? 1 : 0;"),
];

const HEAD: &str = "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#define BYTES(x) ((unsigned char *)(x))\n\
    struct pair { int a, b; };\ntypedef struct { short a; int b; } named_pair;\nenum colour { RED, GREEN, BLUE };\n\
    struct buffer { char *data; unsigned len, cap; };\n\
    struct ops { long (*read)(void *, char *, size_t); void (*done)(void *); void *ctx; };\n";

/// A file with all functions, and the signature of each.
fn source() -> (String, Vec<String>) {
    let (mut text, mut signatures) = (HEAD.to_owned(), Vec::new());
    for (ty, is_it) in ELEMENTS {
        for (params, condition) in TEMPLATES {
            let number = signatures.len();
            let params = params.replace("T *", &format!("{ty} *"));
            let _ = writeln!(text, "#undef P\n#define P(x, i) ({})", is_it.replace('$', "x[i]"));
            let params = match params.strip_prefix("struct {") {
                Some(rest) => {
                    let (members, name) = rest.rsplit_once('}').expect("it ends");
                    let _ = writeln!(text, "struct of_{number} {{{members}}};");
                    format!("struct of_{number}{name}")
                }
                None => params,
            };
            let _ = writeln!(
                text,
                "int f{number}({params}) {{\n    if ({condition}) return 1;\n    return 0;\n}}"
            );
            signatures.push(params);
        }
    }
    for (params, body) in OTHERS {
        let _ = writeln!(text, "int f{}{params} {{ {body} }}", signatures.len());
        signatures.push((*params).to_owned());
    }
    (text, signatures)
}

fn load(text: &str) -> Program {
    let place = tempfile::tempdir().expect("a temporary directory");
    let file = place.path().join("signatures.c");
    std::fs::write(&file, text).expect("it is written");
    let loaded = coax_load::load(&Request { inputs: vec![file], ..Request::default() });
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}\n{}", error.messages()));
    assert_eq!(loaded.messages, "");
    Program::parse(loaded.wasm).expect("it is a module")
}

/// The program with all functions that its own want.
fn with_callbacks(program: &Program, count: usize) -> Program {
    let mut wanted: Vec<Callback> = Vec::new();
    for number in 0..count {
        let entry = Entry::find(program, Some(&format!("f{number}"))).expect("it is exported");
        wanted.extend(Shapes::of(program, &entry, Shapes::DEPTH).callbacks);
    }
    let function = |callback: &Callback| {
        let ((module, name), signature) = (callback.import(), callback.signature());
        HostFunction { module, name, params: signature.params, results: signature.results }
    };
    let functions: Vec<HostFunction> = Callback::missing(wanted, program).iter().map(function).collect();
    let more =
        coax_load::add_to_table(&program.wasm, &functions).expect("there is room").expect("there is a table");
    Program::parse(more).expect("it is still a module")
}

/// Says nothing.
struct Silent;

impl Observer for Silent {
    fn found(&mut self, _: &Arc<Kept>) {}
    fn dropped(&mut self, _: &Arc<Kept>) {}
    fn progress(&mut self, _: &Standing<'_>) {}
}

fn subject(program: &Program) -> Subject<'_> {
    let limits = Limits { fuel: FUEL, ..Limits::default() };
    let engine = SymbolicEngine::new(&limits).expect("an engine");
    let plain = PlainModule::new(program, &limits).expect("it can be compiled");
    Subject {
        program,
        approach: Arc::new(
            Approach::new(program, &engine, &BTreeSet::new(), &BTreeSet::new()).expect("it is instrumented"),
        ),
        engine,
        plain: Arc::new(plain.with_checks(MemoryChecks::default())),
        symbols: Symbols { longest: LONGEST, ..Symbols::default() },
        in_scope: Vec::new(),
        targets: Vec::new(),
        toward: None,
        is_own: &|_| true,
        limits,
    }
}

/// What is wrong with a search of this function.
fn wrong(subject: &mut Subject<'_>, name: &str) -> Option<String> {
    let program = subject.program;
    let entry = Entry::find(program, Some(name)).expect("it is exported");
    subject.in_scope = program.functions.ids().map(|func: Func| func == entry.func).collect();
    let params = Shapes::of(program, &entry, Shapes::DEPTH).defaults(LONGEST);
    let input = Input { entry: Some(name.into()), params, ..Input::default() };
    let options = Options { max_runs: Some(RUNS), mutate: false, ..Options::default() };
    let found =
        search(subject, vec![input], Vec::new(), &options, &Stop::default(), &mut NoJournal, &mut Silent);
    let found = match found {
        Ok(found) => found,
        Err(error) => return Some(error.to_string()),
    };
    let Progress { divergences, covered, total, failures, .. } = found.progress;
    let outcomes: Vec<String> = found.tests.iter().map(|test| test.outcome.verdict().to_string()).collect();
    let is_good = divergences == 0 && failures == 0 && covered == total && total > 0;
    (!is_good).then(|| {
        format!("{covered} of {total} branches, {divergences} divergences, {failures} failures: {outcomes:?}")
    })
}

#[test]
fn every_signature_of_c_is_an_entry() {
    if !super::can_compile("signatures.c") {
        eprintln!("skipped: this machine cannot compile C");
        return;
    }
    let (text, signatures) = source();
    let plain = load(&text);
    let program = with_callbacks(&plain, signatures.len());
    let mut subject = subject(&program);
    let mut all = Vec::new();
    for (number, signature) in signatures.iter().enumerate() {
        let what = wrong(&mut subject, &format!("f{number}"));
        all.extend(what.map(|what| format!("f{number}({signature}): {what}")));
    }
    assert!(all.is_empty(), "{} of {} signatures:\n{}", all.len(), signatures.len(), all.join("\n"));
}
