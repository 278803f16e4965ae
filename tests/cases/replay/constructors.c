// Constructors run before any function that is entered, and only once before main.
// REQUIRES: clang
// RUN: coax replay % --entry answer
// RUN: coax replay % --entry main -- 1 2
// RUN: coax replay %

#include <stdio.h>

static int constructed;

__attribute__((constructor)) static void construct(void) { constructed += 1; }

int answer(void) { return 41 + constructed; }

int main(int argc, char **argv) {
    printf("%d arguments, constructed %d times\n", argc - 1, constructed);
    return 0;
}

// OUTPUT
// $ coax replay % --entry answer
// | ok    run: returned i32 42
// $ coax replay % --entry main -- 1 2
// | ok    run: returned
// |       stdout | 2 arguments, constructed 1 times
// $ coax replay %
// | ok    run: returned
// |       stdout | 0 arguments, constructed 1 times
