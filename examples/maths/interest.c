// What a sum becomes in some years: rate = 0.05, years = 15 is a solution.
//
//     coax cover examples/maths/interest.c --entry interest --unknown pow --no-mutate
#include <math.h>

int interest(double rate, int years) {
    if (rate <= 0.0 || rate > 0.2) return -2;
    if (years < 1 || years > 30) return -3;
    double factor = pow(1.0 + rate, years);
    if (factor > 2.0 && factor < 2.1) {
        return -1; /* target */
    }
    return 0;
}
