// Godefroid 2011, section 3.2 and example 7: the error needs the hash of 10, which a test in between has to ask for.
//
//     coax cover examples/seeds/000/foo.c --entry foo --unknown hash --no-mutate
#include "hash.h"

int foo(int x, int y) {
    if (x == hash(y)) {
        if (y == 10) {
            return -1; /* target */
        }
        return 1;
    }
    return 0;
}
