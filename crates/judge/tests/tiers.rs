//! Quick code and optimised code of the same modules: every run must end in the same way in the same calls, say the same and record
//! the same path, term by term.

use coax_execute::{
    Error, Input, Limits, Outcome, Reference, SymbolicEngine, SymbolicModule, Symbols, Tier, Value, Variant,
    Verdict,
};
use coax_judge::kernels::{KERNELS, Kernel};
use coax_judge::random::{Source, compare_events};
use coax_load::Tools;
use coax_program::ir::ValType;
use coax_program::{Extern, Func, Program};
use std::path::Path;

/// How many random modules of each source are compared.
const MODULES: u64 = 60;

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    modules: u64,
    runs: u64,
    traps: u64,
    events: u64,
}

/// The two engines.
struct Engines {
    quick: SymbolicEngine,
    optimised: SymbolicEngine,
}

fn limits() -> Limits {
    Limits { fuel: 10_000, memory_bytes: 1 << 20, stack_bytes: 1 << 20, ..Limits::default() }
}

impl Engines {
    fn new(limits: &Limits) -> Engines {
        let only = |tier| SymbolicEngine::new(limits).expect("an engine").only(tier);
        Engines { quick: only(Tier::Quick), optimised: only(Tier::Optimised) }
    }

    /// Runs every exported function on a few arguments.
    fn compare(&self, program: &Program, seed: u64, tally: &mut Tally) {
        // Every variant, for each has code of its own.
        let variant = [Variant::Light, Variant::Calls, Variant::Cells][(seed % 3) as usize];
        let quick = match self.quick.module(program, variant) {
            // What a module imports is for the campaigns on concrete values.
            Err(Error::UnknownImports(_)) => return,
            quick => quick.expect("instrumentable"),
        };
        let optimised = self.optimised.module(program, variant).expect("instrumentable");
        tally.modules += 1;
        let functions = program.exports.iter().filter_map(|export| match export.kind {
            Extern::Func(func) => Some((&export.name, func)),
            _ => None,
        });
        for (name, func) in functions {
            for vector in 0..3 {
                let types = &program.signature(func).params;
                let params = (1..).zip(types).map(|(place, &ty)| value(ty, seed + vector * 7 + place));
                let input = Input { entry: Some(name.clone()), params: params.collect(), ..Input::default() };
                if let Err(what) = compare_run(&quick, &optimised, &input, &limits(), tally) {
                    panic!("seed {seed}, `{name}` {:?}, {variant:?}: {what}", input.params);
                }
            }
        }
    }
}

/// Compares one run. One that meets a limit is not compared: where it ends, only optimised code decides.
fn compare_run(
    quick: &SymbolicModule<'_>,
    optimised: &SymbolicModule<'_>,
    input: &Input,
    limits: &Limits,
    tally: &mut Tally,
) -> Result<(), String> {
    let run = |module: &SymbolicModule<'_>| module.run(input, Symbols::default(), limits);
    let (left, right) = match (run(quick), run(optimised)) {
        (Ok(left), Ok(right)) => (left, right),
        (Err(left), Err(right)) if left.to_string() == right.to_string() => return Ok(()),
        (left, right) => return Err(format!("quick: {:?}, optimised: {:?}", left.err(), right.err())),
    };
    if !left.bounds.is_empty() || !right.bounds.is_empty() {
        return Ok(());
    }
    compare_events(&left.path().events, left.terms(), &right.path().events, right.terms())?;
    if left.calls() != right.calls() || left.stdout != right.stdout {
        return Err("other calls or output".into());
    }
    tally.runs += 1;
    tally.events += left.path().events.len() as u64;
    let (left, right) = (quick.outcome(left), optimised.outcome(right));
    tally.traps += u64::from(matches!(left, Outcome::Trapped(_)));
    match ending(&left) == ending(&right) {
        true => Ok(()),
        false => Err(format!("quick: {left:?}, optimised: {right:?}")),
    }
}

/// How a run ended, and in which calls. Not at which operator: optimised code, also of the plain module, was seen to place the trap of
/// a load at the next operator.
fn ending(outcome: &Outcome) -> (Verdict, Vec<Func>) {
    let frames = match outcome {
        Outcome::Trapped(trap) => &trap.backtrace[..],
        _ => &[],
    };
    (outcome.verdict(), frames.iter().map(|frame| frame.func).collect())
}

/// A value of this type: often a corner.
fn value(ty: ValType, seed: u64) -> Value {
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let corner = [0, 1, 7, u64::MAX, i64::MIN as u64, i32::MIN as u64, mixed][(mixed % 7) as usize];
    match ty {
        ValType::I32 => Value::I32(corner as i32),
        ValType::I64 => Value::I64(corner as i64),
        // NaNs with payloads and signs among them.
        ValType::F32 => {
            Value::F32([0xffc0_0001, 0x7f80_0001, 0x8000_0000, mixed as u32][(mixed % 4) as usize])
        }
        ValType::F64 => Value::F64([u64::MAX, 0x7ff0_0000_0000_0001, 1 << 63, mixed][(mixed % 4) as usize]),
        ValType::V128 => Value::V128(u128::from(mixed) << 64 | u128::from(corner)),
        ValType::Ref(_) => Value::Ref(Reference::Null),
    }
}

fn compare_random(source: Source, modules: u64) -> Tally {
    let engines = Engines::new(&limits());
    coax_judge::on_large_stacks(|| {
        let mut tally = Tally::default();
        for seed in 0..modules {
            let program = source.module(seed, source.size(seed)).map(|wasm| Program::parse(wasm));
            let Some(Ok(program)) = program else { continue };
            engines.compare(&program, seed, &mut tally);
        }
        tally
    })
}

#[test]
fn random_modules_do_the_same_on_both_tiers() {
    for source in [Source::Smith, Source::Control, Source::Data] {
        let tally = compare_random(source, MODULES);
        // Lest nothing was compared.
        assert!(tally.runs > MODULES && tally.events > MODULES / 10, "{source:?} {tally:?}");
    }
}

/// Kernels with floats, with bytes, with recursion.
const COMPARED: [&str; 4] = ["json", "mandelbrot", "quicksort", "sha256"];

#[test]
fn kernels_do_the_same_on_both_tiers() {
    let checks = coax_load::doctor(&Tools::default());
    for name in ["clang", "wasm-ld", "wasi-libc"] {
        if !checks.iter().any(|check| check.name == name && check.found.is_some()) {
            eprintln!("skipped: {name} is not on this machine");
            return;
        }
    }
    let repository = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let limits = Limits { stack_bytes: 1 << 20, ..Limits::default() };
    let engines = Engines::new(&limits);
    coax_judge::on_large_stacks(|| {
        for kernel in KERNELS.into_iter().filter(|kernel| COMPARED.contains(&kernel.name)) {
            let program = kernel.load(repository, None).expect(kernel.name);
            let quick = engines.quick.module(&program, Variant::Light).expect(kernel.name);
            assert_eq!(quick.starts_on(), Tier::Quick, "{}", kernel.name);
            let optimised = engines.optimised.module(&program, Variant::Light).expect(kernel.name);
            let mut tally = Tally::default();
            let compared = compare_run(&quick, &optimised, &Kernel::input(2), &limits, &mut tally);
            assert_eq!(compared, Ok(()), "{}", kernel.name);
            assert_eq!(tally.runs, 1, "{}", kernel.name);
        }
    });
}
