// What a function of the C library decides inside is too hard as well, and nobody wants to cover it: the function that the program calls becomes unknown, not one of
// those that it is made of.
// REQUIRES: clang
// RUN: coax cover % --entry price --no-mutate --max-runs 160 --out %t/out

#include <math.h>

int price(double factor, int seats) {
    if (!(factor >= 0 && factor <= 10)) return 1;
    if (seats < 1 || seats > 1000) return 2;
    if (pow(factor, 3.0) == 27.0) return 3;
    if (sin(factor) * seats > 999.9) return 4;
    double sum = exp(factor) * seats;
    if (sum > 5000.0 && sum < 5001.0) return 5;
    return 0;
}

// OUTPUT
// $ coax cover % --entry price --no-mutate --max-runs 160 --out %t/out
// | 9 tests, 0 failures; branches 16/16 (100 %), lines 8/8 (100 %), functions 1/1 (100 %)
// | [work], [time]; there is nothing left to try
// | `exp` became unknown, for what it does at libc-top-half/musl/src/math/exp.c:121 is too hard to follow: [n] values seen, [n] direct calls; failures in it were not searched for
// | `pow` became unknown, for what it gives is too hard to follow at library_maths.c:11:26: [n] values seen, [n] direct calls; failures in it were not searched for
// | `__rem_pio2` became unknown, for what it does at libc-top-half/musl/src/math/__rem_pio2.c:61:6 is too hard to follow: no call of it was seen; failures in it were not searched for
// | `sin` became unknown, for what it does at libc-top-half/musl/src/math/sin.c:66:6 is too hard to follow: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
