// Godefroid 2011, example 2: nearly every x will do, but y must not stay as it was.
//
//     coax cover examples/seeds/000/foo_bis.c --entry foo_bis --unknown hash --no-mutate
#include "hash.h"

int foo_bis(int x, int y) {
    if (x != hash(y)) {
        if (y == 10) {
            return -1; /* target */
        }
        return 1;
    }
    return 0;
}
