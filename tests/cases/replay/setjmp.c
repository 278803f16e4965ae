// setjmp and longjmp, across functions.
// REQUIRES: clang-22
// RUN: coax replay %
#include <setjmp.h>
#include <stdio.h>

static jmp_buf recovery;

static void parse(int depth) {
    if (depth == 3)
        longjmp(recovery, 42);
    parse(depth + 1);
    printf("not printed\n");
}

int main(void) {
    volatile int attempts = 0;
    int problem = setjmp(recovery);
    attempts++;
    if (problem == 0)
        parse(0);
    printf("problem %d, attempts %d\n", problem, attempts);
    return 0;
}

// OUTPUT
// $ coax replay %
// | ok    run: returned
// |       stdout | problem 42, attempts 2
