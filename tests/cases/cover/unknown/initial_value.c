// What a variable begins with belongs to the version of a function that uses it. And where what an earlier search saw is not true any more, because another entry
// sets the variable, that is what is dropped: the function is one as before.
// REQUIRES: clang
// RUN: coax cover % --entry first --unknown salted --no-mutate --out %t/out | grep -v 'never called'
// RUN: sed 's/salt = 3/salt = 4/' % > %t/changed.c; coax cover %t/changed.c --entry first --unknown salted --no-mutate --out %t/out | grep -v 'never called'
// RUN: coax cover %t/changed.c --entry second --unknown salted --no-mutate --out %t/out | grep -v 'never called'
// RUN: coax cover %t/changed.c --entry second --unknown salted --no-mutate --seed 2 --out %t/out | grep -v 'never called'

static int salt = 3;

static int salted(int value) {
    unsigned long long mixed = ((unsigned)value + 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    return (int)(mixed ^ mixed >> 29) ^ salt;
}

int first(int x, int y) {
    if (x == salted(y))
        return y == 10 ? 2 : 1;
    return 0;
}

int second(int x, int y) {
    salt = 5;
    if (x == salted(y))
        return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry first --unknown salted --no-mutate --out %t/out | grep -v 'never called'
// | 2 tests, 0 failures; branches 2/4 (50 %), lines 6/11 (55 %), functions 2/3 (67 %)
// | [work], [time]; there is nothing left to try
// | `salted` is unknown: [n] value seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// $ sed 's/salt = 3/salt = 4/' % > %t/changed.c; coax cover %t/changed.c --entry first --unknown salted --no-mutate --out %t/out | grep -v 'never called'
// | 2 tests, 0 failures; branches 2/4 (50 %), lines 6/11 (55 %), functions 2/3 (67 %)
// | [work], [time]; there is nothing left to try
// | `salted` is unknown: [n] value seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// ! note: 2 tests of an earlier search, which was another one, are removed
// ! note: what `salted` was seen to give is not used: it is of another version of the function
// $ coax cover %t/changed.c --entry second --unknown salted --no-mutate --out %t/out | grep -v 'never called'
// | 2 tests, 0 failures; branches 2/4 (50 %), lines 7/11 (64 %), functions 2/3 (67 %)
// | [work], [time]; there is nothing left to try
// | `salted` is unknown: [n] value seen, [n] direct calls; what an earlier search saw it give is not true any more, so that is not used; failures in it were not searched for
// | Tests are in [t]/out/tests.
// ! note: 2 tests of an earlier search, which was another one, are removed
// $ coax cover %t/changed.c --entry second --unknown salted --no-mutate --seed 2 --out %t/out | grep -v 'never called'
// | 2 tests, 0 failures; branches 2/4 (50 %), lines 7/11 (64 %), functions 2/3 (67 %)
// | [work], [time]; there is nothing left to try
// | `salted` is unknown: [n] value seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/out/tests.
// ! note: 2 tests of an earlier search, which was another one, are removed
