// A function that became unknown by itself is so in the next search as soon as its own branches are covered, and not before: nobody looks for them in calls that
// are not followed.
// REQUIRES: clang
// RUN: coax cover % --entry command --no-mutate --max-runs 300 --out %t/out
// RUN: coax cover % --entry command --no-mutate --max-runs 300 --seed 2 --out %t/out

#include <stdint.h>

static uint64_t hash(const char *name, int kind) {
    uint64_t mixed = 0x9e3779b97f4a7c15;
    if (kind == 77)
        mixed = ~mixed;
    for (; *name; name++) {
        mixed = (mixed ^ (uint8_t)*name) * 0xbf58476d1ce4e5b9;
        mixed ^= mixed >> 29;
        mixed = mixed * mixed + 0x94d049bb133111eb;
    }
    return mixed ^ mixed >> 31;
}

int command(const char *name, int kind) {
    if (hash(name, kind) == hash("restart", 1)) return 1;
    if (hash(name, kind) == hash("stop", 2)) return 2;
    return 0;
}

// OUTPUT
// $ coax cover % --entry command --no-mutate --max-runs 300 --out %t/out
// | 3 tests, 0 failures; branches 8/8 (100 %), lines 11/11 (100 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` became unknown, for what it gives is too hard to follow at earlier.c:23:26: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// $ coax cover % --entry command --no-mutate --max-runs 300 --seed 2 --out %t/out
// | 3 tests, 0 failures; branches 8/8 (100 %), lines 11/11 (100 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` became unknown, as in an earlier search: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// ! note: 3 tests of an earlier search, which was another one, are removed
