// Where a function stopped reading is a pointer into what it was given; where that is does not count, so it is how far it came. What it reads next is behind a pointer
// that depends on the input.
// REQUIRES: clang
// RUN: coax cover % --entry entry --unknown word --no-auto-unknown --no-mutate --max-runs 300 --out %t/out | grep 'unknown\|tests,'
// RUN: grep -o '"divergences": [0-9]*' %t/out/report.json

#include <stdint.h>

__attribute__((noinline)) uint32_t word(const char *s, const char **end) {
    uint32_t h = 2166136261u;
    while (*s >= 'a' && *s <= 'z') {
        h = (h ^ (uint8_t)*s++) * 16777619u;
        h = (h ^ h >> 15) * (h | 1);
    }
    *end = s;
    return h;
}

int entry(const char *s, uint32_t first, uint32_t second) {
    const char *end;
    if (word(s, &end) != first) return 0;
    if (end == s) return 1;
    if (*end != ':') return 2;
    s = end + 1;
    if (word(s, &end) != second) return 3;
    if (end == s) return 4;
    return *end ? 5 : 6;
}

// OUTPUT
// $ coax cover % --entry entry --unknown word --no-auto-unknown --no-mutate --max-runs 300 --out %t/out | grep 'unknown\|tests,'
// | not covered  end_pointer.c:11:22 to 11:25: it is in a function that is unknown: its decisions were not followed
// | not covered  end_pointer.c:11:5 to line 12: it is in a function that is unknown: its decisions were not followed
// | not covered  end_pointer.c:22:13 to line 23: the solver gave up on 1 path: with other arguments an unknown function on the way reads something else
// | 2 tests, 0 failures; branches 5/14 (36 %), lines 7/14 (50 %), functions 2/2 (100 %)
// | `word` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// $ grep -o '"divergences": [0-9]*' %t/out/report.json
// | "divergences": 0
