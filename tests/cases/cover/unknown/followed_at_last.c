// Both functions are named, but the second is no riddle: solvers find a word that has the wanted value, while a strategy would have to have seen one. It is followed
// when nothing else is found, unless coax is to choose nothing by itself.
// REQUIRES: clang
// RUN: coax cover % --entry dispatch --unknown seal --unknown digest --no-mutate --max-runs 1500 --out %t/out
// EXIT: 1
// RUN: coax cover % --entry dispatch --unknown seal --unknown digest --no-auto-unknown --no-mutate --max-runs 100 --out %t/named

#include <stdint.h>
#include <stdlib.h>

static uint64_t seal(uint64_t key, uint32_t word) {
    uint64_t mixed = key ^ word;
    for (int i = 0; i < 8; i++) {
        mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9;
        mixed = mixed * mixed + (mixed >> 31);
    }
    return mixed;
}

static uint32_t digest(uint32_t word) {
    uint32_t sum = 5381;
    for (int i = 0; i < 4; i++)
        sum = sum * 33 ^ (word >> 8 * i & 0xff);
    return sum;
}

int dispatch(uint64_t key, uint32_t word, uint64_t sealed) {
    if (seal(key, word) != sealed) return 1;
    switch (digest(word)) {
    case 2088074939u: /* "push" */ return 2;
    case 2087808148u: /* "halt" */
        if (key == 42) abort();
        return 3;
    }
    return 0;
}

// OUTPUT
// $ coax cover % --entry dispatch --unknown seal --unknown digest --no-mutate --max-runs 1500 --out %t/out
// | FAILS  abort at followed_at_last.c:32:24  fails-Abort-line-32-089b08.json
// | 5 tests, 1 failure; branches 12/12 (100 %), lines 15/15 (100 %), functions 3/3 (100 %)
// | [work], [time]; there is nothing left to try
// | `seal` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | `digest` was to be unknown: [n] values seen, [n] direct calls; when nothing was found any more, its calls were followed
// | Tests are in [t]/out/tests.
// $ coax cover % --entry dispatch --unknown seal --unknown digest --no-auto-unknown --no-mutate --max-runs 100 --out %t/named
// | not covered  followed_at_last.c:29:5 to line 32: the solver gave up on 1 path: the search for a strategy found no values, nor do those of `digest` or `seal` that were seen lead there
// | not covered  followed_at_last.c:29:5 to line 30: the solver gave up on 1 path: the search for a strategy found no values, nor do those of `digest` or `seal` that were seen lead there
// | not covered  followed_at_last.c:32:17 to line 32: no run came here
// | not covered  followed_at_last.c:32:17 to line 33: no run came here
// | 2 tests, 0 failures; branches 8/12 (67 %), lines 12/15 (80 %), functions 3/3 (100 %)
// | [work], [time]; there is nothing left to try
// | `seal` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | `digest` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/named/tests.
