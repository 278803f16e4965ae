// The compiler's messages are shown as they are.
// CACHE: untouched
// REQUIRES: clang-22
// RUN: coax dump ir %
// EXIT: 2
// RUN: coax replay %
// EXIT: 2

int main(void) {
    return undeclared;
}

// OUTPUT
// $ coax dump ir %
// ! does_not_compile.c:10:12: error: use of undeclared identifier 'undeclared'
// !    10 |     return undeclared;
// !       |            ^~~~~~~~~~
// ! 1 error generated.
// ! error: does_not_compile.c did not compile. Correct the errors above, or pass the flags it needs (--cflags; CFLAGS for coax-cc).
// $ coax replay %
// ! does_not_compile.c:10:12: error: use of undeclared identifier 'undeclared'
// !    10 |     return undeclared;
// !       |            ^~~~~~~~~~
// ! 1 error generated.
// ! error: does_not_compile.c did not compile. Correct the errors above, or pass the flags it needs (--cflags; CFLAGS for coax-cc).
