// Vectors have no terms: what goes into one is a number from there on. A function that computes with them becomes unknown, so that what it gives depends on the
// input again; its step is given vectors, which no unknown function can be.
// REQUIRES: clang
// RUN: coax cover % --cflags -msimd128 --entry run --no-mutate --max-runs 200 --out %t/out
// RUN: coax cover % --cflags -msimd128 --entry run --no-mutate --max-runs 200 --no-auto-unknown --out %t/without
// RUN: coax cover % --cflags -msimd128 --entry run --no-mutate --max-runs 200 --imprecision delayed --unknown hash --out %t/delayed

#include <stdint.h>
#include <wasm_simd128.h>

static v128_t step(v128_t mixed) {
    mixed = wasm_i32x4_mul(mixed, wasm_i32x4_splat(0x9e3779b1));
    mixed = wasm_v128_xor(mixed, wasm_u32x4_shr(mixed, 15));
    return wasm_i32x4_add(mixed, wasm_i32x4_shuffle(mixed, mixed, 1, 2, 3, 0));
}

static uint32_t hash(const char *word, uint32_t seed) {
    v128_t mixed = wasm_v128_xor(wasm_v128_load(word), wasm_u32x4_splat(seed));
    for (int i = 0; i < 3; i++)
        mixed = step(mixed);
    return wasm_u32x4_extract_lane(mixed, 0);
}

struct command {
    char word[16];
    uint32_t sum;
    int level;
};

int run(const struct command *given) {
    static const char stop[16] = "stop", restart[16] = "restart";
    uint32_t found = hash(given->word, 7);
    if (found == hash(stop, 7))
        return 1;
    if (found == hash(restart, 7)) {
        if (given->sum == hash(given->word, given->level))
            return 3;
        return 2;
    }
    if (given->sum == found && given->word[3] == 'x')
        return 4;
    return 0;
}

// OUTPUT
// $ coax cover % --cflags -msimd128 --entry run --no-mutate --max-runs 200 --out %t/out
// | 6 tests, 0 failures; branches 12/12 (100 %), lines 18/18 (100 %), functions 3/3 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` became unknown, for it computes with vectors (SIMD) at vectors.c:18:34: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// $ coax cover % --cflags -msimd128 --entry run --no-mutate --max-runs 200 --no-auto-unknown --out %t/without
// | not covered  vectors.c:33:15 to line 34: it was reached, but may depend on what was replaced by a number in the runs that came here, first at vectors.c:18:34
// | not covered  vectors.c:35:15 to line 36: it was reached, but may depend on what was replaced by a number in the runs that came here, first at vectors.c:18:34
// | not covered  vectors.c:36:24 to line 37: no run came here
// | not covered  vectors.c:36:24 to line 38: no run came here
// | 3 tests, 0 failures; branches 8/12 (67 %), lines 14/18 (78 %), functions 3/3 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/without/tests.
// $ coax cover % --cflags -msimd128 --entry run --no-mutate --max-runs 200 --imprecision delayed --unknown hash --out %t/delayed
// | not covered  vectors.c:33:15 to line 34: the solver gave up on 1 path: what an unknown function gives is fixed to what it gave
// | not covered  vectors.c:35:15 to line 36: the solver gave up on 1 path: what an unknown function gives is fixed to what it gave
// | not covered  vectors.c:36:24 to line 37: no run came here
// | not covered  vectors.c:36:24 to line 38: no run came here
// | not covered  vectors.c:40:29 to line 41: the solver gave up on 1 path: what an unknown function gives is fixed to what it gave
// | 2 tests, 0 failures; branches 7/12 (58 %), lines 13/18 (72 %), functions 3/3 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/delayed/tests.
