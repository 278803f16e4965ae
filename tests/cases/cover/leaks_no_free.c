// What coax itself has allocated is no leak, though the program has no function that frees it.
// REQUIRES: clang
// RUN: coax cover % --entry first --leaks --max-len 8 --out %t/1 | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry keep --leaks --max-len 8 --out %t/2 | grep -o 'FAILS.* at [^ ]*'
#include <stdlib.h>

int first(const char *text, char *changed) {
    char *block = 0;
    if (*text == 'x') block = malloc(1);
    static char *kept;
    kept = block;
    return *text == 'a' ? *changed : kept != 0;
}

int keep(const char *text) {
    char *block = malloc(2);
    return *text == 'a' && block;
}

// OUTPUT
// $ coax cover % --entry first --leaks --max-len 8 --out %t/1 | grep -c FAILS
// | 0
// $ coax cover % --entry keep --leaks --max-len 8 --out %t/2 | grep -o 'FAILS.* at [^ ]*'
// | FAILS  memory leak at leaks_no_free.c:17:19
