// A narrow range of sines; 0.52359882 is in it.
//
//     coax cover examples/maths/sine.c --entry sine --unknown sin --no-mutate
#include <math.h>

int sine(double x) {
    double y = sin(x);
    if (y > 0.5 && y < 0.5000001) {
        return -1; /* target */
    }
    return 0;
}
