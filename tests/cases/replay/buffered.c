// What a program printed before it trapped is shown; what it did not finish to print, the C library holds back.
// REQUIRES: clang
// RUN: coax replay %
// EXIT: 1

#include <stdio.h>

int main(void) {
    printf("a line\nno line");
    __builtin_trap();
}

// OUTPUT
// $ coax replay %
// | FAIL  run: trapped: unreachable at buffered.c:10:5 in main
// |       stdout | a line
// |         at buffered.c:10:5 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
