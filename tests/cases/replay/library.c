// A file without main: every function can be entered.
// REQUIRES: clang
// RUN: coax replay % --entry cube --param 3
// RUN: coax replay %
// EXIT: 2

int square(int x) { return x * x; }

int cube(int x) { return x * square(x); }

// OUTPUT
// $ coax replay % --entry cube --param 3
// | ok    run: returned i32 27
// $ coax replay %
// ! error: it is not clear which function to call.
// ! Name one of the exported functions as the entry: `square`, `cube`.
