// Without a C compiler: what is missing, and the command that gets it.
// CACHE: untouched
// RUN: PATH=$(dirname $(command -v coax)) coax dump ir %
// EXIT: 2

int main(void) { return 0; }

// OUTPUT
// $ PATH=$(dirname $(command -v coax)) coax dump ir %
// ! error: clang is needed for compiling C and C++ and was not found. Get it with: apt-get install -y --no-install-recommends clang-22 lld-22 llvm-22 wasi-libc libclang-rt-22-dev-wasm32
