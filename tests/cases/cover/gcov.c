// The emitted C tests keep what gcov counts, however a test ends: by returning, by `exit`, by `abort`, by a signal. gcov and coax agree on the lines.
// REQUIRES: clang
// REQUIRES: gcc
// REQUIRES: gcov
// RUN: coax cover % --entry grade --out %t/out --emit c | grep branches
// EXIT: 1
// RUN: gcc -w -fwrapv --coverage -I. -o %t/tests %t/out/c/tests.c -lm && %t/tests | tail -n 1
// RUN: cd %t && gcov *.gcda | grep -A 1 'gcov.c.$'; grep '####' gcov.c.gcov
// RUN: for line in 14 16 18 21 23; do coax explain %t/out gcov.c:$line | head -n 1 | sed 's/, for.*//'; done
#include <stdlib.h>

int grade(int code, const int *from) {
    if (code < 0)
        abort();
    if (code == 5)
        exit(3);
    if (code == 7)
        return *(volatile const int *)from;
    for (int i = 0; i < (code & 3); i++)
        if (i == 9)
            return 4;
    if (code > 100 && code < 50)
        return 3;
    return 2;
}
