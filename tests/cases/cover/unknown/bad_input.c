// What cannot be unknown, or is no function.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown nothing --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --unknown f --out %t/out
// EXIT: 2
// RUN: coax cover % --unknown main --out %t/out
// EXIT: 2
// RUN: coax cover % -O 2 --unknown digits --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --unknown wasi_snapshot_preview1.proc_exit --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --unknown hash --imprecision wrong --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --unknown counting --no-mutate --out %t/out
// RUN: coax cover % --entry f --unknown growing --no-mutate --out %t/growing
#include <stdlib.h>

static int calls;

static int counting(int value) { return value * 3 + calls; }

static int growing(int value) {
    char *block = malloc(1 << 20);
    int is_there = block != 0;
    free(block);
    return value * 3 + is_there;
}

int f(int x, int y) {
    calls = 0;
    if (counting(x) == 30)
        return 1;
    calls = 1;
    if (counting(x) == 31)
        return 2;
    return growing(y) == 16;
}

static int digits(int value) {
    int count = 1;
    while (value > 9) {
        value /= 10;
        count++;
    }
    return count;
}

int main(int count, char **arguments) { return f(count, *arguments[0]) + digits(count); }

// OUTPUT
// $ coax cover % --entry f --unknown nothing --out %t/out
// ! error: there is no function `nothing` in the program; `coax dump functions --all` lists those that there are
// $ coax cover % --entry f --unknown f --out %t/out
// ! error: `f` is the entry itself; name a function that it calls
// $ coax cover % --unknown main --out %t/out
// ! error: `main` is around all that is to be covered; name a function that it calls
// $ coax cover % -O 2 --unknown digits --out %t/out
// ! error: `digits` has no code of its own, the compiler put it into those that call it; compile with `-O 0`, or mark it as one that is not to be inlined
// $ coax cover % --entry f --unknown wasi_snapshot_preview1.proc_exit --out %t/out
// ! error: `wasi_snapshot_preview1.proc_exit` has no code in the program, it is imported; `--stub wasi_snapshot_preview1.proc_exit=MODULE.wasm` gives it some
// $ coax cover % --entry f --unknown hash --imprecision wrong --out %t/out
// ! error: invalid value 'wrong' for '--imprecision <TREATMENT>'
// !   [possible values: higher-order, delayed, sound, unsound]
// !
// ! For more information, try '--help'.
// $ coax cover % --entry f --unknown counting --no-mutate --out %t/out
// | not covered  bad_input.c:35:21 to line 36: proved infeasible: no input takes it
// | not covered  bad_input.c:40 digits, 2 branches: proved: it is never called from this entry
// | 2 tests, 0 failures; branches 3/6 (50 %), lines 12/18 (67 %), functions 3/5 (60 %)
// | [work], [time]; all paths are explored
// | What is proved assumes: memory does not run out: `malloc` and its like do not fail; `f` is called once, when the program has just begun.
// | `counting` was to be unknown: [n] value seen, [n] direct calls; it is no function of what it is given (it gave 0x0 and 0x1 for the same arguments), so its calls were followed
// | Tests are in [t]/out/tests.
// $ coax cover % --entry f --unknown growing --no-mutate --out %t/growing
// | not covered  bad_input.c:35:21 to line 36: proved infeasible: no input takes it
// | not covered  bad_input.c:40 digits, 2 branches: proved: it is never called from this entry
// | 2 tests, 0 failures; branches 3/6 (50 %), lines 12/18 (67 %), functions 3/5 (60 %)
// | [work], [time]; all paths are explored
// | What is proved assumes: memory does not run out: `malloc` and its like do not fail; `f` is called once, when the program has just begun.
// | `growing` was to be unknown: [n] values seen, [n] direct calls, 8 calls that showed nothing; it is no function of what it is given (it wants more memory), so its calls were followed
// | Tests are in [t]/growing/tests.
