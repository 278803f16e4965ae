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

// OUTPUT
// $ coax cover % --out %t/out
// | FAILS  assertion failed (x != 55 at harness.c:16) at harness.c:16:25  fails-Assertion-line-16-5536f5.json
// | 3 tests, 1 failure; branches 4/4 (100 %), lines 7/7 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/out/tests.
// $ cat %t/out/tests/fails*.json
// | {
// |   "format": 1,
// |   "input": {
// |     "values": [
// |       {
// |         "name": "x",
// |         "bytes": "7\u0000\u0000\u0000"
// |       },
// |       {
// |         "name": "y",
// |         "bytes": "!\u0000\u0000\u0000"
// |       }
// |     ]
// |   },
// |   "expect": {
// |     "trapped": "assertion"
// |   }
// | }
