// A function that reads the input is none of what it is given. As long as its calls are not followed nothing depends on the input, so they are followed at last.
// REQUIRES: clang
// RUN: coax cover % --unknown next --no-mutate --max-runs 100 --out %t/out

#include <stdio.h>

static int next(void) {
    unsigned char byte;
    if (fread(&byte, 1, 1, stdin) != 1)
        return -1;
    return byte;
}

int main(void) {
    int first = next(), second = next();
    if (first == 'k') {
        if (second == 26)
            return 3;
        return 2;
    }
    return 1;
}

// OUTPUT
// $ coax cover % --unknown next --no-mutate --max-runs 100 --out %t/out
// | 3 tests, 0 failures; branches 6/6 (100 %), lines 12/12 (100 %), functions 2/2 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | `next` was to be unknown: [n] value seen, [n] direct calls, 1 call that showed nothing; it is no function of what it is given (it asks the host), so its calls were followed
// | Tests are in [t]/out/tests.
