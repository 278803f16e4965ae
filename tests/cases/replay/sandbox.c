// The program sees no file, variable or clock of this machine.
// REQUIRES: clang
// RUN: HOST_SECRET=1 coax replay % -- "$PWD/%" /etc/passwd ../sandbox.c
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        printf("%s\n", fopen(argv[i], "r") ? "opened" : "not there");
    printf("%s\n", getenv("HOST_SECRET") ? "visible" : "no such variable");
    printf("%s\n", time(NULL) < 1600000000 ? "another time" : "the time of this machine");
    return 0;
}

// OUTPUT
// $ HOST_SECRET=1 coax replay % -- "$PWD/%" /etc/passwd ../sandbox.c
// | ok    run: returned
// |       stdout | not there
// |       stdout | not there
// |       stdout | not there
// |       stdout | no such variable
// |       stdout | another time
