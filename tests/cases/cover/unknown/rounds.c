// A key that is stretched by many rounds: the function around them becomes unknown, not the step, which is given what the step before gave; looking for it takes no longer than the run.
// REQUIRES: clang
// RUN: coax cover % --entry unlock --no-mutate --max-runs 50 --out %t/out
// EXIT: 1

#include <stdint.h>

static uint32_t mix(uint32_t hash) {
    hash = (hash ^ hash >> 16) * 0x7feb352du;
    hash = (hash ^ hash >> 15) * 0x846ca68bu;
    return hash ^ hash >> 16;
}

static uint32_t stretch(uint32_t key, uint32_t salt) {
    uint32_t hash = salt;
    for (int i = 0; i < 20000; i++) hash = mix(hash + key);
    return hash;
}

int unlock(uint32_t key, uint32_t salt, uint32_t wanted) {
    if (stretch(key, salt) != wanted) return 0;
    if (key == 4711) __builtin_trap();
    return 1;
}

// OUTPUT
// $ coax cover % --entry unlock --no-mutate --max-runs 50 --out %t/out
// | FAILS  trapped: unreachable at rounds.c:22:22  fails-Unreachable-line-22-70e64a.json
// | 3 tests, 1 failure; branches 6/6 (100 %), lines 9/9 (100 %), functions 3/3 (100 %)
// | [work], [time]; there is nothing left to try
// | `stretch` became unknown, for what it gives is too hard to follow at rounds.c:21:28: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
