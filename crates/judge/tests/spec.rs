//! The spec testsuite, on the plain modules, instrumented, through SSA and back, and on a machine of another kind.

use coax_judge::machine::{self, Failure, Instance, Machine, ReferenceMachine, Value, WasmtimeMachine};
use coax_judge::spec::{self, File, Kind, Totals};
use coax_judge::transform::{self, Transform};

fn totals(transform: Transform) -> Totals {
    totals_of(&spec::files(), transform)
}

fn totals_of(files: &[File], transform: Transform) -> Totals {
    let reports = spec::run_on_wasmtime(files, transform).expect("wasmtime works here");
    let failures: Vec<&String> = reports.iter().flat_map(|report| &report.failures).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let mut totals = Totals::default();
    reports.iter().for_each(|report| totals.add(&report.totals));
    totals
}

#[test]
fn plain_modules_do_as_the_testsuite_says() {
    let totals = totals(transform::plain);
    // A runner that skips by mistake would pass as well.
    assert!(totals.of(Kind::Module).passed > 3_500, "{totals:?}");
    assert!(totals.of(Kind::Return).passed > 65_000, "{totals:?}");
    assert!(totals.sum().skipped < 1_000, "{totals:?}");
}

#[test]
fn instrumented_modules_do_as_the_testsuite_says() {
    let totals = totals_of(&spec::linkable_files(), transform::instrumented);
    assert!(totals.of(Kind::Return).passed > 65_000, "{totals:?}");
}

#[test]
fn ssa_does_as_the_testsuite_says() {
    let totals = totals(transform::lowered);
    assert!(totals.of(Kind::Return).passed > 65_000, "{totals:?}");
}

#[test]
fn the_reference_interpreter_does_as_the_testsuite_says() {
    let files = spec::files();
    let Ok(reports) = spec::run(&files, || Ok::<_, std::convert::Infallible>(ReferenceMachine::new()));
    let failures: Vec<&String> = reports.iter().flat_map(|report| &report.failures).collect();
    assert!(failures.is_empty(), "{} {failures:#?}", failures.len());
    let mut totals = Totals::default();
    reports.iter().for_each(|report| totals.add(&report.totals));
    assert!(totals.of(Kind::Return).passed > 65_000, "{totals:?}");
}

/// A machine that is right but for the sign of what it returns.
struct Negating(WasmtimeMachine);

impl Machine for Negating {
    fn instantiate(&mut self, wasm: &[u8]) -> Result<Instance, Failure> {
        self.0.instantiate(wasm)
    }

    fn register(&mut self, name: &str, instance: Instance) -> Result<(), Failure> {
        self.0.register(name, instance)
    }

    fn invoke(&mut self, instance: Instance, name: &str, args: &[Value]) -> Result<Vec<Value>, Failure> {
        let negate = |value| match value {
            Value::I32(value) => Value::I32(value.wrapping_neg()),
            other => other,
        };
        Ok(self.0.invoke(instance, name, args)?.into_iter().map(negate).collect())
    }

    fn global(&mut self, instance: Instance, name: &str) -> Result<Value, Failure> {
        self.0.global(instance, name)
    }
}

#[test]
fn a_machine_that_computes_wrongly_is_noticed() {
    let engine = machine::engine().expect("wasmtime works here");
    let mut machine = Negating(WasmtimeMachine::new(&engine, transform::plain).expect("wasmtime works here"));
    let files = spec::files();
    let file = files.iter().find(|file| file.name.ends_with("/i32.wast")).expect("the testsuite has it");
    let totals = spec::run_file(file, &mut machine).totals;
    assert!(totals.of(Kind::Return).failed > 100, "{totals:?}");
    assert!(totals.of(Kind::Trap).passed > 0 && totals.of(Kind::Trap).failed == 0, "{totals:?}");
}
