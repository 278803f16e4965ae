// Functions without branches are covered by being entered: a test that is there for one of them stays as long as it needs to be, and is not taken for superfluous.
// REQUIRES: clang
// RUN: coax cover % --no-mutate --max-runs 300 --out %t/out | grep 'tests,'
// RUN: coax replay % --test %t/out/tests --coverage | grep "tests\|in scope" | grep -v ok

#include <stdio.h>

static int total;
static void nothing(void) {}
static void add(void) { total += 3; }
static void twice(void) { total *= 2; }
static void back(void) { total -= 1; }
static void (*const handlers[4])(void) = {nothing, add, twice, back};

int main(void) {
    int c = getchar();
    handlers[c & 3]();
    c = getchar();
    handlers[(c >> 2) & 3]();
    return total;
}

// OUTPUT
// $ coax cover % --no-mutate --max-runs 300 --out %t/out | grep 'tests,'
// | 3 tests, 0 failures; branches 0/0, lines 9/9 (100 %), functions 5/5 (100 %)
// $ coax replay % --test %t/out/tests --coverage | grep "tests\|in scope" | grep -v ok
// | 3 tests, 0 failed
// |   in scope      branches 0/0, selects 0/0, functions 5/5
