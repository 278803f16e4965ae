// coax-cc reads a program from its standard input, as `cc -xc -` does; values may be joined to their flags.
// REQUIRES: clang
// RUN: coax-cc -xc - -o%t/program < % && coax replay %t/program
#include <stdio.h>

int main(void) {
    puts("from standard input");
    return 0;
}

// OUTPUT
// $ coax-cc -xc - -o%t/program < % && coax replay %t/program
// | ok    run: returned
// |       stdout | from standard input
