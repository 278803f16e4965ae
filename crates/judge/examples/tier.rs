use coax_execute::{Variant, instrument};
use coax_program::Program;
use rustix::time::{ClockId, clock_gettime};
use wasmtime::*;
fn cpu() -> f64 {
    let t = clock_gettime(ClockId::ProcessCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}
fn peak() -> u64 {
    let s = std::fs::read_to_string("/proc/self/status").unwrap();
    s.lines()
        .find_map(|l| l.strip_prefix("VmHWM:"))
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse::<u64>()
        .unwrap()
        / 1024
}
fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().unwrap();
    let which: Vec<String> = args.collect();
    let bytes = std::fs::read(&file).unwrap();
    let wasm = wat::parse_bytes(&bytes).unwrap().into_owned();
    let t = cpu();
    let program = Program::parse(wasm.clone()).unwrap();
    println!("parse {:.2} s, {} MB", cpu() - t, peak());
    let t = cpu();
    let inst =
        if which.iter().any(|w| w == "plain") { wasm } else { instrument(&program, Variant::Light).unwrap() };
    println!("instrument {:.2} s, {} bytes from {}, {} MB", cpu() - t, inst.len(), bytes.len(), peak());
    drop(program);
    for (name, opt, reg) in [
        ("single/none", OptLevel::None, RegallocAlgorithm::SinglePass),
        ("single/speed", OptLevel::Speed, RegallocAlgorithm::SinglePass),
        ("back/none", OptLevel::None, RegallocAlgorithm::Backtracking),
        ("back/speed", OptLevel::Speed, RegallocAlgorithm::Backtracking),
    ] {
        if !which.iter().any(|w| w == name) && which.iter().any(|w| w.contains('/')) {
            continue;
        }
        let mut c = Config::new();
        c.wasm_features(WasmFeatures::all().difference(coax_program::FEATURES), false)
            .wasm_features(coax_program::FEATURES, true)
            .cranelift_nan_canonicalization(true)
            .relaxed_simd_deterministic(true)
            .consume_fuel(true)
            .epoch_interruption(true)
            .wasm_branch_hinting(true)
            .cranelift_opt_level(opt)
            .cranelift_regalloc_algorithm(reg);
        let e = Engine::new(&c).unwrap();
        let t = cpu();
        std::fs::write("/proc/self/clear_refs", "5").ok();
        let m = Module::new(&e, &inst);
        println!(
            "{name}: {:.2} s, {} MB, {:?} bytes",
            cpu() - t,
            peak(),
            m.and_then(|m| m.serialize()).map(|b| b.len())
        );
    }
}
