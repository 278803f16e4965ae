// An assertion may say what is wrong; a second condition is no text.
// REQUIRES: clang
// RUN: coax replay %
// EXIT: 1
// RUN: coax replay % --cflags -DSECOND=1 2>&1 | grep -o 'expected .)'
#include <coax.h>

int main(void) {
    int x = coax_i32("x");
    coax_assert(x == 0);
#ifdef SECOND
    coax_assert(x == 0, x == 1);
#endif
    coax_assert(x > 0, "x must be positive");
    return 0;
}

// OUTPUT
// $ coax replay %
// | FAIL  run: trapped: an assertion failed (x > 0, "x must be positive" at assert_text.c:14) at assert_text.c:14:5 in main
// |       input  | {"name":"x","i32":0}
// |         at assert_text.c:14:5 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
// $ coax replay % --cflags -DSECOND=1 2>&1 | grep -o 'expected .)'
// | expected ')
