// What is dead because of what the host says of standard input is so for what it says only: a search from the target says this, too.
// REQUIRES: clang
// RUN: coax reach % --target terminal.c:12 --out %t/out
// EXIT: 3

#include <stdio.h>
#include <unistd.h>

int main(void)
{
    if (isatty(0)) {
        return 2;
    }
    int c = getchar();
    if (c == 'x') return 3;
    return 0;
}

// OUTPUT
// $ coax reach % --target terminal.c:12 --out %t/out
// | unreachable  terminal.c:12: what must hold on every way there contradicts itself: terminal.c:11:9
// | Assumed: all but symbolic input is as given: arguments, environment, other files, which streams are terminals, clock, random numbers, memory that is asked for.
