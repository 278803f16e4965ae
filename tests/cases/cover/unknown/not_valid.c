// Whether an input goes into the branch depends on what the function is elsewhere: no test is guessed.
// REQUIRES: clang
// RUN: coax cover % --entry bar --unknown hash --no-auto-unknown --no-mutate --out %t/out

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
// $ coax cover % --entry bar --unknown hash --no-auto-unknown --no-mutate --out %t/out
// | not covered  not_valid.c:12:22 to line 13: the solver gave up on 1 path: it depends on values of `hash` that were not seen: if each of them is 0, no input goes there
// | 2 tests, 0 failures; branches 3/4 (75 %), lines 6/7 (86 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
