//! The kernels of the benchmarks do, as wasm, what native builds of them did; and all of them are in the table.

#[path = "../../../tests/skipped.rs"]
mod skipped;

use coax_execute::{Limits, Outcome, PlainModule, Value};
use coax_judge::kernels::{KERNELS, Kernel, OTHERS};
use coax_load::Tools;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use std::path::Path;

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[test]
fn kernels_return_what_native_builds_return() {
    let checks = coax_load::doctor(&Tools::default());
    for name in ["clang", "wasm-ld", "wasi-libc"] {
        if !checks.iter().any(|check| check.name == name && check.found.is_some()) {
            skipped::skip(&format!("{name} is not on this machine"));
            return;
        }
    }
    KERNELS.into_par_iter().for_each(|kernel| {
        let program = kernel.load(repository(), None).expect(kernel.name);
        let limits = Limits::default();
        let module = PlainModule::new(&program, &limits).expect(kernel.name);
        let run = module.run(&Kernel::input(kernel.rounds), &limits).expect(kernel.name);
        assert_eq!(run.outcome, Outcome::Returned(vec![Value::I32(kernel.result)]), "{}", kernel.name);
    });
}

#[test]
fn every_file_is_in_the_table() {
    let mut known: Vec<&str> = KERNELS.iter().chain(&OTHERS).map(|kernel| kernel.name).collect();
    known.sort_unstable();
    let directory = repository().join("bench/kernels");
    let mut files: Vec<String> = std::fs::read_dir(&directory)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".c")?.to_owned()))
        .collect();
    files.sort_unstable();
    assert_eq!(files, known);
}
