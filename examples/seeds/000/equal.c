// Godefroid 2011, example 5: whatever the function is, equal arguments have equal values.
//
//     coax cover examples/seeds/000/equal.c --entry equal --unknown f --no-mutate
#include "hash.h"

static int f(int value) { return hash(value); }

// A first run is on zeros, where both were equal if y were a parameter.
int equal(int x, int before) {
    int y = before + 1;
    if (f(x) == f(y)) {
        return -1; /* target */
    }
    return 0;
}
