// What a program does after a memory error is not covered by it: the plain module goes on, but what it does then says nothing.
// REQUIRES: clang
// RUN: coax cover % --entry after --out %t/out
// EXIT: 1
#include <stdlib.h>

int after(unsigned n) {
    char *block = malloc(4);
    if (!block) return -1;
    if (n == 77) block[4] = 1;
    int result = 0;
    if (n == 77) result = block[0];
    else if (n == 78) result = 2;
    free(block);
    return result;
}

// OUTPUT
// $ coax cover % --entry after --out %t/out
// | FAILS  heap buffer overflow at after_error.c:10:27  fails-HeapBufferOverflow-line-10-ec401d.json
// | not covered  after_error.c:12:11 to line 12: runs come here only after a memory error, which is reported
// | not covered  after_error.c:9:9 to line 9: proved infeasible: no input takes it
// | 3 tests, 1 failure; branches 6/8 (75 %), lines 7/7 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | What is proved assumes: memory does not run out: `malloc` and its like do not fail; what `malloc` and its like give holds what it holds in these runs.
// | Tests are in [t]/out/tests.
