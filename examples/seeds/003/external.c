// Dinges 2014, figure 4.3: the bits of a float.
//
//     coax reach examples/seeds/003/external.c --entry external --target error
#include <string.h>

int error(void) { return -1; }

int external(float u) {
    int v;
    memcpy(&v, &u, sizeof v);
    if (v == 0) return error();
    return 0;
}
