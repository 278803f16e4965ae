// A number as text; `2.5` is a solution.
//
//     coax cover examples/maths/decimal.c --entry decimal --unknown strtod --no-mutate
#include <stdlib.h>

int decimal(const char *text) {
    if (strtod(text, 0) == 2.5) {
        return -1; /* target */
    }
    return 0;
}
