// A run that goes on in straight-line code where all others ended becomes a test, and is looked for: behind an operator that trapped (`divide`, `put`), and behind
// a call that did not return (`twice`). It stays one if it came first (`step`).
// REQUIRES: clang
// RUN: coax cover % --entry divide --scope divide --no-mutate --out %t/divide | grep 'FAILS\|branches'
// RUN: coax cover % --entry put --scope put --no-mutate --out %t/put | grep 'FAILS\|branches'
// RUN: coax cover % --entry twice --scope twice --no-mutate --out %t/twice | grep 'FAILS\|branches'
// RUN: ls %t/divide/tests %t/put/tests %t/twice/tests | grep behind | sed 's/-[0-9a-f]*.json//'
// RUN: coax cover % --entry step --scope step --no-mutate --out %t/step | grep 'FAILS\|branches'
#include <stdlib.h>

int divide(int d, int k) {
    int r = 100 / d;
    k += r;
    k += 2;
    return k;
}

struct ring {
    unsigned head, size;
};

static int store[8];

int put(struct ring *ring, int value) {
    store[ring->head & 7] = value;
    unsigned next = ring->head + 1;
    ring->head = next % ring->size;
    store[0]++;
    return 1;
}

static void must(int holds) {
    if (!holds)
        exit(3);
}

int twice(int a, int b) {
    must(1);
    must(a == 5);
    store[0] = a;
    must(b == 6);
    store[1] = b;
    return 7;
}

int step(struct ring *ring, const int *data) {
    unsigned next = data[0] % ring->size;
    ring->head = next;
    return 1;
}

// OUTPUT
// $ coax cover % --entry divide --scope divide --no-mutate --out %t/divide | grep 'FAILS\|branches'
// | FAILS  trapped: integer divide by zero at straight_line.c:12:17  fails-IntegerDivideByZero-line-12-014f8b.json
// | 2 tests, 1 failure; branches 0/0, lines 4/4 (100 %), functions 1/1 (100 %)
// $ coax cover % --entry put --scope put --no-mutate --out %t/put | grep 'FAILS\|branches'
// | FAILS  trapped: integer divide by zero at straight_line.c:27:23  fails-IntegerDivideByZero-line-27-0be1ad.json
// | 2 tests, 1 failure; branches 0/0, lines 5/5 (100 %), functions 1/1 (100 %)
// $ coax cover % --entry twice --scope twice --no-mutate --out %t/twice | grep 'FAILS\|branches'
// | 1 test, 0 failures; branches 0/0, lines 6/6 (100 %), functions 1/1 (100 %)
// $ ls %t/divide/tests %t/put/tests %t/twice/tests | grep behind | sed 's/-[0-9a-f]*.json//'
// | divide-behind-line-12
// | put-behind-line-27
// | twice-behind-line-41
// $ coax cover % --entry step --scope step --no-mutate --out %t/step | grep 'FAILS\|branches'
// | FAILS  trapped: integer divide by zero at straight_line.c:47:29  fails-IntegerDivideByZero-line-47-54df42.json
// | 2 tests, 1 failure; branches 0/0, lines 3/3 (100 %), functions 1/1 (100 %)
