// A length that is beyond all memory is an access out of bounds, not a run without an end: in plain runs, in runs with terms, and in stored tests.
// REQUIRES: clang
// RUN: coax replay % --entry set --param 4294967295
// EXIT: 1
// RUN: coax replay % --entry set --param 4294967295 --fuel 1000
// EXIT: 1
// RUN: coax replay % --entry copy --param -1 --coverage | head -n 1
// RUN: coax replay % --entry set --param 3000 --fuel 1000
// EXIT: 1
// RUN: coax cover % --entry copy --scope copy --no-mutate --out %t/out | grep 'FAILS\|branches\|limit'
// RUN: coax replay % --test %t/out/tests | grep -c 'as expected'
// RUN: coax dump path % --entry copy --param -1 | grep trap
#include <string.h>

static char text[4096];

int set(unsigned n) {
    memset(text, 1, n);
    return text[3];
}

int copy(int n) {
    char other[64];
    memcpy(other, text, n);
    return other[n & 7];
}

// OUTPUT
// $ coax replay % --entry set --param 4294967295
// | FAIL  run: trapped: memory access out of bounds at range_length.c:18:5 in set
// $ coax replay % --entry set --param 4294967295 --fuel 1000
// | FAIL  run: trapped: memory access out of bounds at range_length.c:18:5 in set
// $ coax replay % --entry copy --param -1 --coverage | head -n 1
// | FAIL  run: trapped: memory access out of bounds at range_length.c:24:5 in copy
// $ coax replay % --entry set --param 3000 --fuel 1000
// | FAIL  run: ran out of fuel at range_length.c:18:5 in set
// |       limit met: fuel; `--fuel` raises it
// $ coax cover % --entry copy --scope copy --no-mutate --out %t/out | grep 'FAILS\|branches\|limit'
// | FAILS  trapped: memory access out of bounds at range_length.c:24:5  fails-MemoryOutOfBounds-line-24-c60157.json
// | 2 tests, 1 failure; branches 2/2 (100 %), lines 3/3 (100 %), functions 1/1 (100 %)
// $ coax replay % --test %t/out/tests | grep -c 'as expected'
// | 1
// $ coax dump path % --entry copy --param -1 | grep trap
// | site5 range_length.c:24:5  trapped memory access out of bounds  (not (and (ule 0x7fffc0:64 (sub 0x810000:64 (zext 64 n))) (ult n 0x810001:32)))
// | trapped: memory access out of bounds at range_length.c:24:5 in copy
