//! Running generated tests natively, before they are written: only what was seen to hold is asserted.
//!
//! Compilers are started elsewhere; a format only says what is to be run.

/// Who compiles and runs generated tests.
pub trait Native {
    /// Compiles a C file, as if it stood in the current directory, together with these sources, and runs it. The error is one sentence.
    fn run_c(&self, text: &str, sources: &[String]) -> Result<NativeRun, String>;
    /// Compiles a Rust file as a test and runs it. The error is one sentence.
    fn run_rust(&self, text: &str) -> Result<NativeRun, String>;
}

/// What a native run of all tests printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NativeRun {
    /// Standard output.
    pub stdout: String,
    /// Whether it says that all is well.
    pub success: bool,
}
