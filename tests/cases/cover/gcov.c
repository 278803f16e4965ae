// The emitted C tests keep what gcov counts, however a test ends: by returning, by `exit`, by `abort`, by a signal. gcov and coax agree on the lines.
// REQUIRES: clang
// REQUIRES: gcc
// REQUIRES: gcov
// RUN: coax cover % --entry grade --out %t/out --emit c | grep branches
// RUN: gcc -w -fwrapv --coverage -I. -o %t/tests %t/out/c/tests.c -lm && %t/tests | tail -n 1
// RUN: gcov -n %t/*.gcda | grep -A 1 'gcov.c.$'; gcov -t %t/*.gcda | sed -n '/Source:gcov.c/,$p' | grep '^ *####'
// RUN: for line in 13 15 17 20 22; do coax explain %t/out gcov.c:$line | head -n 1 | sed 's/, for.*//'; done
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

// OUTPUT
// $ coax cover % --entry grade --out %t/out --emit c | grep branches
// | 5 tests, 1 failure; branches 12/14 (86 %), lines 11/13 (85 %), functions 1/1 (100 %)
// $ gcc -w -fwrapv --coverage -I. -o %t/tests %t/out/c/tests.c -lm && %t/tests | tail -n 1
// | 5 tests, 0 failed
// $ gcov -n %t/*.gcda | grep -A 1 'gcov.c.$'; gcov -t %t/*.gcda | sed -n '/Source:gcov.c/,$p' | grep '^ *####'
// | File 'gcov.c'
// | Lines executed:84.62% of 13
// |     #####:   20:            return 4;
// |     #####:   22:        return 3;
// $ for line in 13 15 17 20 22; do coax explain %t/out gcov.c:$line | head -n 1 | sed 's/, for.*//'; done
// | gcov.c:13 is covered
// | gcov.c:15 is covered
// | gcov.c:17 is covered
// | gcov.c:20 is not covered
// | gcov.c:22 is not covered
