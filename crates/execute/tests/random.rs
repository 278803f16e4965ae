//! The counting module does what the plain module does: random modules, every exported function.

use arbitrary::Unstructured;
use coax_execute::{Entry, Error, Input, Limits, PlainModule, Reference, Value};
use coax_program::ir::ValType;
use coax_program::{Extern, Program};
use wasm_smith::InstructionKind::{Control, NumericInt, Parametric, Variable};
use wasm_smith::{Config, InstructionKinds, Module};

const MODULES: u64 = 150;

/// A random module without imports.
fn module(seed: u64) -> Option<Vec<u8>> {
    let mut state = seed;
    let bytes: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    })
    .take(4096)
    .collect();
    // Dense control flow in two thirds of the modules, everything in the others.
    let kinds = match seed % 3 {
        0 => InstructionKinds::all(),
        _ => InstructionKinds::new(&[Control, Variable, Parametric, NumericInt]),
    };
    let config = Config {
        allowed_instructions: kinds,
        disallow_traps: seed.is_multiple_of(2),
        export_everything: true,
        min_funcs: 2,
        max_imports: 0,
        max_instructions: 400,
        max_memories: 2,
        max_memory32_bytes: 2 << 16,
        max_memory64_bytes: 2 << 16,
        max_table_elements: 100,
        custom_page_sizes_enabled: false,
        gc_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    };
    Some(Module::new(config, &mut Unstructured::new(&bytes)).ok()?.to_bytes())
}

/// A value of this type: small, so that conditions and indices go different ways.
fn value(ty: ValType, seed: u64) -> Option<Value> {
    Some(match ty {
        ValType::I32 => Value::I32((seed % 5) as i32 - 1),
        ValType::I64 => Value::I64((seed % 7) as i64 - 1),
        ValType::F32 => Value::F32((seed as f32).to_bits()),
        ValType::F64 => Value::F64((seed as f64).to_bits()),
        ValType::V128 => Value::V128(seed.into()),
        ValType::Ref(ty) => ty.is_nullable().then_some(Value::Ref(Reference::Null))?,
    })
}

/// Runs every exported function; returns how many runs agreed, and how many directions they took.
fn runs_that_agree(program: &Program, seed: u64) -> (u64, u64) {
    let limits = Limits { fuel: 100_000, stack_bytes: 256 << 10, ..Limits::default() };
    let module = PlainModule::new(program, &limits).expect("what validates is compiled");
    let (mut runs, mut branches) = (0, 0);
    for export in program.exports.iter().filter(|export| matches!(export.kind, Extern::Func(_))) {
        let entry = Entry::find(program, Some(&export.name)).expect("it is exported");
        let types = &program.signature(entry.func).params;
        let Some(params) = types.iter().map(|&ty| value(ty, seed).map(Into::into)).collect() else {
            continue;
        };
        let input = Input { entry: Some(export.name.clone()), params, ..Input::default() };
        match module.run_with_coverage(&input, &limits) {
            Ok(run) => {
                runs += 1;
                branches +=
                    run.coverage.map_or(0, |coverage| coverage.counts(program, |_| true).branches.covered);
            }
            // The program starts with more memory or elements than the machine gives it.
            Err(Error::TooSmall { .. } | Error::Host(_)) => {}
            Err(error) => panic!("seed {seed}, function {}: {error}", export.name),
        }
    }
    (runs, branches)
}

#[test]
fn counting_changes_nothing() {
    let (mut runs, mut branches) = (0, 0);
    for seed in 0..MODULES {
        let Some(program) = module(seed).and_then(|wasm| Program::parse(wasm).ok()) else { continue };
        let (more_runs, more_branches) = runs_that_agree(&program, seed);
        runs += more_runs;
        branches += more_branches;
    }
    eprintln!("{runs} runs agreed, {branches} directions taken");
    assert!(runs > MODULES && branches > MODULES / 2, "too little happened to judge by");
}
