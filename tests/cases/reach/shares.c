// One place that is hard takes nothing away from those behind it: each has effort of its own.
// REQUIRES: clang
// RUN: coax reach % --entry f --target %:10 --target %:12 --no-mutate --max-runs 1 --out %t/out
// EXIT: 4

#include <math.h>

int f(double y, int n) {
    if (exp(y) < -1)
        return 4;
    if (n % 7 == 9)
        return 10;
    return 0;
}

// OUTPUT
// $ coax reach % --entry f --target %:10 --target %:12 --no-mutate --max-runs 1 --out %t/out
// | unknown      shares.c:10: as many runs as allowed (`--max-runs`); backwards, solvers would take too long
// | unreachable  shares.c:12: what must hold on every way there contradicts itself: shares.c:11:15
