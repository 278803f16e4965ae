// A sine: what it does depends on the bits of its argument and on the quarter of the circle that this is in.
//
//     coax reach examples/seeds/003/sine.c --entry probe --target no_number --target steep
#include <stdint.h>
#include <string.h>

int no_number(void) { return -1; }
int steep(void) { return 1; }

// Half of pi, in two parts.
static const double HALF_PI = 1.57079632679489655800, REST = 6.12323399573676603587e-17;

static double sine_near_zero(double x) {
    double square = x * x;
    return x * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))));
}

static double cosine_near_zero(double x) {
    double square = x * x;
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56)));
}

static double sine(double x, int *quarter) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t size = bits >> 32 & 0x7fffffff;
    *quarter = 0;
    if (size >= 0x7ff00000) return x - x;
    // Below a quarter of pi nothing is to be done; above a million there is nothing left.
    if (size < 0x3fe921fb) return sine_near_zero(x);
    if (size >= 0x412e8480) return 0;
    int turns = (int)(x / HALF_PI + (x < 0 ? -0.5 : 0.5));
    double rest = x - turns * HALF_PI - turns * REST;
    *quarter = turns & 3;
    switch (*quarter) {
    case 0: return sine_near_zero(rest);
    case 1: return cosine_near_zero(rest);
    case 2: return -sine_near_zero(rest);
    default: return -cosine_near_zero(rest);
    }
}

int probe(double x) {
    int quarter;
    double y = sine(x, &quarter);
    if (y != y) return no_number();
    if (quarter == 3 && x > 100 && y < -0.99) return steep();
    return 0;
}
