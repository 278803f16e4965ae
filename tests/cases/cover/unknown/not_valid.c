// Whether an input goes into the branch depends on what the function is elsewhere: no test is guessed.
// REQUIRES: clang
// RUN: coax cover % --entry bar --unknown hash --no-mutate --out %t/out

static int hash(int value) {
    unsigned long long mixed = (unsigned)value * 0xff51afd7ed558ccdull;
    mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53ull;
    return (int)(mixed ^ mixed >> 29);
}

int bar(int x, int y) { return x == hash(y) && y == hash(x); }

