// Dinges 2014, figure 3.1 (`hard-loop`): a loop whose result is right after 1024 rounds, and a sine.
//
//     coax reach examples/seeds/003/challenges.c --entry challenges --target error
#include <math.h>

int error(void) { return -1; }

int challenges(int x, double u) {
    int res = 0;
    int i = 0;
    while (i < x) {
        int tmp = i % 2;
        if (tmp == 0) {
            res = res - 1;
        } else {
            res = res + 17;
        }
        i++;
    }
    if (res == 8192) {
        if (sin(u) > 0) {
            return error();
        }
    }
    return 0;
}
