// Each way to fail has one test; a search that found a failure exits with 1.
// REQUIRES: clang
// RUN: coax cover % --entry risky --out %t/out
// EXIT: 1
// RUN: coax replay % --test %t/out/tests | grep FAIL

#include <stdlib.h>

int table[4] = {1, 2, 3, 4};

int risky(unsigned kind, unsigned n) {
    switch (kind) {
    case 0: return 100 / (n - 7);
    case 1: if (n == 12345) abort(); return 1;
    case 2: return n < 1000 ? table[n & 3] : *(volatile int *)(n << 16);
    case 3: while (n == 99) {} return 3;
    default: return 0;
    }
}

