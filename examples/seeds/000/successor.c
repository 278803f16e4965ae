// Godefroid 2011, example 6: solved by two values that were seen, f(0) = 0 and f(1) = 1.
//
//     coax cover examples/seeds/000/successor.c --entry successor --unknown f --no-mutate --seeds examples/seeds/000/successor
#include "hash.h"

static int f(int value) { return value < 2 ? value : hash(value); }

int successor(int x, int y) {
    if (f(x) == f(y) + 1) {
        return -1; /* target */
    }
    return 0;
}
