// Why a branch is not covered about which nothing can be asked: a number took the place of what depends on the input, or only changed inputs came there, whose runs
// are not followed. All reasons of a report are listed by `coax explain`.
// REQUIRES: clang
// RUN: coax cover % --entry by_number --no-mutate --no-auto-unknown --max-runs 20 --out %t/number
// RUN: coax cover % --entry by_trials --max-runs 20 --out %t/trials
// RUN: coax explain %t/number

#include <stdint.h>

static uint32_t table[1 << 16];

int by_number(uint32_t key) {
    table[77] = 5;
    if (table[key & 0xffff] == 5) return 1;
    return 0;
}

int by_trials(const char *text) {
    int depth = 0, longest = 0, words = 0;
    for (; *text; text++) {
        if (*text == '(') depth++;
        if (*text == ')') depth--;
        if (*text == ' ') words++;
        if (depth > longest) longest = depth;
    }
    if (longest > 3) {
        if (words > 40) return 3;
        return 2;
    }
    return words > 5;
}

// OUTPUT
// $ coax cover % --entry by_number --no-mutate --no-auto-unknown --max-runs 20 --out %t/number
// | not covered  replaced.c:14:29 to line 14: it was reached, but may depend on what was replaced by a number in the runs that came here, first at replaced.c:14:9
// | not covered  replaced.c:18 by_trials, 14 branches: proved: it is never called from this entry
// | 1 test, 0 failures; branches 1/16 (6 %), lines 4/14 (29 %), functions 1/2 (50 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/number/tests.
// $ coax cover % --entry by_trials --max-runs 20 --out %t/trials
// | not covered  replaced.c:27:19 to line 27: only runs came here that are not followed: of changed inputs, or before functions became unknown
// | not covered  replaced.c:12 by_number, 2 branches: proved: it is never called from this entry
// | 2 tests, 0 failures; branches 13/16 (81 %), lines 10/14 (71 %), functions 1/2 (50 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/trials/tests.
// $ coax explain %t/number
// | not covered  replaced.c:14 by_number, 1 branch: it was reached, but may depend on what was replaced by a number in the runs that came here, first at replaced.c:14:9
// | not covered  replaced.c:20,21,22,23,24,26,27 by_trials, 14 branches: proved: its function is never called from this entry
// | `coax explain [t]/number FILE:LINE` says what stands in the way of a line
