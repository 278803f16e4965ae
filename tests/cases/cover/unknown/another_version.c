// What a function was seen to give is kept with its code: for another version of it, it is not used.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown hash --no-mutate --out %t/out --max-runs 5
// RUN: sed 's/mixed >> 29/mixed >> 31/' % > %t/changed.c; coax cover %t/changed.c --entry f --unknown hash --no-mutate --out %t/out --max-runs 5
// RUN: echo '{' > %t/out/samples.json; coax cover % --entry f --unknown hash --no-mutate --out %t/out
// EXIT: 2

static int hash(int value) {
    unsigned long long mixed = ((unsigned)value + 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    return (int)(mixed ^ mixed >> 29);
}

int f(int x, int y) { return x == hash(y); }

// OUTPUT
// $ coax cover % --entry f --unknown hash --no-mutate --out %t/out --max-runs 5
// | 1 test, 0 failures; branches 0/0, lines 3/3 (100 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] value seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// $ sed 's/mixed >> 29/mixed >> 31/' % > %t/changed.c; coax cover %t/changed.c --entry f --unknown hash --no-mutate --out %t/out --max-runs 5
// | 1 test, 0 failures; branches 0/0, lines 3/3 (100 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] value seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// ! note: 1 test of an earlier search, which was another one, is removed
// ! note: what `hash` was seen to give is not used: it is of another version of the function
// $ echo '{' > %t/out/samples.json; coax cover % --entry f --unknown hash --no-mutate --out %t/out
// ! error: [t]/out/samples.json is damaged; remove it, or name another directory with `--out`: EOF while parsing an object at line 2 column 0
