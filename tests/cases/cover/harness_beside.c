// A harness is what a run begins with, whatever functions other files have.
// REQUIRES: clang
// WITH: harness_beside_helper.c
// RUN: coax cover harness_beside_helper.c % --out %t/out | grep FAILS
// RUN: coax cover % harness_beside_helper.c --out %t/out2 | grep FAILS
// RUN: coax cover % harness_beside_helper.c --cflags -DMORE --out %t/out3
// EXIT: 2

#include <coax.h>

int twice(int x);

COAX_HARNESS(harness_twice)
void harness_twice(void) {
    int x = coax_i32("x");
    coax_assert(twice(x) != 8);
}

#ifdef MORE
COAX_HARNESS(another)
void another(void) {}
#endif

// OUTPUT
// $ coax cover harness_beside_helper.c % --out %t/out | grep FAILS
// | FAILS  assertion failed (twice(x) != 8 at harness_beside.c:16) at harness_beside.c:16:5  fails-Assertion-line-16-570cf9.json
// $ coax cover % harness_beside_helper.c --out %t/out2 | grep FAILS
// | FAILS  assertion failed (twice(x) != 8 at harness_beside.c:16) at harness_beside.c:16:5  fails-Assertion-line-16-570cf9.json
// $ coax cover % harness_beside_helper.c --cflags -DMORE --out %t/out3
// ! error: it is not clear which function to call.
// ! Name one of the harnesses as the entry: `harness_twice`, `another`.
