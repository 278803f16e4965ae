//! Any function as the entry, with parameters made from debug information: of lists, trees, tables of callbacks, arrays of structures,
//! Rust's slices and vectors. Each program prints what it was given, so what was made is judged by the program itself; both engines must record
//! the same path, whose symbols are called as the source calls them; and a stored test must do the same on the plain module.

#[path = "../../../tests/skipped.rs"]
mod skipped;

use coax_execute::{
    Answer, Argument, Callback, Entry, Input, Limits, Number, Outcome, PlainModule, Request as Asked, Shapes,
    SymbolicModule, Symbols, Test, Value, Variant,
};
use coax_judge::engines::Engines;
use coax_load::{HostFunction, Request, Tools};
use coax_program::Program;
use std::path::Path;
use std::sync::Arc;

/// Steps that a run may take.
const STEPS: u64 = 2_000_000;

/// What a function is given, and what it must do with it.
struct Row {
    entry: &'static str,
    /// Its parameters, written by hand.
    params: &'static str,
    /// What it prints.
    stdout: &'static str,
    /// What it returns; none if it traps.
    returns: Option<i32>,
    /// The symbols that its path depends on.
    symbols: &'static [&'static str],
}

const STRUCTURES: &[Row] = &[
    Row {
        entry: "list_sum",
        params: r#"[{"name":"list","pointer":{"size":8,"heap":true,"fields":[{"name":"value","at":0,"i32":41},
            {"name":"next","at":4,"pointer":{"size":8,"heap":true,"fields":[{"name":"value","at":0,"i32":-2},{"name":"next","at":4,"pointer":null}]}}]}}]"#,
        stdout: "1039",
        returns: Some(1039),
        symbols: &["list.value", "list.next.value"],
    },
    Row {
        entry: "tree_find",
        params: r#"[{"name":"tree","pointer":{"size":12,"fields":[{"name":"key","at":8,"i8":109},
            {"name":"left","at":0,"pointer":{"size":12,"fields":[{"name":"key","at":8,"i8":99}]}}]}},{"name":"key","i8":100}]"#,
        stdout: "mc.",
        returns: Some(0),
        symbols: &["key", "tree.key", "tree.left.key"],
    },
    Row {
        entry: "call_open",
        params: r#"[{"name":"table","pointer":{"size":12,"fields":[{"name":"flags","at":8,"i32":3}]}}]"#,
        stdout: "0 3",
        returns: Some(-2),
        symbols: &["table.flags"],
    },
    Row {
        entry: "count_expensive",
        params: r#"[{"name":"items","pointer":{"size":48,"fields":[{"name":"[0].id","at":0,"i16":-1},{"name":"[0].price","at":8,"f64":3.5},
            {"name":"[0].name","at":16,"inline":"abcz"},{"name":"[1].price","at":32,"f64":1.25}]}},{"name":"count","length_of":"items","element":24}]"#,
        stdout: "-1 3.5 abcz;0 1.25 ;",
        returns: Some(1),
        symbols: &["items[0].id", "items[0].price", "items[0].name[3]", "items[1].price", "count"],
    },
    Row {
        entry: "divide",
        params: r#"[{"name":"a","i32":7},{"name":"b","i32":0},{"name":"quotient","pointer":{"size":4,"fields":[{"name":"","at":0,"i32":5}]}},
            {"name":"rest","pointer":{"size":4,"fields":[{"name":"","at":0,"i32":8}]}}]"#,
        stdout: "7 0 5 8",
        returns: None,
        symbols: &["a", "b", "quotient", "rest"],
    },
    Row {
        entry: "nested",
        params: r#"[{"name":"outer","pointer":{"size":72,"fields":[{"name":"tag","at":0,"i8":113},{"name":"inner.wide","at":16,"i64":5},
            {"name":"both[1].c","at":40,"i8":119},{"name":"small|larger","at":56,"inline":{"hex":"1a00"}},{"name":"either","at":60,"inline":{"hex":"ff000000"}},
            {"name":"on","at":64,"bool":true}]}}]"#,
        stdout: "q 5 w 2 3 255 1",
        returns: Some(1),
        symbols: &["outer.tag", "outer.inner.wide", "outer.both[1].c", "outer.small|larger[0]", "outer.on"],
    },
    Row {
        entry: "by_value",
        params: r#"[{"name":"pair","pointer":{"size":16,"fields":[{"name":"c","at":0,"i8":99},{"name":"wide","at":8,"i64":4}]}},
            {"name":"single.f","f32":1.5},{"name":"byte","u8":201},{"name":"flag","bool":true}]"#,
        stdout: "c 4 1.5 201 1",
        returns: Some(1),
        symbols: &["pair.wide", "single.f", "byte", "flag"],
    },
    Row {
        entry: "last_is",
        params: r#"[{"name":"buffer","bytes":"wow!"},{"name":"length","length_of":"buffer"}]"#,
        stdout: "4",
        returns: Some(1),
        symbols: &["length", "buffer[3]"],
    },
    // One byte past the end is outside of the memory.
    Row {
        entry: "overread",
        params: r#"[{"name":"buffer","bytes":"wow!"},{"name":"length","length_of":"buffer"}]"#,
        stdout: "",
        returns: None,
        symbols: &["length"],
    },
    Row {
        entry: "text",
        params: r#"[{"name":"string","string":"hi"}]"#,
        stdout: "[hi]",
        returns: Some(1),
        symbols: &["string[0]", "string[1]"],
    },
    Row {
        entry: "sum",
        params: r#"[{"name":"count","length_of":"numbers","element":2},
            {"name":"numbers","pointer":{"size":4,"fields":[{"name":"[0]","at":0,"i16":14},{"name":"[1]","at":2,"i16":-2}]}}]"#,
        stdout: "12",
        returns: Some(1),
        symbols: &["count", "numbers[0]", "numbers[1]"],
    },
    Row {
        entry: "colour",
        params: r#"[{"name":"colour","u32":5}]"#,
        stdout: "5",
        returns: Some(1),
        symbols: &["colour"],
    },
    Row {
        entry: "message",
        params: r#"[{"name":"message","pointer":{"size":8,"fields":[{"name":"body","at":0,"bytes":"abc"},
            {"name":"body_len","at":4,"length_of":"body","as":"u16"}]}}]"#,
        stdout: "abc",
        returns: Some(1),
        symbols: &["message.body_len", "message.body[2]"],
    },
    Row {
        entry: "used_static",
        params: r#"[{"name":"x","i32":4}]"#,
        stdout: "",
        returns: Some(1),
        symbols: &[],
    },
];

const REFERENCES: &[Row] = &[
    Row {
        entry: "distance",
        params: r#"[{"name":"from","pointer":{"size":8,"fields":[{"name":"x","at":0,"i32":6}]}},
            {"name":"to","pointer":{"size":8,"heap":true,"fields":[{"name":"y","at":4,"i32":7}]}}]"#,
        stdout: "6 7",
        returns: Some(1),
        symbols: &["from.x", "to.y"],
    },
    Row {
        entry: "geometry::point::length",
        params: r#"[{"name":"this","pointer":{"size":8,"fields":[{"name":"x","at":0,"i32":3},{"name":"y","at":4,"i32":4}]}}]"#,
        stdout: "3 4",
        returns: Some(5),
        symbols: &["this.x", "this.y"],
    },
];

/// Whether this machine has what compiling the file needs.
fn can_compile(file: &str) -> bool {
    let needed: &[&str] = match file.rsplit_once('.') {
        Some((_, "rs")) => &["rustc", "wasm32-wasip1"],
        Some((_, "cpp")) => &["clang", "wasm-ld", "wasi-libc", "libc++"],
        _ => &["clang", "wasm-ld", "wasi-libc"],
    };
    let checks = coax_load::doctor(&Tools::default());
    let has = |name: &&str| checks.iter().any(|check| check.name == **name && check.found.is_some());
    let can = needed.iter().all(has);
    if !can {
        skipped::skip(&format!("this machine cannot compile {file}"));
    }
    can
}

fn load(file: &str, entry: Option<&str>) -> Option<Arc<Program>> {
    can_compile(file).then(|| {
        let inputs = vec![Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/entries")).join(file)];
        let request = Request { inputs, entry: entry.map(str::to_owned), ..Request::default() };
        let loaded =
            coax_load::load(&request).unwrap_or_else(|error| panic!("{error}\n{}", error.messages()));
        Arc::new(Program::parse(loaded.wasm).expect("what compilers make is valid"))
    })
}

fn limits() -> Limits {
    Limits { fuel: STEPS, ..Limits::default() }
}

/// A program in all engines.
struct Judge<'p> {
    engines: Engines<'p>,
    plain: PlainModule<'p>,
    symbolic: SymbolicModule<'p>,
}

impl<'p> Judge<'p> {
    fn new(program: &'p Arc<Program>) -> Self {
        Judge {
            engines: Engines::new(program, STEPS).expect("the program is instrumented"),
            plain: PlainModule::new(program, &limits()).expect("the program is compiled"),
            symbolic: SymbolicModule::new(program, Variant::Light, &limits())
                .expect("the program is instrumented"),
        }
    }
}

/// Compares all engines on an input; what the plain module printed and how it ended. `symbols` must be in the path.
fn judge(judge: &Judge<'_>, input: &Input, symbols: &[&str]) -> (String, Outcome) {
    let Judge { engines, plain, symbolic: module, .. } = judge;
    let name = input.entry.clone().unwrap_or_default();
    coax_judge::on_large_stacks(|| engines.compare(input))
        .unwrap_or_else(|error| panic!("{name}: {error:#}"));
    let run = plain.run(input, &limits()).unwrap_or_else(|error| panic!("{name}: {error}"));
    // Stored and read again, it is the same test, and the plain module does the same.
    let test = Test::new(input.clone(), Some(run.outcome.verdict()));
    let again = Test::from_json("again", &test.to_json()).expect("what was written is read");
    assert_eq!(again, test, "{name}");
    let second = plain.run_with_coverage(&again.input, &limits()).expect("it ran before");
    assert_eq!(Some(second.outcome.verdict()), again.expect, "{name}");
    let symbolic =
        coax_judge::on_large_stacks(|| module.run(input, Symbols::default(), &limits())).expect("it ran");
    let conditions = symbolic.path().events.iter().map(|event| event.condition);
    let mut used: Vec<&str> = conditions
        .flat_map(|condition| symbolic.terms().symbols_of(condition))
        .map(|symbol| symbolic.terms().symbol_name(symbol))
        .collect();
    used.sort_unstable();
    used.dedup();
    for symbol in symbols {
        assert!(used.contains(symbol), "{name}: the path depends on {used:?}, not on {symbol}");
    }
    // Every symbol has the value that the input gives it: then the path's own conditions hold.
    let model = symbolic.model(input);
    for event in &symbolic.path().events {
        let value = coax_term::Evaluator::default().eval(symbolic.terms(), &model, event.condition);
        assert_eq!(value, 1, "{name}: {}", symbolic.terms().display(event.condition));
    }
    assert_eq!(symbolic.stdout, run.stdout, "{name}");
    (String::from_utf8_lossy(&run.stdout).into_owned(), run.outcome)
}

fn returned(outcome: &Outcome) -> Option<Vec<Value>> {
    match outcome {
        Outcome::Returned(values) => Some(values.clone()),
        _ => None,
    }
}

fn defaults(program: &Program, entry: &str) -> Input {
    let found = Entry::find(program, Some(entry)).unwrap_or_else(|error| panic!("{error}"));
    let params = Shapes::of(program, &found, Shapes::DEPTH).defaults(u64::MAX);
    Input { entry: Some(entry.into()), params, ..Input::default() }
}

fn judge_rows(file: &str, rows: &[Row]) {
    let Some(program) = load(file, None) else { return };
    let all = Judge::new(&program);
    for row in rows {
        let params: Vec<Argument> = serde_json::from_str(row.params).expect(row.entry);
        let input = Input { entry: Some(row.entry.into()), params, ..Input::default() };
        let (stdout, outcome) = judge(&all, &input, row.symbols);
        assert_eq!(stdout, row.stdout, "{}", row.entry);
        let expected = row.returns.map(|value| vec![Value::I32(value)]);
        assert_eq!(returned(&outcome), expected, "{}: {outcome:?}", row.entry);
        // And what coax makes by itself.
        judge(&all, &defaults(&program, row.entry), &[]);
    }
}

#[test]
fn structures_of_c() {
    judge_rows("structures.c", STRUCTURES);
}

#[test]
fn references_of_cpp() {
    judge_rows("references.cpp", REFERENCES);
}

/// What coax makes by itself is what a person would have written: the same names at the same places.
#[test]
fn what_is_made_is_called_as_in_the_source() {
    let Some(program) = load("structures.c", None) else { return };
    for row in STRUCTURES {
        let written: Vec<Argument> = serde_json::from_str(row.params).expect(row.entry);
        let made = serde_json::to_string(&defaults(&program, row.entry).params).expect("JSON");
        let written = serde_json::to_value(&written).expect("JSON");
        names(&written, &mut |name, at| {
            let pattern = match at {
                Some(at) => format!(r#""name":"{name}","at":{at},"#),
                None => format!(r#""name":"{name}","#),
            };
            assert!(made.contains(&pattern), "{}: {pattern} is not in {made}", row.entry);
        });
    }
}

/// All names in a JSON document, with the places beside them.
fn names(json: &serde_json::Value, each: &mut impl FnMut(&str, Option<u64>)) {
    match json {
        serde_json::Value::Array(items) => items.iter().for_each(|item| names(item, each)),
        serde_json::Value::Object(entries) => {
            if let Some(name) = entries.get("name").and_then(serde_json::Value::as_str) {
                each(name, entries.get("at").and_then(serde_json::Value::as_u64));
            }
            entries.values().for_each(|entry| names(entry, each));
        }
        _ => {}
    }
}

#[test]
fn what_is_given_away_can_be_freed() {
    let Some(program) = load("structures.c", None) else { return };
    for (text, expected) in [("free me", "freed"), ("keep me", "xeep me")] {
        let params = format!(r#"[{{"name":"string","string":"{text}","heap":true}}]"#);
        let params = serde_json::from_str(&params).expect("an argument");
        let input = Input { entry: Some("consume".into()), params, ..Input::default() };
        let (stdout, outcome) = judge(&Judge::new(&program), &input, &["string[0]"]);
        assert_eq!((stdout.as_str(), returned(&outcome)), (expected, Some(vec![])));
    }
}

#[test]
fn results_that_are_structures_have_a_place() {
    let Some(program) = load("structures.c", None) else { return };
    let mut input = defaults(&program, "make");
    assert_eq!(input.params.len(), 2);
    input.params[1] = Argument::from(Value::I32(2)).named("x");
    let (_, outcome) = judge(&Judge::new(&program), &input, &["x"]);
    assert_eq!(returned(&outcome), Some(vec![]));
}

#[test]
fn callbacks_are_null_where_no_function_was_added() {
    let Some(program) = load("structures.c", None) else { return };
    let entry = Entry::find(&program, Some("call_open")).expect("there is one");
    let notes = Shapes::of(&program, &entry, Shapes::DEPTH).notes;
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("`table.open` is a pointer to a function")), "{notes:?}");
}

/// The program with the functions that this entry wants in its table.
fn with_callbacks(program: &Program, entry: &str) -> Arc<Program> {
    let found = Entry::find(program, Some(entry)).unwrap_or_else(|error| panic!("{error}"));
    let functions = Shapes::of(program, &found, Shapes::DEPTH).callbacks;
    let function = |callback: &Callback| {
        let ((module, name), signature) = (callback.import(), callback.signature());
        HostFunction { module, name, params: signature.params, results: signature.results }
    };
    let functions: Vec<HostFunction> = functions.iter().map(function).collect();
    let more = coax_load::add_to_table(&program.wasm, &functions).expect("there is room");
    Arc::new(Program::parse(more.expect("it has a table")).expect("it is still valid"))
}

#[test]
fn callbacks_return_what_the_input_says() {
    let Some(program) = load("structures.c", None) else { return };
    let program = with_callbacks(&program, "call_open");
    let judge_it = Judge::new(&program);
    let mut input = defaults(&program, "call_open");
    let (stdout, outcome) = judge(&judge_it, &input, &["table.flags"]);
    assert_eq!((stdout.as_str(), returned(&outcome)), ("1 0", Some(vec![Value::I32(0)])));
    input.values =
        vec![Asked { name: "table.open()#1".into(), value: Answer::Number(Number::Value(Value::I32(-7))) }];
    let (_, outcome) = judge(&judge_it, &input, &[]);
    assert_eq!(returned(&outcome), Some(vec![Value::I32(-7)]));
}

#[test]
fn callbacks_of_every_kind_are_the_same_in_all_engines() {
    let Some(program) = load("callbacks.c", None) else { return };
    let rows: [(&str, &[Number], i32, &[&str]); 4] = [
        (
            "least",
            &[Number::Value(Value::I32(0)), Number::Value(Value::I32(-1)), Number::Value(Value::I32(3))],
            2,
            &["cmp()#1", "cmp()#2"],
        ),
        (
            "kinds",
            &[
                Number::I8(-3),
                Number::U16(65000),
                Number::Bool(true),
                Number::Value(Value::I64(-5)),
                Number::Value(Value::F64(1.5_f64.to_bits())),
                Number::Value(Value::F32(2.5_f32.to_bits())),
            ],
            63,
            &["k.a()#1", "k.b()#1", "k.c()#1", "k.d()#1"],
        ),
        ("twice", &[Number::Value(Value::I32(4)), Number::Value(Value::I32(4))], 1, &["f()#1", "f()#2"]),
        ("same", &[Number::Value(Value::I32(1)), Number::Value(Value::I32(2))], 12, &[]),
    ];
    for (entry, values, expected, symbols) in rows {
        let program = with_callbacks(&program, entry);
        let judge_it = Judge::new(&program);
        let mut input = defaults(&program, entry);
        judge(&judge_it, &input, &[]);
        let request = |&number: &Number| Asked { name: String::new(), value: Answer::Number(number) };
        input.values = values.iter().map(request).collect();
        let (_, outcome) = judge(&judge_it, &input, symbols);
        assert_eq!(returned(&outcome), Some(vec![Value::I32(expected)]), "{entry}: {outcome:?}");
    }
}

#[test]
fn functions_that_nobody_calls_are_kept() {
    for (file, entry, expected) in [
        ("structures.c", "only_static", 3),
        ("structures.c", "structures.c:only_static", 3),
        ("references.cpp", "in_nobodys_namespace", 9),
        ("values.rs", "private", 200),
        ("values.rs", "inner::private", 200),
    ] {
        let Some(program) = load(file, Some(entry)) else { continue };
        let input = defaults(&program, entry);
        let (_, outcome) = judge(&Judge::new(&program), &input, &[]);
        assert_eq!(returned(&outcome), Some(vec![Value::I32(0)]), "{entry}");
        let params = vec![Argument::from(Value::I32(expected)).named("x")];
        let (_, outcome) = judge(&Judge::new(&program), &Input { params, ..input }, &[]);
        assert_eq!(returned(&outcome), Some(vec![Value::I32(1)]), "{entry}");
    }
}

/// A Rust function, what is changed in what coax makes by itself, what it then prints and returns, and what its path depends on.
type RustRow =
    (&'static str, &'static [(&'static str, &'static str)], &'static str, i32, &'static [&'static str]);

#[test]
fn slices_strings_and_vectors_of_rust() {
    const ZEROS: &str = r#""\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000""#;
    let rows: &[RustRow] = &[
        ("slice", &[(ZEROS, r#""abc!""#)], "4", 1, &["bytes.length", "bytes[3]"]),
        ("text", &[(ZEROS, r#""hi you""#)], "hi you", 1, &["text[0]", "text[1]"]),
        ("string", &[(ZEROS, r#""Rust""#)], "Rust+", 1, &["text.length", "text[0]"]),
        ("vector", &[(ZEROS, r#"{"hex":"010207"}"#)], "[1, 2, 7]", 1, &["bytes.length", "bytes[2]"]),
        (
            "numbers",
            &[(r#""name":"[0]","at":0,"u32":0"#, r#""name":"[0]","at":0,"u32":70000"#)],
            "[70000, 0, 0, 0] [1, 0, 0, 0]",
            1,
            &["numbers[0]", "more[0]"],
        ),
        (
            "structure",
            &[(r#""u32":0"#, r#""u32":5"#), (r#""i64":0"#, r#""i64":-6"#)],
            "0 5 -6",
            1,
            &["point.x", "point.y"],
        ),
        ("pair", &[(r#""u32":0"#, r#""u32":9"#), ("false", "true")], "0 9 true", 1, &["flag"]),
        (
            "c_slice",
            &[(ZEROS, r#"{"hex":"0405"}"#), (r#""i16":0"#, r#""i16":-3"#)],
            "[4, 5] -3",
            1,
            &["bytes.length", "bytes[1]", "n"],
        ),
    ];
    let Some(program) = load("values.rs", None) else { return };
    let all = Judge::new(&program);
    for (entry, changes, stdout, returns, symbols) in rows {
        let input = defaults(&program, entry);
        let mut json = serde_json::to_string(&input.params).expect("JSON");
        judge(&all, &input, &[]);
        for (from, to) in *changes {
            assert!(json.contains(from), "{entry}: {json}");
            json = json.replacen(from, to, 1);
        }
        let params = serde_json::from_str(&json).expect(entry);
        let (printed, outcome) = judge(&all, &Input { params, ..input }, symbols);
        assert_eq!(
            (printed.trim_end(), returned(&outcome)),
            (*stdout, Some(vec![Value::I32(*returns)])),
            "{entry}: {outcome:?}"
        );
    }
    // What no caller can make does not count, whoever runs it.
    let input = defaults(&program, "text");
    let json = serde_json::to_string(&input.params).expect("JSON").replacen(ZEROS, r#"{"hex":"41c3"}"#, 1);
    let params = serde_json::from_str(&json).expect("parameters");
    let (_, outcome) = judge(&all, &Input { params, ..input }, &["text[0]", "text[1]", "text.length"]);
    assert!(matches!(outcome, Outcome::Discarded { .. }), "{outcome:?}");
}

#[test]
fn fuzz_targets_are_entries() {
    let Some(program) = load("fuzz.c", None) else { return };
    let entry = Entry::find(&program, None).expect("the fuzz target");
    assert_eq!(entry.export, "LLVMFuzzerTestOneInput");
    let params = r#"[{"name":"data","bytes":"FUZZ?"},{"length_of":"data"}]"#;
    let input = Input { params: serde_json::from_str(params).expect("JSON"), ..Input::default() };
    let (stdout, outcome) =
        judge(&Judge::new(&program), &input, &["data.length", "data[0]", "data[3]", "data[4]"]);
    assert_eq!((stdout.as_str(), returned(&outcome)), ("1 5", Some(vec![Value::I32(0)])));
    let params = params.replace('?', "!");
    let input = Input { params: serde_json::from_str(&params).expect("JSON"), ..Input::default() };
    let (_, outcome) = judge(&Judge::new(&program), &input, &["data[4]"]);
    assert!(matches!(outcome, Outcome::Trapped(_)), "{outcome:?}");
}

/// Debug information can be anything: what is made of it is bounded, and nothing panics.
#[test]
fn damaged_debug_information_makes_no_harmful_input() {
    let Some(program) = load("structures.c", None) else { return };
    let mut state = 1_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let sections: Vec<std::ops::Range<usize>> = wasmparser::Parser::new(0)
        .parse_all(&program.wasm)
        .filter_map(|payload| match payload {
            Ok(wasmparser::Payload::CustomSection(section)) if section.name().starts_with(".debug_") => {
                Some(section.data_offset()..section.range().end)
            }
            _ => None,
        })
        .collect();
    // The user's own unit comes first.
    let places: Vec<usize> = sections.into_iter().flat_map(|range| range.take(4000)).collect();
    let names = STRUCTURES.iter().map(|row| row.entry).filter(|name| !name.contains("static"));
    let names: Vec<&str> = names.collect();
    for _ in 0..150 {
        let mut wasm = program.wasm.clone();
        for _ in 0..8 {
            wasm[places[below(places.len())]] = below(256) as u8;
        }
        let Ok(damaged) = Program::parse(wasm) else { continue };
        for name in &names {
            let Ok(entry) = Entry::find(&damaged, Some(name)) else { continue };
            let made = Shapes::of(&damaged, &entry, Shapes::DEPTH).defaults(u64::MAX);
            assert_eq!(made.len(), damaged.signature(entry.func).params.len(), "{name}");
        }
    }
}
