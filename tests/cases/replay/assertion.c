// A failed assertion: the message, the place and how control got there.
// REQUIRES: clang-22
// RUN: coax replay % --entry check --param 2
// RUN: coax replay % --entry check --param 3
// EXIT: 1
#include <assert.h>

static void even(int x) {
    assert(x % 2 == 0);
}

void check(int x) {
    even(x);
}

// OUTPUT
// $ coax replay % --entry check --param 2
// | ok    run: returned
// $ coax replay % --entry check --param 3
// | FAIL  run: trapped: unreachable (assertion failed: x % 2 == 0) at assertion.c:9:5 in even
// |       stderr | Assertion failed: x % 2 == 0 (assertion.c: even: 9)
// |         at libc-bottom-half/sources/abort.c:5:5 in abort
// |         at libc-top-half/musl/src/exit/assert.c:7:2 in __assert_fail
// |         at assertion.c:9:5 in even
// |         at assertion.c:13:5 in check
