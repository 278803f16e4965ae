// A run that reaches a place is a test though it covers no branch that others have not covered, and though it fails as others did after it got there.
// REQUIRES: clang
// RUN: coax reach % --entry f --target %:17 --no-mutate --max-runs 30 --strategy forward --out %t/one | sed 's/-[0-9a-f]*.json//'
// RUN: coax reach % --entry g --target %:25 --no-mutate --max-runs 30 --strategy forward --out %t/two | sed 's/-[0-9a-f]*.json//'

#include <stdlib.h>

static int counter;

static void only(unsigned x) {
    if (x != 4711) abort();
}

int f(unsigned x) {
    if (x > 10) {
        only(x);
        counter = 1;
    }
    return counter;
}

int g(unsigned x) {
    if (x > 10) {
        only(x);
        counter = 2;
        only(0);
    }
    return counter;
}

// OUTPUT
// $ coax reach % --entry f --target %:17 --no-mutate --max-runs 30 --strategy forward --out %t/one | sed 's/-[0-9a-f]*.json//'
// | FAILS  abort at nothing_new.c:11:20  fails-Abort-line-11
// | reached      nothing_new.c:17  only-line-11-to-line-12
// $ coax reach % --entry g --target %:25 --no-mutate --max-runs 30 --strategy forward --out %t/two | sed 's/-[0-9a-f]*.json//'
// | FAILS  abort at nothing_new.c:11:20  fails-Abort-line-11
// | reached      nothing_new.c:25  fails-Abort-line-11
