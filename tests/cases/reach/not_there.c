// Lines that no run executes, though it comes near: what a compiler makes where ways join may bear the line before, and who calls `exit` does not come back.
// REQUIRES: clang
// RUN: coax reach % --entry joins --target %:15 --time 5s --out %t/joins
// EXIT: 3
// RUN: coax reach % --entry leaves --target %:29 --max-runs 50 --strategy forward --out %t/leaves
// EXIT: 4

#include <stdlib.h>
#include <string.h>

volatile int sink;

int joins(unsigned x) {
    if (x > 5 && x < 3) {
        sink = 3;
    }
    char buffer[16] = {0};
    memcpy(buffer + 3, &x, 4);
    return buffer[5];
}

static void fail(int code) {
    exit(code);
}

void leaves(int x) {
    if (x == 7) {
        fail(4);
        sink = 99;
    }
    sink = 1;
}

// OUTPUT
// $ coax reach % --entry joins --target %:15 --time 5s --out %t/joins
// | unreachable  not_there.c:15: what must hold on every way there contradicts itself: not_there.c:14:15
// $ coax reach % --entry leaves --target %:29 --max-runs 50 --strategy forward --out %t/leaves
// | unknown      not_there.c:29: all paths are explored; it was not searched for backwards (`--strategy forward`)
