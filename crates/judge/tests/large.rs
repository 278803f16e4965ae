//! Modules that are large in one way: what is done with them grows as they do, and they run as small ones do.

use coax_execute::{
    Input, Limits, MemoryChecks, Outcome, PlainModule, SymbolicModule, Symbols, Value, Variant, instrument,
};
use coax_judge::large::{ENTRY, LARGE, Large, Source};
use coax_program::Program;

fn program(large: &Large, number: u32) -> Option<Program> {
    let Source::Wat(text) = large.source(number) else { return None };
    let wasm = wat::parse_str(text).unwrap_or_else(|error| panic!("{}: {error}", large.name));
    Some(Program::parse(wasm).unwrap_or_else(|error| panic!("{}: {error}", large.name)))
}

fn input(param: i32) -> Input {
    Input { entry: Some(ENTRY.into()), params: vec![Value::I32(param).into()], ..Input::default() }
}

/// What counts the work on a module: its bytes, values, blocks, the bytes of the instrumented one, terms and decisions of a run.
fn work(large: &Large, number: u32) -> Option<[(&'static str, usize); 6]> {
    let program = program(large, number)?;
    let bodies = || program.functions.values().filter_map(|it| it.defined()).map(|it| &it.body);
    let instrumented =
        instrument(&program, Variant::Light).unwrap_or_else(|error| panic!("{}: {error}", large.name));
    let limits = Limits::default();
    let module = SymbolicModule::new(&program, Variant::Light, &limits).expect("it can be compiled");
    let run = module.run(&input(77), Symbols::default(), &limits).expect("it can be run");
    Some([
        ("bytes", program.wasm.len()),
        ("values", bodies().map(|body| body.values.len()).sum()),
        ("blocks", bodies().map(|body| body.blocks.len()).sum()),
        ("bytes of the instrumented module", instrumented.len()),
        ("terms", run.terms().len()),
        ("decisions", run.path().events.len()),
    ])
}

#[test]
fn work_grows_as_modules_do() {
    for large in LARGE.iter().filter(|large| !["memory", "table", "data"].contains(&large.name)) {
        let (Some(some), Some(twice)) = (work(large, 400), work(large, 800)) else { continue };
        for ((what, some), (_, twice)) in some.into_iter().zip(twice) {
            let most = 2 * some + some / 4 + 500;
            assert!(twice <= most, "{}: {some} {what} at 400, {twice} at 800", large.name);
        }
    }
}

/// Sizes at which modules are not compiled as others are, or cannot be in places of a pool.
const SIZES: [(&str, u32); 9] = [
    ("operators", 1_000),
    ("expression", 500),
    ("locals", 2_500),
    ("memory-operators", 1_000),
    ("loops", 600),
    ("busy-loops", 300),
    ("blocks", 600),
    ("memory", 16_384),
    ("table", 10_000_000),
];

#[test]
fn large_modules_run_as_small_ones_do() {
    let limits = Limits { is_tight: false, ..Limits::default() };
    for (name, number) in SIZES {
        let large = Large::named(name).expect("it is a kind");
        let program = program(&large, number).expect("it is text");
        let plain = PlainModule::new(&program, &limits).expect("it can be compiled");
        let plain = plain.with_checks(MemoryChecks::default());
        let module = SymbolicModule::new(&program, Variant::Light, &limits).expect("it can be instrumented");
        for param in [0, 5, 77] {
            let run = plain.run_with_coverage(&input(param), &limits);
            let run = run.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(matches!(run.outcome, Outcome::Returned(_)), "{name}: {:?}", run.outcome);
            assert!(run.coverage.is_some(), "{name} has no coverage");
            let symbolic = module.run(&input(param), Symbols::default(), &limits);
            let symbolic = symbolic.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(module.outcome(symbolic), run.outcome, "{name} of {param}");
        }
        let mut trials = plain.trials(&input(0)).unwrap_or_else(|error| panic!("{name}: {error}"));
        coax_judge::on_large_stacks(|| trials.run(&input(5), &limits).map(|_| ()))
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn what_begins_with_more_than_the_limit_is_refused_in_a_sentence() {
    for (name, number, said) in [
        ("memory", 16_385, "the program starts with 1073807360 bytes of memory, the limit is 1073741824"),
        ("table", 10_000_001, "the program starts with 10000001 table elements, the limit is 10000000"),
    ] {
        let program = program(&Large::named(name).expect("it is a kind"), number).expect("it is text");
        let limits = Limits::default();
        let plain = PlainModule::new(&program, &limits).expect("it can be compiled");
        let error = plain.run(&input(0), &limits).expect_err("it has no room").to_string();
        assert!(error.contains(said), "{name}: {error}");
        let module = SymbolicModule::new(&program, Variant::Light, &limits).expect("it can be instrumented");
        let error = module.run(&input(0), Symbols::default(), &limits).err().expect("it has no room");
        assert!(error.to_string().contains(said), "{name}: {error}");
    }
}
