// Strings on the heap: how much room a search gives the first changes where the second is, and that is no divergence.
// REQUIRES: clang
// RUN: coax cover % --entry second --max-len 40 --out %t/out --json | grep '"divergences"\|"explored"'
#include <stdlib.h>

char *second(char *first, char *second) {
    if (*first == ' ' && first[1] == 'x') second++;
    return second;
}

void *other(void) { return malloc(3); }

// OUTPUT
// $ coax cover % --entry second --max-len 40 --out %t/out --json | grep '"divergences"\|"explored"'
// |   "divergences": 0,
// |   "explored": true,
