//! `bench load`: how quickly coax understands a module.

use super::clock::fastest;
use super::geomean;
use anyhow::{Result, anyhow};
use coax_judge::thirdparty::Table;
use coax_program::Program;
use serde_json::json;

/// What coax needs to understand a module (parse, validate, lift, number sites) against what wasmtime
/// needs to compile it.
pub fn run(table: &Table) -> Result<()> {
    println!(
        "| program | module, kB | coax load + lift, ms | wasmtime compile, ms | ratio |\n|-|-:|-:|-:|-:|"
    );
    let engine = compiler()?;
    let mut ratios = Vec::new();
    let mut rows = serde_json::Map::new();
    for name in table.entries.keys().filter(|name| table.is_there(name)) {
        let wasm = table.load(name, None)?.wasm;
        let ours = fastest(|| drop(Program::parse(wasm.clone())));
        let theirs = fastest(|| drop(wasmtime::Module::new(&engine, &wasm)));
        let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
        let [ours, theirs] = [ours, theirs].map(|time| time.as_secs_f64() * 1e3);
        println!("| {name} | {} | {ours:.1} | {theirs:.1} | {ratio:.2} |", wasm.len() / 1000);
        rows.insert(name.clone(), json!({ "ours_ms": ours, "wasmtime_ms": theirs, "ratio": ratio }));
        ratios.push(ratio);
    }
    let worst = ratios.iter().copied().fold(0.0, f64::max);
    println!("{}", json!({ "bench": "load", "geomean": geomean(&ratios), "worst": worst, "programs": rows }));
    Ok(())
}

/// wasmtime as its users have it: Cranelift, optimising, on all cores.
fn compiler() -> Result<wasmtime::Engine> {
    let mut config = wasmtime::Config::new();
    config.wasm_exceptions(true);
    wasmtime::Engine::new(&config).map_err(|error| anyhow!("{error:#}"))
}
