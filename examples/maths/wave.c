// A value that must be a sine: known as soon as one sine is.
//
//     coax cover examples/maths/wave.c --entry wave --unknown sin --no-mutate
#include <math.h>

int wave(double phase, double height) {
    if (phase > 1.0 && phase < 2.0 && height == sin(phase)) {
        return -1; /* target */
    }
    return 0;
}
