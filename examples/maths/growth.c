// Two exponentials, one within a range, the other above the first; a = 3.0, b = 3.5 is a solution.
//
//     coax cover examples/maths/growth.c --entry growth --unknown exp --no-mutate
#include <math.h>

int growth(double a, double b) {
    if (exp(a) > 20.0 && exp(a) < 20.5) {
        if (exp(b) > exp(a) + 10.0) {
            return -1; /* target */
        }
        return 1;
    }
    return 0;
}
