// Godefroid 2011, example 4: that a hash is positive is known of those arguments only that were seen.
//
//     coax cover examples/seeds/000/pub.c --entry pub --unknown hash --no-mutate
#include "hash.h"

int pub(int x, int y) {
    if (hash(x) > 0 && y == 10) {
        return -1; /* target */
    }
    return 0;
}
