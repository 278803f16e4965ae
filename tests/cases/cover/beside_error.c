// The size of the block decides nothing, but with some there is no error: what comes behind is looked for with those.
// REQUIRES: clang
// RUN: coax cover % --entry f --no-mutate --out %t/out --max-runs 100
// EXIT: 1

#include <stdlib.h>

int f(int size, int kind) {
    char *block = malloc(size & 15);
    block[0] = 1;
    int result = kind == 3 ? 7 / (size & 4) : block[0];
    free(block);
    return result;
}

// OUTPUT
// $ coax cover % --entry f --no-mutate --out %t/out --max-runs 100
// | FAILS  heap buffer overflow at beside_error.c:10:14  fails-HeapBufferOverflow-line-10-4f7954.json
// | FAILS  trapped: integer divide by zero at beside_error.c:11:32  fails-IntegerDivideByZero-line-11-78dadb.json
// | 4 tests, 2 failures; branches 2/2 (100 %), lines 5/5 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/out/tests.
