// Whether an input goes into the branch depends on what the function is elsewhere: no test is guessed.
// REQUIRES: clang
// RUN: coax cover % --entry bar --unknown hash --no-mutate --out %t/out

static int hash(int value) {
    unsigned long long mixed = ((unsigned)value + 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53ull;
    return (int)(mixed ^ mixed >> 29);
}

int bar(int x, int y) {
    if (x == hash(y) && y == hash(x))
        return -1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry bar --unknown hash --no-mutate --out %t/out
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 7/7 (100 %), functions 2/2 (100 %)
// | 3 runs on 3 paths, 15 questions to the solvers, 0 mutations, [time]; all paths are explored
// | `hash` is unknown: 15 values seen, 14 direct calls
// | Tests are in [t]/out/tests.
