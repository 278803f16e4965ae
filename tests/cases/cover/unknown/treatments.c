// Four treatments of a function that is unknown, on an error that needs its value at 10: taken for a number it is missed (sound, delayed)
// or promised and not reached (unsound); a strategy reaches it.
// REQUIRES: clang
// RUN: coax cover % --entry foo --unknown hash --no-mutate --out %t/higher-order
// RUN: coax explain %t/higher-order treatments.c:21
// RUN: coax cover % --entry foo --unknown hash --no-mutate --no-direct-calls --out %t/steps
// RUN: coax cover % --entry foo --unknown hash --no-mutate --imprecision delayed --out %t/delayed
// RUN: coax cover % --entry foo --unknown hash --no-mutate --imprecision sound --out %t/sound
// RUN: coax cover % --entry foo --unknown hash --no-mutate --imprecision unsound --out %t/unsound

static int hash(int value) {
    unsigned long long mixed = (unsigned)value * 0xff51afd7ed558ccdull;
    mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53ull;
    return (int)(mixed ^ mixed >> 29);
}

int foo(int x, int y) {
    if (x == hash(y)) {
        if (y == 10)
            return -1;
        return 1;
    }
    return 0;
}

