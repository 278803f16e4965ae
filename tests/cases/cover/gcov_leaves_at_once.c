// The emitted C tests keep what gcov counts also where the program leaves without what `exit` does, in whichever of its files.
// REQUIRES: clang
// REQUIRES: gcc
// REQUIRES: gcov
// WITH: gcov_leaves_at_once_helper.c
// RUN: coax cover % gcov_leaves_at_once_helper.c --entry leave --out %t/out --emit c | grep branches
// RUN: gcc -w -fwrapv --coverage -I. -o %t/tests %t/out/c/tests.c gcov_leaves_at_once_helper.c -lm && %t/tests | tail -n 1
// RUN: gcov -n %t/*.gcda | grep -A 1 "leaves_at_once[a-z_]*.c.$"
#include <stdlib.h>
#include <unistd.h>

void leave_there(int code);

void leave(int code) {
    if (code == 1)
        _exit(3);
    if (code == 2)
        _Exit(4);
    if (code == 3)
        quick_exit(5);
    if (code == 4)
        leave_there(code);
}

// OUTPUT
// $ coax cover % gcov_leaves_at_once_helper.c --entry leave --out %t/out --emit c | grep branches
// | 5 tests, 0 failures; branches 8/8 (100 %), lines 10/10 (100 %), functions 2/2 (100 %)
// $ gcc -w -fwrapv --coverage -I. -o %t/tests %t/out/c/tests.c gcov_leaves_at_once_helper.c -lm && %t/tests | tail -n 1
// | 5 tests, 0 failed
// $ gcov -n %t/*.gcda | grep -A 1 "leaves_at_once[a-z_]*.c.$"
// | File 'gcov_leaves_at_once_helper.c'
// | Lines executed:100.00% of 2
// | --
// | File 'gcov_leaves_at_once.c'
// | Lines executed:100.00% of 10
