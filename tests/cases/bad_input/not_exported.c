// A function that cannot be entered, and advice that works.
// REQUIRES: clang
// RUN: coax replay % --entry hidden
// EXIT: 2

__attribute__((noinline)) static int hidden(void) { return 1; }

int (*volatile pointer)(void) = hidden;

int main(void) { return pointer(); }

// OUTPUT
// $ coax replay % --entry hidden
// ! error: function `hidden` is not exported, so it cannot be called from outside.
// ! If it is static, remove `static` or call it through another function; else link the program with `-Wl,--export=hidden`.
