// C tests of functions that are given structures, and of programs that call functions which no C library has: the tests have them.
// REQUIRES: clang cc
// RUN: coax cover % --entry inside --scope inside --emit c --out %t/1 2>/dev/null | grep test
// RUN: cc -fwrapv -I. -o %t/run1 %t/1/c/tests.c && %t/run1 | tail -n 1
// RUN: coax cover % --entry is_red --scope is_red --emit c --out %t/2 2>/dev/null | grep test
// RUN: cc -fwrapv -I. -o %t/run2 %t/2/c/tests.c && %t/run2 | tail -n 1
// RUN: coax cover % --scope main --emit c --out %t/3 2>/dev/null | grep test
// RUN: cc -fwrapv -I. -o %t/run3 %t/3/c/tests.c && %t/run3 | tail -n 1

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_assert(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);

struct point {
    int x, y;
};
struct box {
    struct point from, to;
};
int inside(struct box box, struct point point) {
    if (point.x < box.from.x || point.x > box.to.x) return 0;
    return point.y >= box.from.y && point.y <= box.to.y;
}

struct colour {
    unsigned number;
};
int is_red(struct colour colour) { return colour.number == 0xff0000; }

int main(void) {
    __VERIFIER_atomic_begin();
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_atomic_end();
    __VERIFIER_assume(x > 3);
    __VERIFIER_assert(y != 20);
    if (x == 17) reach_error();
    return 0;
}

// OUTPUT
// $ coax cover % --entry inside --scope inside --emit c --out %t/1 2>/dev/null | grep test
// | 4 tests, 0 failures; branches 6/6 (100 %), lines 3/3 (100 %), functions 1/1 (100 %)
// | Tests are in [t]/1/tests.
// $ cc -fwrapv -I. -o %t/run1 %t/1/c/tests.c && %t/run1 | tail -n 1
// | 4 tests, 0 failed
// $ coax cover % --entry is_red --scope is_red --emit c --out %t/2 2>/dev/null | grep test
// | 1 test, 0 failures; branches 0/0, lines 1/1 (100 %), functions 1/1 (100 %)
// | Tests are in [t]/2/tests.
// $ cc -fwrapv -I. -o %t/run2 %t/2/c/tests.c && %t/run2 | tail -n 1
// | 1 tests, 0 failed
// $ coax cover % --scope main --emit c --out %t/3 2>/dev/null | grep test
// | FAILS  assertion failed at c_tests_by_value.c:38:5  fails-Assertion-line-38-bf83df.json
// | FAILS  assertion failed (an error was reached) at c_tests_by_value.c:39:18  fails-Assertion-line-39-01d601.json
// | 3 tests, 2 failures; branches 2/2 (100 %), lines 7/7 (100 %), functions 1/1 (100 %)
// | Tests are in [t]/3/tests.
// $ cc -fwrapv -I. -o %t/run3 %t/3/c/tests.c && %t/run3 | tail -n 1
// | 3 tests, 0 failed
