// A function that was named in one search is followed in the next one in the same directory that does not name it, as in a directory of its own.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown hash --no-mutate --out %t/out
// RUN: coax cover % --entry f --no-mutate --out %t/out
// RUN: coax cover % --entry f --no-mutate --out %t/fresh

static unsigned hash(unsigned value) { return value * 2654435761u ^ value >> 7; }

int f(unsigned x, unsigned y) {
    if (hash(x) == y) {
        if (x == 77)
            return 2;
        return 1;
    }
    return 0;
}

// OUTPUT
// $ coax cover % --entry f --unknown hash --no-mutate --out %t/out
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 7/7 (100 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] values seen, [n] direct call; failures in it were not searched for
// | Tests are in [t]/out/tests.
// $ coax cover % --entry f --no-mutate --out %t/out
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 7/7 (100 %), functions 2/2 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/out/tests.
// ! note: 3 tests of an earlier search, which was another one, are removed
// $ coax cover % --entry f --no-mutate --out %t/fresh
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 7/7 (100 %), functions 2/2 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/fresh/tests.
