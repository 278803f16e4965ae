// Where a pointer leads to is no part of a test in C: only whether it leads somewhere.
// REQUIRES: clang cc
// RUN: for f in found made handler; do coax cover % --entry $f --emit c --out %t/$f > %t/said; grep '^/\* returned\|^    COAX_' %t/$f/c/tests.c; done
// RUN: cc -fwrapv -I. -o %t/tests %t/found/c/tests.c -lm && %t/tests | tail -n 1

#include <stdlib.h>

typedef const struct entry { int key; } *entry;
static const struct entry table[2] = {{5}, {9}};

entry found(int key) {
    for (int i = 0; i < 2; i++)
        if (table[i].key == key) return &table[i];
    return NULL;
}

char *const made(int size) {
    if (size == 3) return malloc(3);
    return NULL;
}

int (*handler(int kind))(int) {
    if (kind == 7) return abs;
    return NULL;
}

// OUTPUT
// $ for f in found made handler; do coax cover % --entry $f --emit c --out %t/$f > %t/said; grep '^/\* returned\|^    COAX_' %t/$f/c/tests.c; done
// | /* returned null */
// |     COAX_NULL(found(0));
// | /* returned a pointer */
// |     COAX_NOT_NULL(found(5));
// | /* returned null */
// |     COAX_NULL(made(0));
// | /* returned a pointer */
// |     COAX_NOT_NULL(made(3));
// | /* returned null */
// |     COAX_NULL(handler(0));
// | /* returned a pointer */
// |     COAX_NOT_NULL(handler(7));
// $ cc -fwrapv -I. -o %t/tests %t/found/c/tests.c -lm && %t/tests | tail -n 1
// | 2 tests, 0 failed
