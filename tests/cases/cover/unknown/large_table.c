// The places in a table that depend on the input are too many for terms, so what is read there becomes a number. The function around it becomes unknown by itself,
// and then what it gives depends on the input as before. Who does not want that is told where numbers took the place of what depends on the input.
// REQUIRES: clang
// RUN: coax cover % --entry unlock --no-mutate --max-runs 200 --out %t/out
// RUN: coax cover % --entry unlock --no-mutate --max-runs 200 --no-auto-unknown --out %t/followed

#include <stdint.h>

static uint32_t table[1 << 16];

static uint32_t substitute(uint32_t value) { return table[value & 0xffff] ^ table[value >> 16] * 3; }

static void fill(void) {
    uint32_t mixed = 1;
    for (int i = 0; i < 1 << 16; i++) {
        mixed = mixed * 1103515245 + 12345;
        table[i] = mixed;
    }
}

int unlock(uint32_t key, uint32_t code) {
    fill();
    if (substitute(key) != code)
        return 0;
    if (key == 0x1234567)
        return 2;
    return 1;
}

// OUTPUT
// $ coax cover % --entry unlock --no-mutate --max-runs 200 --out %t/out
// | 3 tests, 0 failures; branches 6/6 (100 %), lines 12/12 (100 %), functions 3/3 (100 %)
// | [work], [time]; there is nothing left to try
// | `substitute` became unknown, for what it does at large_table.c:11:77 is too hard to follow: [n] values seen, [n] direct call; failures in it were not searched for
// | Tests are in [t]/out/tests.
// $ coax cover % --entry unlock --no-mutate --max-runs 200 --no-auto-unknown --out %t/followed
// | not covered  large_table.c:25:13 to line 26: not tried yet on 4 paths: the budget was used up
// | 2 tests, 0 failures; branches 5/6 (83 %), lines 11/12 (92 %), functions 3/3 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/followed/tests.
