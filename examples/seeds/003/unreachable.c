// Dinges 2014, figure 4.4: conditions before a place that nothing reaches. CONDITIONS, a multiple of ten, says how many.
//
//     coax reach examples/seeds/003/unreachable.c --entry unreachable --target error
#ifndef CONDITIONS
#define CONDITIONS 10
#endif

int error(void) { return -1; }

#define ONE(x) if (x > 0) { y = y + 1; } else { y = y + 2; }
#define TEN ONE(x[0]) ONE(x[1]) ONE(x[2]) ONE(x[3]) ONE(x[4]) ONE(x[5]) ONE(x[6]) ONE(x[7]) ONE(x[8]) ONE(x[9]) x += 10;
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

int unreachable(const int *x, unsigned length) {
    int y = 0;
    if (length < CONDITIONS) return 0;
#if CONDITIONS == 10
    TEN
#elif CONDITIONS == 100
    HUNDRED
#else
    HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED
#endif
    if (y > 0) {
        if (y == 0) {
            return error();
        }
    }
    return y;
}
