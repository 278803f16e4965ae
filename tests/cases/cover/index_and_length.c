// What is read at an index that depends on the input is true of inputs of the same length only: in a longer one there is something behind the end. So the length is a
// decision; without it runs went elsewhere than was promised.
// REQUIRES: clang
// RUN: coax cover % --entry run --no-mutate --max-runs 400 --time 60 --out %t/out | grep 'tests,'
// RUN: grep -o '"divergences": [0-9]*' %t/out/report.json
// RUN: coax cover % --entry second --no-mutate --out %t/second | grep 'tests,\|runs on'

#include <stddef.h>
#include <stdint.h>

int run(const uint8_t *code, size_t len) {
    size_t pc = 0;
    int sum = 0;
    for (int steps = 0; steps < 6; steps++) {
        if (pc >= len) return -1;
        switch (code[pc++]) {
        case 'j':
            if (pc >= len) return -2;
            if (code[pc] > len) return -3;
            pc = code[pc];
            break;
        case 'a':
            sum += 3;
            break;
        case 'h':
            return sum == 9 ? 100 : sum;
        default:
            return -4;
        }
    }
    return -5;
}

// The first run has one element, and with that nothing can be found at the second place.
int second(const uint8_t *bytes, unsigned n, unsigned at) {
    at &= 1;
    if (n == 0 || bytes[0] == 7) return 0;
    return at < n && bytes[at] == 7 ? 1 : 2;
}

// OUTPUT
// $ coax cover % --entry run --no-mutate --max-runs 400 --time 60 --out %t/out | grep 'tests,'
// | 7 tests, 0 failures; branches 14/20 (70 %), lines 13/17 (76 %), functions 1/2 (50 %)
// $ grep -o '"divergences": [0-9]*' %t/out/report.json
// | "divergences": 0
// $ coax cover % --entry second --no-mutate --out %t/second | grep 'tests,\|runs on'
// | 4 tests, 0 failures; branches 6/20 (30 %), lines 4/17 (24 %), functions 1/2 (50 %)
// | [work], [time]; all paths are explored
