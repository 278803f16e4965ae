//! Why a module was refused.

/// Why a module was refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Error {
    /// The magic number is missing.
    #[error(
        "this is not a WebAssembly module: it does not begin with the bytes `\\0asm`; check that it is the right file"
    )]
    NotWasm,
    /// A component instead of a core module.
    #[error(
        "this is a WebAssembly component, coax works on core modules; unbundle it first (`wasm-tools component unbundle`)"
    )]
    Component,
    /// The bytes end too soon.
    #[error("the WebAssembly module is truncated at byte {offset} ({reason}); get or build the file again")]
    Truncated {
        /// What the parser said.
        reason: String,
        /// Where.
        offset: usize,
    },
    /// It breaks the rules of WebAssembly.
    #[error("the WebAssembly module is invalid at byte {offset}: {reason}; check how it was made")]
    Invalid {
        /// What the validator said.
        reason: String,
        /// Where.
        offset: usize,
    },
    /// It is valid, but uses a proposal that coax does not know.
    #[error(
        "the WebAssembly module uses a feature that coax does not support, at byte {offset}: {reason}; \
         build it without that feature"
    )]
    Unsupported {
        /// What the validator said.
        reason: String,
        /// Where.
        offset: usize,
    },
}
