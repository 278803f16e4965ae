// What a function was seen to give is kept with its code: for another version of it, it is not used.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown hash --no-mutate --out %t/out --max-runs 5
// RUN: sed 's/mixed >> 29/mixed >> 31/' % > %t/changed.c; coax cover %t/changed.c --entry f --unknown hash --no-mutate --out %t/out --max-runs 5
// RUN: echo '{' > %t/out/samples.json; coax cover % --entry f --unknown hash --no-mutate --out %t/out
// EXIT: 2

static int hash(int value) {
    unsigned long long mixed = (unsigned)value * 0xff51afd7ed558ccdull;
    return (int)(mixed ^ mixed >> 29);
}

int f(int x, int y) { return x == hash(y); }

