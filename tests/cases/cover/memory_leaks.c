// Leaks are failures if one asks for them.
// REQUIRES: clang
// RUN: coax cover % --entry forgets --out %t/1 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry forgets --leaks --out %t/2 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry forgets_not --leaks --out %t/3 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry overwrites --leaks --out %t/4 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry keeps --leaks --out %t/5 2>/dev/null | grep -c FAILS
// EXIT: 1

#include <stdlib.h>

static int early_return(int key, int frees) {
    char *buffer = malloc(30);
    if (!buffer) return -1;
    if (key == 65537) {
        if (frees) free(buffer);
        return 1;
    }
    free(buffer);
    return 0;
}
int forgets(int key) { return early_return(key, 0); }
int forgets_not(int key) { return early_return(key, 1); }

static char *current;
static int replace(int times, int frees) {
    for (int i = 0; i < times && i < 3; i++) {
        if (frees) free(current);
        current = malloc(5);
    }
    return times;
}
int overwrites(int times) { return replace(times, 0); }
int keeps(int times) { return replace(times, 1); }

// OUTPUT
// $ coax cover % --entry forgets --out %t/1 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry forgets --leaks --out %t/2 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  memory leak at memory_leaks.c:15:20
// $ coax cover % --entry forgets_not --leaks --out %t/3 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry overwrites --leaks --out %t/4 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  memory leak at memory_leaks.c:31:19
// $ coax cover % --entry keeps --leaks --out %t/5 2>/dev/null | grep -c FAILS
// | 0
