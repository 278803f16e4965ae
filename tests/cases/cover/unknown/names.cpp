// Functions of C++ are named without their parameters and namespace, too. Names may have the signs in them that names of what they read and give have.
// REQUIRES: clang
// RUN: coax cover % --entry check --unknown mix --no-mutate --out %t/out
// RUN: coax cover % --entry both --unknown 'mixed<int>' --no-auto-unknown --no-mutate --out %t/both | grep -v 'never called'

namespace hashes {
static int mix(int value) {
    unsigned long long mixed = ((unsigned)value + 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    return (int)(mixed ^ mixed >> 29);
}
template <typename T> static T mixed(T value) {
    return mix(value) ^ 0x55;
}
}  // namespace hashes

extern "C" int check(int x, int y) {
    if (x == hashes::mix(y))
        return 1;
    return 0;
}

extern "C" int both(int x, int y) {
    if (x == hashes::mixed<int>(y) && y == hashes::mixed<int>(x))
        return -1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry check --unknown mix --no-mutate --out %t/out
// | not covered  names.cpp:22 both, 4 branches: proved: it is never called from this entry
// | 2 tests, 0 failures; branches 2/6 (33 %), lines 6/11 (55 %), functions 2/4 (50 %)
// | [work], [time]; there is nothing left to try
// | `hashes::mix(int)` is unknown: [n] value seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// $ coax cover % --entry both --unknown 'mixed<int>' --no-auto-unknown --no-mutate --out %t/both | grep -v 'never called'
// | not covered  names.cpp:23:36 to line 24: the solver gave up on 1 path: it depends on values of `int hashes::mixed<int>(int)` that were not seen: if each of them is 0, no input goes there
// | 2 tests, 0 failures; branches 3/6 (50 %), lines 6/11 (55 %), functions 3/4 (75 %)
// | [work], [time]; there is nothing left to try
// | `int hashes::mixed<int>(int)` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/both/tests.
