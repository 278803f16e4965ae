// What C programs find on any host: megabytes of stack, and printf for long double.
// REQUIRES: clang
// RUN: coax replay %
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[4000000];
    memset(buffer, 'x', sizeof buffer);
    printf("%c %Lg\n", buffer[sizeof buffer - 1], 1.5L);
    return 0;
}

// OUTPUT
// $ coax replay %
// | ok    run: returned
// |       stdout | x 1.5
