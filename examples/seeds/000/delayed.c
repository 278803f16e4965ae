// Godefroid 2011, end of section 3.3: the hash is computed before the error, but no condition uses it.
//
//     coax cover examples/seeds/000/delayed.c --entry delayed --unknown hash --no-mutate
#include "hash.h"

int delayed(int y) {
    int z = hash(y);
    if (y == 10) {
        return -1; /* target */
    }
    return z;
}
