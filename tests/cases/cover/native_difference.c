// A test that does something else natively is in the C file, but skipped, with what it does there: `long` has 4 bytes in wasm32.
// REQUIRES: clang
// REQUIRES: gcc
// RUN: coax cover % --entry grow --max-runs 20 --out %t/out --emit c > %t/said
// RUN: gcc -w -fwrapv -I. -o %t/tests %t/out/c/tests.c -lm && %t/tests
long grow(int steps) {
    long value = steps;
    if (steps > 3) value = value * 65536 * 65536;
    return value;
}

// OUTPUT
// $ coax cover % --entry grow --max-runs 20 --out %t/out --emit c > %t/said
// ! note: c: 002_grow_line_8_to_line_8_4d6274 is skipped: on this machine grow(4) gives 17179869184 instead of 0
// $ gcc -w -fwrapv -I. -o %t/tests %t/out/c/tests.c -lm && %t/tests
// | ok 001_grow_line_8_to_line_9_99f4d6
// | skipped 002_grow_line_8_to_line_8_4d6274: grow(4) gives 17179869184 instead of 0, where it was tried; in wasm32, `long` and addresses have 4 bytes
// | 2 tests, 0 failed
