// A file of the user's is meant by its name, though the C library has one that is called the same.
// REQUIRES: clang
// RUN: coax reach % --target puts.c:8 --target ./puts.c:10 --no-mutate --max-runs 50 --out %t/out
#include <stdio.h>

int main(void) {
    if (getchar() == 'x')
        puts("x");
    else
        puts("something else");
    return 0;
}

// OUTPUT
// $ coax reach % --target puts.c:8 --target ./puts.c:10 --no-mutate --max-runs 50 --out %t/out
// | reached      puts.c:8  main-line-7-to-line-8-de1ae5.json
// | reached      ./puts.c:10  main-line-7-to-line-10-12acb1.json
