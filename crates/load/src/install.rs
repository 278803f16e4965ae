//! The commands that get what is missing.

/// The version of LLVM we recommend where none is.
pub(crate) const BEST_LLVM: u32 = 22;

fn apt(packages: &str) -> String {
    format!("apt-get install -y --no-install-recommends {packages}")
}

/// clang and all that belongs to it.
pub(crate) fn clang() -> String {
    let best = BEST_LLVM;
    apt(&format!("clang-{best} lld-{best} llvm-{best} wasi-libc libclang-rt-{best}-dev-wasm32"))
}

pub(crate) fn linker(llvm: u32) -> String {
    apt(&format!("lld-{llvm}"))
}

pub(crate) fn opt(llvm: u32) -> String {
    apt(&format!("llvm-{llvm}"))
}

pub(crate) fn libc() -> String {
    apt("wasi-libc")
}

pub(crate) fn builtins(llvm: u32) -> String {
    apt(&format!("libclang-rt-{llvm}-dev-wasm32"))
}

pub(crate) fn libcxx(llvm: u32) -> String {
    apt(&format!("libc++-{llvm}-dev-wasm32 libc++abi-{llvm}-dev-wasm32"))
}

/// A compiler for this machine.
pub(crate) fn native() -> String {
    apt("gcc libc6-dev")
}

/// Rust itself. Distributions carry rustup late or not at all; this is its own way.
pub(crate) fn rust() -> String {
    "apt-get install -y rustup && rustup default stable".to_owned()
}

pub(crate) fn rust_target(target: &str) -> String {
    format!("rustup target add {target}")
}

pub(crate) fn z3() -> String {
    apt("z3")
}

pub(crate) fn graphviz() -> String {
    apt("graphviz")
}
