// The steps of a run that only the checks end: no complaint about a difference.
// REQUIRES: clang
// RUN: coax replay % --entry write --param 4 --trace=3 > %t/said
// EXIT: 1
// RUN: grep -c trace %t/said; grep FAIL %t/said
// RUN: coax replay % --entry write --param 3 --trace=3 | grep ok

#include <stdlib.h>

int write(unsigned at) {
    char *block = malloc(4);
    block[at] = 1;
    int first = block[0];
    free(block);
    return first;
}

// OUTPUT
// $ coax replay % --entry write --param 4 --trace=3 > %t/said
// ! note: the trace is of the program without checks, which goes on after the memory error
// $ grep -c trace %t/said; grep FAIL %t/said
// | 6
// | FAIL  run: heap buffer overflow (1 byte written, just behind a block of 4 bytes, allocated at trace_memory_error.c:11:19) at trace_memory_error.c:12:15 in write
// $ coax replay % --entry write --param 3 --trace=3 | grep ok
// | ok    run: returned i32 0
