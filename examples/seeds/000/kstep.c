// Godefroid 2011, after example 7: K - 1 values of the hash, each the argument of the next. It is one condition, so that
// nothing is learned on the way but values of the function.
//
//     coax cover examples/seeds/000/kstep.c --cflags -DK=4 --entry kstep --unknown hash --no-mutate
//     coax cover examples/seeds/000/kstep.c --cflags -DK=4 --entry kstep --unknown hash --no-mutate --no-direct-calls
#include "hash.h"

#ifndef K
#define K 4
#endif

int kstep(int x1, int x2, int x3, int x4, int x5, int x6) {
#if K == 2
    int reached = (x1 == hash(x2)) & (x2 == 7);
#elif K == 3
    int reached = (x1 == hash(x2)) & (x2 == hash(x3)) & (x3 == 7);
#elif K == 4
    int reached = (x1 == hash(x2)) & (x2 == hash(x3)) & (x3 == hash(x4)) & (x4 == 7);
#elif K == 5
    int reached = (x1 == hash(x2)) & (x2 == hash(x3)) & (x3 == hash(x4)) & (x4 == hash(x5)) & (x5 == 7);
#elif K == 6
    int reached = (x1 == hash(x2)) & (x2 == hash(x3)) & (x3 == hash(x4)) & (x4 == hash(x5)) & (x5 == hash(x6)) & (x6 == 7);
#else
#error "K is 2 to 6"
#endif
    if (reached) {
        return -1; /* target */
    }
    return 0;
}
