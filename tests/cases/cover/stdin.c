// Standard input grows by need, and tests are as short as they can be.
// REQUIRES: clang
// RUN: coax cover % --out %t/out --max-runs 400 | tail -n 3 | head -n 1
// RUN: cat %t/out/tests/*line-13-to-line-13*.json

#include <stdio.h>
#include <string.h>

int main(void) {
    char line[32];
    if (!fgets(line, sizeof line, stdin)) return 1;
    if (strncmp(line, "GET ", 4) != 0) return 2;
    if (line[4] == '/' && line[5] == 'x') return 3;
    return 0;
}

// OUTPUT
// $ coax cover % --out %t/out --max-runs 400 | tail -n 3 | head -n 1
// | 5 tests, 0 failures; branches 8/8 (100 %), lines 6/6 (100 %), functions 1/1 (100 %)
// $ cat %t/out/tests/*line-13-to-line-13*.json
// | {
// |   "format": 1,
// |   "input": {
// |     "stdin": "GET /"
// |   },
// |   "expect": {
// |     "returned": []
// |   }
// | }
// | {
// |   "format": 1,
// |   "input": {
// |     "stdin": "GET /x"
// |   },
// |   "expect": {
// |     "exited": 3
// |   }
// | }
