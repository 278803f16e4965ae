// coax-cc stands in for the compiler of an existing build and leaves a wasm program behind.
// REQUIRES: clang
// RUN: coax-cc -c -DGREETING='"ahoy"' % -o %t/part.o && coax-cc %t/part.o -o %t/program && coax replay %t/program
#include <stdio.h>

int main(void) {
    puts(GREETING);
    return 0;
}

// OUTPUT
// $ coax-cc -c -DGREETING='"ahoy"' % -o %t/part.o && coax-cc %t/part.o -o %t/program && coax replay %t/program
// | ok    run: returned
// |       stdout | ahoy
