// What parameters lead to is nobody else's memory, strings become longer by need, what is read behind their end is noticed, and a proof
// says what it assumes.
// REQUIRES: clang
// RUN: coax cover % --entry kept --max-runs 40 --out %t/kept
// RUN: coax cover % --entry longer --max-runs 120 --no-mutate --out %t/longer
// RUN: coax cover % --entry behind --out %t/behind || true
// RUN: coax cover % --entry given --out %t/given

#include <stdlib.h>
#include <string.h>

struct pair { int a, b; };

/* The heap is larger than the pages that the linker gives it. */
int kept(const unsigned char *data, unsigned long size) {
    unsigned char before = size ? data[0] : 0;
    char *heap[4];
    for (int i = 0; i < 4; i++) memset(heap[i] = malloc(40000), 7, 40000);
    int is_kept = !size || data[0] == before;
    for (int i = 0; i < 4; i++) free(heap[i]);
    if (!is_kept) return 1;
    return 2;
}

int longer(const char *s) {
    if (strlen(s) == 20) return 1;
    return 0;
}

int behind(const char *s) {
    if (s[0] == '%') return s[2];
    return 0;
}

int given(const struct pair *pair) {
    if (!pair) return 1;
    return pair->a + pair->b;
}

// OUTPUT
// $ coax cover % --entry kept --max-runs 40 --out %t/kept
// | not covered  parameters.c:21:9 to line 21: proved infeasible: no input takes it
// | not covered  parameters.c:25 longer, 2 branches: proved: it is never called from this entry
// | not covered  parameters.c:30 behind, 2 branches: proved: it is never called from this entry
// | not covered  parameters.c:35 given, 2 branches: proved: it is never called from this entry
// | 2 tests, 0 failures; branches 9/16 (56 %), lines 8/17 (47 %), functions 1/4 (25 %)
// | [work], [time]; all paths are explored
// | What is proved assumes: memory does not run out: `malloc` and its like do not fail; `data` is not null and has at most 4096 bytes (`--max-len`); `size` is how many bytes `data` has; what pointers lead to is where it is in these runs; `long`, `size_t` and pointers have 32 bits.
// | Tests are in [t]/kept/tests.
// $ coax cover % --entry longer --max-runs 120 --no-mutate --out %t/longer
// | not covered  parameters.c:15 kept, 10 branches: proved: it is never called from this entry
// | not covered  parameters.c:30 behind, 2 branches: proved: it is never called from this entry
// | not covered  parameters.c:35 given, 2 branches: proved: it is never called from this entry
// | 2 tests, 0 failures; branches 2/16 (12 %), lines 3/17 (18 %), functions 1/4 (25 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/longer/tests.
// $ coax cover % --entry behind --out %t/behind || true
// | FAILS  trapped: memory access out of bounds at parameters.c:31:29  fails-MemoryOutOfBounds-line-31-58d022.json
// | not covered  parameters.c:15 kept, 10 branches: proved: it is never called from this entry
// | not covered  parameters.c:25 longer, 2 branches: proved: it is never called from this entry
// | not covered  parameters.c:35 given, 2 branches: proved: it is never called from this entry
// | 2 tests, 1 failure; branches 2/16 (12 %), lines 3/17 (18 %), functions 1/4 (25 %)
// | [work], [time]; there is nothing left to try
// | Tests are in [t]/behind/tests.
// $ coax cover % --entry given --out %t/given
// | not covered  parameters.c:36:9 to line 36: proved infeasible: no input takes it
// | not covered  parameters.c:15 kept, 10 branches: proved: it is never called from this entry
// | not covered  parameters.c:25 longer, 2 branches: proved: it is never called from this entry
// | not covered  parameters.c:30 behind, 2 branches: proved: it is never called from this entry
// | 1 test, 0 failures; branches 1/16 (6 %), lines 3/17 (18 %), functions 1/4 (25 %)
// | [work], [time]; all paths are explored
// | What is proved assumes: `pair` is not null and shares nothing with other pointers; what pointers lead to is where it is in these runs; `long`, `size_t` and pointers have 32 bits.
// | Tests are in [t]/given/tests.
