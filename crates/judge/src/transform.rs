//! What can be done to a module before it runs.

use crate::{lower, switches};
use coax_program::{Program, verify};
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{ExportKind, ExportSection, Module, RawSection};
use wasmparser::{Parser, Payload};

/// A transformation that must not change what a module does.
pub type Transform = fn(&[u8]) -> anyhow::Result<Vec<u8>>;

/// The module itself.
pub fn plain(wasm: &[u8]) -> anyhow::Result<Vec<u8>> {
    Ok(wasm.to_vec())
}

/// Through SSA and back.
pub fn lowered(wasm: &[u8]) -> anyhow::Result<Vec<u8>> {
    Ok(lower::lower(&accept(wasm)?)?)
}

/// Instrumented, to be run on concrete values.
pub fn instrumented(wasm: &[u8]) -> anyhow::Result<Vec<u8>> {
    Ok(coax_execute::instrument(&Program::parse(wasm.to_vec())?, coax_execute::Variant::Light)?)
}

/// The program, if coax accepts the module, and its own verifier and the judge of switches the result.
pub fn accept(wasm: &[u8]) -> anyhow::Result<Program> {
    let program = Program::parse(wasm.to_vec())?;
    verify::verify(&program)?;
    switches::check(&program)?;
    Ok(program)
}

/// The module, which exports something, with functions exported by these names, too.
pub fn with_exports(wasm: &[u8], functions: &[(String, u32)]) -> anyhow::Result<Vec<u8>> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(wasm) {
        let payload = payload?;
        if let Payload::ExportSection(section) = payload {
            let mut exports = ExportSection::new();
            RoundtripReencoder.parse_export_section(&mut exports, section)?;
            for (name, function) in functions {
                exports.export(name, ExportKind::Func, *function);
            }
            module.section(&exports);
        } else if let Some((id, range)) = payload.as_section() {
            module.section(&RawSection { id, data: &wasm[range] });
        }
    }
    Ok(module.finish())
}
