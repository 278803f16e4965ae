// Each way to fail has one test; a search that found a failure exits with 1.
// REQUIRES: clang
// RUN: coax cover % --entry risky --out %t/out
// EXIT: 1
// RUN: coax replay % --test %t/out/tests | grep FAIL

#include <stdlib.h>

int table[4] = {1, 2, 3, 4};

int risky(unsigned kind, unsigned n) {
    switch (kind) {
    case 0: return 100 / (n - 7);
    case 1: if (n == 12345) abort(); return 1;
    case 2: return n < 1000 ? table[n & 3] : *(volatile int *)(n << 16);
    case 3: while (n == 99) {} return 3;
    default: return 0;
    }
}

// OUTPUT
// $ coax cover % --entry risky --out %t/out
// | FAILS  trapped: integer divide by zero at failures.c:13:24  fails-IntegerDivideByZero-line-13-6a2957.json
// | FAILS  abort at failures.c:14:29  fails-Abort-line-14-564cee.json
// | FAILS  trapped: memory access out of bounds at failures.c:15:46  fails-MemoryOutOfBounds-line-15-881c62.json
// | FAILS  ran out of fuel at failures.c:16:22  fails-ran-out-of-fuel-line-16-bccdae.json
// | FAILS  null pointer dereference at failures.c:15:46  fails-NullDereference-line-15-c49b53.json
// | 10 tests, 5 failures; branches 11/11 (100 %), lines 8/8 (100 %), functions 1/1 (100 %)
// | [work], [time]; there is nothing left to try
// | 1 run met the limit of fuel
// | 1 run met the limit of terms
// | Tests are in [t]/out/tests.
// $ coax replay % --test %t/out/tests | grep FAIL
// | FAIL  [t]/out/tests/fails-Abort-line-14-564cee.json: trapped: unreachable at failures.c:14:29 in risky
// | FAIL  [t]/out/tests/fails-IntegerDivideByZero-line-13-6a2957.json: trapped: integer divide by zero at failures.c:13:24 in risky
// | FAIL  [t]/out/tests/fails-MemoryOutOfBounds-line-15-881c62.json: trapped: memory access out of bounds at failures.c:15:46 in risky
// | FAIL  [t]/out/tests/fails-NullDereference-line-15-c49b53.json: null pointer dereference (4 bytes read at address 0) at failures.c:15:46 in risky
// | FAIL  [t]/out/tests/fails-ran-out-of-fuel-line-16-bccdae.json: ran out of fuel at failures.c:16:22 in risky
