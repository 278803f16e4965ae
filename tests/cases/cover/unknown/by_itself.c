// Solvers cannot turn this hash around. It becomes unknown by itself; then the words with which the program calls it are what leads to its values.
// Another search in the same directory knows that, and what was seen, from the beginning; one that must not let functions become unknown does not use it. Of
// another version of a function that nobody named nothing is said.
// REQUIRES: clang
// RUN: coax cover % --entry command --no-mutate --max-runs 200 --out %t/out
// RUN: coax cover % --entry command --no-mutate --max-runs 20 --seed 2 --out %t/out
// RUN: coax cover % --entry command --no-mutate --max-runs 3 --seed 3 --no-auto-unknown --out %t/out | tail -2
// RUN: sed 's/mixed >> 29/mixed >> 31/' % > %t/changed.c; coax cover %t/changed.c --entry command --no-mutate --max-runs 3 --out %t/out | tail -2

#include <stdint.h>

static uint64_t hash(const char *name) {
    uint64_t mixed = 0x9e3779b97f4a7c15;
    for (; *name; name++) {
        mixed = (mixed ^ (uint8_t)*name) * 0xbf58476d1ce4e5b9;
        mixed ^= mixed >> 29;
        mixed = mixed * mixed + 0x94d049bb133111eb;
    }
    return mixed ^ mixed >> 31;
}

int command(const char *name, int level) {
    if (hash(name) == hash("restart")) return level > 3 ? -1 : 1;
    if (hash(name) == hash("stop")) return 2;
    return 0;
}

// OUTPUT
// $ coax cover % --entry command --no-mutate --max-runs 200 --out %t/out
// | 3 tests, 0 failures; branches 6/6 (100 %), lines 9/9 (100 %), functions 2/2 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | `hash` became unknown, for what it gives is too hard to follow at by_itself.c:23:20: [n] values seen, [n] direct calls
// | Tests are in [t]/out/tests.
// $ coax cover % --entry command --no-mutate --max-runs 20 --seed 2 --out %t/out
// | 3 tests, 0 failures; branches 6/6 (100 %), lines 9/9 (100 %), functions 2/2 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | `hash` became unknown, as in an earlier search: [n] values seen, [n] direct calls
// | Tests are in [t]/out/tests.
// ! note: 3 tests of an earlier search, which was another one, are removed
// $ coax cover % --entry command --no-mutate --max-runs 3 --seed 3 --no-auto-unknown --out %t/out | tail -2
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/out/tests.
// ! note: 3 tests of an earlier search, which was another one, are removed
// $ sed 's/mixed >> 29/mixed >> 31/' % > %t/changed.c; coax cover %t/changed.c --entry command --no-mutate --max-runs 3 --out %t/out | tail -2
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/out/tests.
// ! note: 1 test of an earlier search, which was another one, is removed
