//! What can be done to a module before it runs.

use crate::{lower, switches};
use coax_program::{Program, verify};

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
