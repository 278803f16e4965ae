// What cannot be unknown, or is no function.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown nothing --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --unknown f --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --unknown hash --imprecision wrong --out %t/out
// EXIT: 2
// RUN: coax cover % --entry f --unknown counting --no-mutate --out %t/out
// RUN: coax cover % --entry f --unknown growing --no-mutate --out %t/growing
#include <stdlib.h>

static int counting(int value) {
    static int calls;
    return value * 3 + calls++;
}

static int growing(int value) {
    char *block = malloc(1 << 20);
    int is_there = block != 0;
    free(block);
    return value * 3 + is_there;
}

int f(int x, int y) {
    if (counting(x) == 30)
        return 1;
    if (counting(x) == 31)
        return 2;
    return growing(y) == 16;
}

