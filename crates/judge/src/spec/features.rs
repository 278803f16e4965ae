//! Which wasm feature makes a module valid: the reason for what is skipped.

use wasmparser::{Validator, WasmFeatures};

/// The feature outside coax's that makes a module valid; `None` if it is valid without, or never.
pub(super) fn missing(wasm: &[u8]) -> Option<&'static str> {
    let references = WasmFeatures::FUNCTION_REFERENCES;
    let candidates = [
        (references, "function references"),
        (references | WasmFeatures::GC, "garbage collection"),
        (WasmFeatures::THREADS, "threads"),
    ];
    if is_valid(wasm, coax_program::FEATURES) {
        return None;
    }
    let makes_valid = |features| is_valid(wasm, coax_program::FEATURES | features);
    candidates.into_iter().find(|(features, _)| makes_valid(*features)).map(|(_, name)| name)
}

/// The feature of coax's without which a module would be invalid; `None` if every version accepts it.
pub(super) fn needed(wasm: &[u8]) -> Option<&'static str> {
    let candidates = [
        (WasmFeatures::MULTI_MEMORY, "multiple memories"),
        (WasmFeatures::MEMORY64, "64-bit memories"),
        (WasmFeatures::CALL_INDIRECT_OVERLONG | WasmFeatures::REFERENCE_TYPES, "reference types"),
    ];
    let makes_valid = |features| !is_valid(wasm, coax_program::FEATURES - features);
    candidates.into_iter().find(|(features, _)| makes_valid(*features)).map(|(_, name)| name)
}

fn is_valid(wasm: &[u8], features: WasmFeatures) -> bool {
    Validator::new_with_features(features).validate_all(wasm).is_ok()
}
