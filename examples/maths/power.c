// A cube that is given; 3 is the solution.
//
//     coax cover examples/maths/power.c --entry power --unknown pow --no-mutate
#include <math.h>

int power(double x) {
    if (pow(x, 3.0) == 27.0) {
        return -1; /* target */
    }
    return 0;
}
