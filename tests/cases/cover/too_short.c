// An access behind a buffer is found though no decision depends on it.
// REQUIRES: clang
// RUN: coax cover % --entry LLVMFuzzerTestOneInput --out %t/1 | grep FAILS
// RUN: coax cover % --entry checked --out %t/2 | grep -c FAILS
// EXIT: 1
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4) return 0;
    if (data[0] == 'H' && data[1] == 'D' && data[2] == 'R') return data[4] == 1;
    return 0;
}

int checked(const uint8_t *data, size_t size) {
    if (size < 4) return 0;
    if (data[0] == 'H' && data[1] == 'D' && data[2] == 'R' && size > 4) return data[4] == 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry LLVMFuzzerTestOneInput --out %t/1 | grep FAILS
// | FAILS  trapped: memory access out of bounds at too_short.c:11:68  fails-MemoryOutOfBounds-line-11-acae76.json
// $ coax cover % --entry checked --out %t/2 | grep -c FAILS
// | 0
