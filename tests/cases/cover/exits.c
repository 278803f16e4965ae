// What follows a call counts only if the call came back: not where it ended the run by `exit` (line 38) or went away by `longjmp` (line 30), but
// where a run that ends by `exit` came past it before (line 41).
// REQUIRES: clang
// RUN: coax cover % --no-mutate --max-runs 40 --out %t/out | grep 'branches'
// RUN: for line in 30 32 37 38 40 41; do coax explain %t/out exits.c:$line | head -n 1 | sed 's/, for.*//'; done
// RUN: coax reach % --target exits.c:30 --target exits.c:32 --target exits.c:41 --out %t/reach | cut -c 1-23
// RUN: coax reach % --target exits.c:38 --no-mutate --max-runs 40 --out %t/reach | cut -c 1-23
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf back;
static int kept;

static void leave(int number) {
    if (number > 4)
        exit(number);
}

static void fail(int number) {
    if (number > 1)
        longjmp(back, 1);
}

int main(void) {
    int first = getchar();
    if (first == 'j') {
        if (setjmp(back) == 0) {
            fail(3);
            kept++;
        }
        kept = 7;
        return 6;
    }
    if (first == 'e') {
        kept = 1;
        leave(5);
        kept = 2;
    }
    leave(4);
    kept = 3;
    return 5;
}

// OUTPUT
// $ coax cover % --no-mutate --max-runs 40 --out %t/out | grep 'branches'
// | 3 tests, 0 failures; branches 12/14 (86 %), lines 18/21 (86 %), functions 3/3 (100 %)
// $ for line in 30 32 37 38 40 41; do coax explain %t/out exits.c:$line | head -n 1 | sed 's/, for.*//'; done
// | exits.c:30 is not covered
// | exits.c:32 is covered
// | exits.c:37 is covered
// | exits.c:38 is not covered
// | exits.c:40 is covered
// | exits.c:41 is covered
// $ coax reach % --target exits.c:30 --target exits.c:32 --target exits.c:41 --out %t/reach | cut -c 1-23
// | unreachable  exits.c:30
// | reached      exits.c:32
// | reached      exits.c:41
// $ coax reach % --target exits.c:38 --no-mutate --max-runs 40 --out %t/reach | cut -c 1-23
// | unknown      exits.c:38
// ! note: 2 tests of an earlier search, which was another one, are removed
