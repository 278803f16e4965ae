// Godefroid 2011, example 3: no test is valid for the error, because not every function has such x and y.
//
//     coax cover examples/seeds/000/bar.c --entry bar --unknown hash --no-mutate
#include "hash.h"

int bar(int x, int y) {
    if (x == hash(y) && y == hash(x)) {
        return -1; /* target */
    }
    return 0;
}
