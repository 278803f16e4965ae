// Where a buffer is on the heap depends on how long those are that were made before it. A number that stands for an address that depends on the input is compared without
// where the buffer is: inputs of another length go the same way, and all go where they should.
// REQUIRES: clang
// RUN: coax cover % --entry pack --no-mutate --out %t/pack | grep -v 'never called'
// RUN: coax cover % --entry replace --no-mutate --out %t/replace | grep -v 'never called'
#include <stdlib.h>

int pack(unsigned char *dest, unsigned *destLen, unsigned index) {
    unsigned char *table = malloc(1 << 16);
    if (!table) return 1;
    table[index & 0xffff] = 1;
    if (*destLen > 30) return 2;
    dest[0] = 1;
    return 3;
}

struct pair {
    unsigned first, second;
};

int replace(unsigned char *dest, unsigned *destLen, unsigned index) {
    struct pair *table = calloc(1 << 13, sizeof *table);
    if (!table) return 1;
    table[index & 0x1fff].second = 1;
    if (*destLen > 30) return 2;
    if (*destLen == 12) {
        free(dest);
        return 3;
    }
    return 4;
}

// OUTPUT
// $ coax cover % --entry pack --no-mutate --out %t/pack | grep -v 'never called'
// | not covered  places.c:10:9 to line 10: it was reached, but may depend on what was replaced by a number in the runs that came here, first at places.c:11:27
// | 2 tests, 0 failures; branches 3/10 (30 %), lines 6/15 (40 %), functions 1/2 (50 %)
// | [work], [time]; there is nothing left to try
// | Tests are in [t]/pack/tests.
// $ coax cover % --entry replace --no-mutate --out %t/replace | grep -v 'never called'
// | not covered  places.c:23:9 to line 23: it was reached, but may depend on what was replaced by a number in the runs that came here, first at places.c:24:34
// | 3 tests, 0 failures; branches 5/10 (50 %), lines 9/15 (60 %), functions 1/2 (50 %)
// | [work], [time]; there is nothing left to try
// | Tests are in [t]/replace/tests.
