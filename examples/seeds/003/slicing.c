// Dinges 2014, figure 4.5: conditions that have nothing to do with the place that nothing reaches. CONDITIONS, 10, 100 or 1000, says how many; with FROM_INPUT, y
// depends on an input.
//
//     coax reach examples/seeds/003/slicing.c --entry slicing --target error
#ifndef CONDITIONS
#define CONDITIONS 10
#endif

int error(void) { return -1; }

#define ONE(x) if (x > 0) { z += x; } else { z -= x; }
#define TEN ONE(x[0]) ONE(x[1]) ONE(x[2]) ONE(x[3]) ONE(x[4]) ONE(x[5]) ONE(x[6]) ONE(x[7]) ONE(x[8]) ONE(x[9]) x += 10;
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

int slicing(const int *x, unsigned length, int a) {
    int z = 0;
    if (length < CONDITIONS) return 0;
#ifdef FROM_INPUT
    int y = a * 2;
#else
    (void)a;
#endif
#if CONDITIONS == 10
    TEN
#elif CONDITIONS == 100
    HUNDRED
#else
    HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
#endif
#ifndef FROM_INPUT
    int y = 0;
#endif
    if (y == 1) {
        return error();
    }
    return z;
}
