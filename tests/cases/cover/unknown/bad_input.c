// What cannot be unknown, or is no function.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown nothing --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --unknown f --out %t/out
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

// OUTPUT
// $ coax cover % --entry f --unknown nothing --out %t/out
// ! error: there is no function `nothing`; `coax dump calls` lists the functions of a program
// $ coax cover % --entry f --unknown f --out %t/out
// ! error: `f` is the entry itself; name a function that it calls
// $ coax cover % --entry f --unknown hash --imprecision wrong --out %t/out
// ! error: invalid value 'wrong' for '--imprecision <TREATMENT>'
// !   [possible values: higher-order, delayed, sound, unsound]
// !
// ! For more information, try '--help'.
// $ coax cover % --entry f --unknown counting --no-mutate --out %t/out
// | not covered  bad_input.c:29:21 to line 30: proved infeasible: no input takes it
// | 2 tests, 0 failures; branches 3/4 (75 %), lines 12/13 (92 %), functions 3/3 (100 %)
// | 3 runs on 3 paths, 1 question to the solvers, 0 mutations, [time]; all paths are explored
// | `counting` was to be unknown: 1 value seen, 0 direct calls; it is no function of what it is given (it gave 0x0 and 0x1 for the same arguments), so its calls were followed
// | Tests are in [t]/out/tests.
// $ coax cover % --entry f --unknown growing --no-mutate --out %t/growing
// | not covered  bad_input.c:29:21 to line 30: proved infeasible: no input takes it
// | 2 tests, 0 failures; branches 3/4 (75 %), lines 12/13 (92 %), functions 3/3 (100 %)
// | 12 runs on 11 paths, 9 questions to the solvers, 0 mutations, [time]; all paths are explored
// | `growing` was to be unknown: 0 values seen, 0 direct calls, 8 calls that showed nothing; it is no function of what it is given (it wants more memory), so its calls were followed
// | Tests are in [t]/growing/tests.
