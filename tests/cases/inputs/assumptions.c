// Assumptions that contradict each other: whatever the input is, no run counts.
// REQUIRES: clang
// RUN: coax replay %
// RUN: coax dump path %
// RUN: coax replay % --value 3
#include <coax.h>

int main(void) {
    int x = coax_i32("x");
    coax_assume(x > 5);
    coax_assume(x < 3);
    return x;
}

// OUTPUT
// $ coax replay %
// | ok    run: does not count (an assumption does not hold; if it does for no input, the assumptions contradict each other) at assumptions.c:10:5 in main
// |       input  | {"name":"x","i32":0}
// |         at assumptions.c:10:5 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
// $ coax dump path %
// | input {"name":"x","i32":0}
// | site7 assumptions.c:10:5  assumption fails  (slt x 6:32)
// | does not count (an assumption does not hold; if it does for no input, the assumptions contradict each other) at assumptions.c:10:5 in main
// $ coax replay % --value 3
// | ok    run: does not count (an assumption does not hold; if it does for no input, the assumptions contradict each other) at assumptions.c:10:5 in main
// |       input  | {"name":"x","i32":3}
// |         at assumptions.c:10:5 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
