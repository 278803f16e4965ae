// Lengths and what they count, as C libraries have them: behind and before pointers, through pointers, one for several. An object is exactly as long as
// its length says: what is read behind it is a failure, nothing else is.
// REQUIRES: clang cc
// RUN: coax cover % --entry sum --max-runs 60 --scope sum --emit c --out %t/sum
// RUN: cc -fwrapv -I. -o %t/sum/run %t/sum/c/tests.c -lm && %t/sum/run | tail -n 1
// RUN: coax cover % --entry unpack --max-runs 60 --scope unpack --emit c --out %t/unpack
// RUN: cc -fwrapv -I. -o %t/unpack/run %t/unpack/c/tests.c -lm && %t/unpack/run | tail -n 1
// RUN: coax cover % --entry dot --max-runs 60 --scope dot --emit c --out %t/dot
// RUN: cc -fwrapv -I. -o %t/dot/run %t/dot/c/tests.c -lm && %t/dot/run | tail -n 1
// RUN: coax cover % --entry behind --max-runs 60 --scope behind --out %t/behind | grep FAILS
// RUN: coax init % --entry unpack --out %t/harness.c && coax cover % %t/harness.c --entry harness_unpack --max-runs 60 --scope unpack --out %t/harness

#include <stddef.h>
#include <string.h>

int sum(const void *data, unsigned len) {
    const unsigned char *bytes = data;
    if (len == 3 && bytes[len - 1] == 77) return 1;
    return 0;
}

int unpack(const void *in, unsigned in_len, void *out, size_t *out_len) {
    if (in_len > *out_len) return -1;
    memcpy(out, in, in_len);
    *out_len = in_len;
    if (in_len == 3 && ((char *)out)[2] == 'z') return 1;
    return 0;
}

long dot(const int *a, const short *unused, const int *b, const int *c, size_t n) {
    long sum = 0;
    if (n == 2 && b[1] == 5 && c[1] == 7) return -1;
    for (size_t i = 0; i < n; i++) sum += b[i] * c[i];
    return sum + *a + *unused;
}

int behind(const int *a, const int *b, size_t n) {
    if (n == 2 && a[1] == 5) return b[n];
    return 0;
}

// OUTPUT
// $ coax cover % --entry sum --max-runs 60 --scope sum --emit c --out %t/sum
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 3/3 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/sum/tests.
// $ cc -fwrapv -I. -o %t/sum/run %t/sum/c/tests.c -lm && %t/sum/run | tail -n 1
// | 3 tests, 0 failed
// $ coax cover % --entry unpack --max-runs 60 --scope unpack --emit c --out %t/unpack
// | 4 tests, 0 failures; branches 8/8 (100 %), lines 6/6 (100 %), functions 1/1 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/unpack/tests.
// $ cc -fwrapv -I. -o %t/unpack/run %t/unpack/c/tests.c -lm && %t/unpack/run | tail -n 1
// | 4 tests, 0 failed
// $ coax cover % --entry dot --max-runs 60 --scope dot --emit c --out %t/dot
// | 4 tests, 0 failures; branches 8/8 (100 %), lines 4/4 (100 %), functions 1/1 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/dot/tests.
// $ cc -fwrapv -I. -o %t/dot/run %t/dot/c/tests.c -lm && %t/dot/run | tail -n 1
// | 4 tests, 0 failed
// $ coax cover % --entry behind --max-runs 60 --scope behind --out %t/behind | grep FAILS
// | FAILS  trapped: memory access out of bounds at lengths.c:38:37  fails-MemoryOutOfBounds-line-38-1418d8.json
// $ coax init % --entry unpack --out %t/harness.c && coax cover % %t/harness.c --entry harness_unpack --max-runs 60 --scope unpack --out %t/harness
// | wrote [t]/harness.c
// | 4 tests, 0 failures; branches 8/8 (100 %), lines 6/6 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/harness/tests.
