//! What symbols are called.

/// The name of a parameter of the entry function.
pub(crate) fn param_name(index: usize) -> String {
    format!("param{index}")
}

/// The name of a byte of a source.
pub(crate) fn byte_name(source: &str, index: u64) -> String {
    format!("{source}[{index}]")
}
