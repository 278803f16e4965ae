// Functions of C++ are named without their parameters and namespace, too.
// REQUIRES: clang
// RUN: coax cover % --entry check --unknown mix --no-mutate --out %t/out

namespace hashes {
static int mix(int value) {
    unsigned long long mixed = ((unsigned)value + 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    return (int)(mixed ^ mixed >> 29);
}
}  // namespace hashes

extern "C" int check(int x, int y) {
    if (x == hashes::mix(y))
        return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry check --unknown mix --no-mutate --out %t/out
// | 2 tests, 0 failures; branches 2/2 (100 %), lines 6/6 (100 %), functions 2/2 (100 %)
// | 2 runs on 2 paths, 1 question to the solvers, 0 mutations, [time]; there is nothing left to try
// | `hashes::mix(int)` is unknown: 1 value seen, 0 direct calls
// | Tests are in [t]/out/tests.
