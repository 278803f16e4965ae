// Godefroid 2011, introduction: whoever knows one value of the hash reaches the error.
//
//     coax cover examples/seeds/000/obscure.c --entry obscure --unknown hash --no-mutate
#include "hash.h"

int obscure(int x, int y) {
    if (x == hash(y)) {
        return -1; /* target */
    }
    return 0;
}
