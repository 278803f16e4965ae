// What a program asks for by its test harness is found, assumptions are kept, assertions are broken.
// REQUIRES: clang
// RUN: coax cover % --out %t/out
// EXIT: 1
// RUN: cat %t/out/tests/fails*.json

#include <assert.h>
#include <klee/klee.h>

int main(void) {
    int x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume(x > 10);
    klee_assume(y < x);
    if (x * 3 == y * 5) klee_assert(x != 55);
    return 0;
}
