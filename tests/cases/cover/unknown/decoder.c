// A key of letters and digits with a checksum of its own: what `decode` gives is made of many parts, so it becomes unknown by itself where the checksum is too hard. That is no
// help, for a value that was not seen is wanted; so it is followed again; also in a search that goes on.
// REQUIRES: clang
// RUN: coax cover % --entry check --no-mutate --max-runs 1000 --out %t/whole
// EXIT: 1
// RUN: coax cover % --entry check --no-mutate --max-runs 250 --out %t/parts > %t/said; coax cover % --entry check --no-mutate --max-runs 1000 --out %t/parts | grep 'runs on'
// RUN: diff -r %t/whole/tests %t/parts/tests && echo the same tests

#include <stdint.h>

static int digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= '2' && c <= '7') return c - '2' + 26;
    return -1;
}

static int decode(const char key[8], uint8_t out[5]) {
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        int d = digit(key[i]);
        if (d < 0) return -1;
        bits = bits << 5 | (uint64_t)d;
    }
    for (int i = 4; i >= 0; i--, bits >>= 8) out[i] = (uint8_t)bits;
    return 0;
}

static uint32_t mix(uint32_t v) {
    for (int i = 0; i < 3; i++) {
        v ^= v >> 16;
        v *= 0x85ebca6bu;
        v ^= v >> 13;
        v *= 0xc2b2ae35u;
        v ^= v >> 16;
    }
    return v & 0xffffff;
}

int check(const char key[8]) {
    uint8_t k[5];
    if (decode(key, k) != 0) return -1;
    uint32_t tag = (uint32_t)k[2] << 16 | (uint32_t)k[3] << 8 | k[4];
    if (mix((uint32_t)k[0] << 8 | k[1]) != tag) return -2;
    switch (k[0]) {
    case 7:
        return 1;
    case 99:
        return 1000 / (k[1] - 200);
    default:
        return -6;
    }
}

// OUTPUT
// $ coax cover % --entry check --no-mutate --max-runs 1000 --out %t/whole
// | FAILS  trapped: integer divide by zero at decoder.c:48:21  fails-IntegerDivideByZero-line-48-cba921.json
// | 7 tests, 1 failure; branches 24/24 (100 %), lines 27/27 (100 %), functions 4/4 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | `decode` became unknown, for what it gives is too hard to follow at decoder.c:44:5: [n] values seen, [n] direct calls; when nothing was found any more, its calls were followed
// | Tests are in [t]/whole/tests.
// $ coax cover % --entry check --no-mutate --max-runs 250 --out %t/parts > %t/said; coax cover % --entry check --no-mutate --max-runs 1000 --out %t/parts | grep 'runs on'
// | [work], [time]; as many runs as allowed (`--max-runs`)
// ! note: going on with the search of [t]/parts
// $ diff -r %t/whole/tests %t/parts/tests && echo the same tests
// | the same tests
