// Four treatments of a function that is unknown, on an error that needs its value at 10: taken for a number it is missed (sound, delayed)
// or promised and not reached (unsound); a strategy reaches it.
// REQUIRES: clang
// RUN: coax cover % --entry foo --unknown hash --no-mutate --out %t/higher-order
// RUN: coax explain %t/higher-order treatments.c:21
// RUN: coax cover % --entry foo --unknown hash --no-mutate --no-direct-calls --out %t/steps
// RUN: coax cover % --entry foo --unknown hash --no-mutate --imprecision delayed --out %t/delayed
// RUN: coax cover % --entry foo --unknown hash --no-mutate --imprecision sound --out %t/sound
// RUN: coax cover % --entry foo --unknown hash --no-mutate --imprecision unsound --out %t/unsound
// RUN: coax cover % --entry foo --unknown hash --no-mutate --compare --out %t/compared

static int hash(int value) {
    unsigned long long mixed = ((unsigned)value + 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53ull;
    return (int)(mixed ^ mixed >> 29);
}

int foo(int x, int y) {
    if (x == hash(y)) {
        if (y == 10)
            return -1;
        return 1;
    }
    return 0;
}

// OUTPUT
// $ coax cover % --entry foo --unknown hash --no-mutate --out %t/higher-order
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 9/9 (100 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] values seen, [n] direct call; failures in it were not searched for
// | Tests are in [t]/higher-order/tests.
// $ coax explain %t/higher-order treatments.c:21
// | treatments.c:21 is covered, for instance by foo-line-20-to-line-21-763477
// | foo-line-20-to-line-21-763477 was found by a strategy:
// |   choose y = 10
// |   sample `hash` of 10: 0x19e07e9f
// |   set x = 434142879, by `hash`
// $ coax cover % --entry foo --unknown hash --no-mutate --no-direct-calls --out %t/steps
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 9/9 (100 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/steps/tests.
// $ coax cover % --entry foo --unknown hash --no-mutate --imprecision delayed --out %t/delayed
// | not covered  treatments.c:20:15 to line 21: the solver gave up on 1 path: what an unknown function gives is fixed to what it gave
// | 2 tests, 0 failures; branches 3/4 (75 %), lines 8/9 (89 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] value seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/delayed/tests.
// $ coax cover % --entry foo --unknown hash --no-mutate --imprecision sound --out %t/sound
// | not covered  treatments.c:20:15 to line 21: the solver gave up on 1 path: what an unknown function gives is fixed to what it gave
// | 2 tests, 0 failures; branches 3/4 (75 %), lines 8/9 (89 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] value seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/sound/tests.
// $ coax cover % --entry foo --unknown hash --no-mutate --imprecision unsound --out %t/unsound
// | not covered  treatments.c:20:15 to line 21: inputs that should have taken it went elsewhere
// | 2 tests, 0 failures; branches 3/4 (75 %), lines 8/9 (89 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `hash` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/unsound/tests.
// ! note: 1 run did not go where it should have gone: exploring all paths proves nothing then
// $ coax cover % --entry foo --unknown hash --no-mutate --compare --out %t/compared
// | treatment     branches  tests  failures  divergences    runs  direct calls
// | higher-order       4/4      3         0            0       3             1
// | delayed            3/4      2         0            0       2             0
// | sound              3/4      2         0            0       2             0
// | unsound            3/4      2         0            1       3             0
// | default            4/4      3         0            0       3             0
// | Tests are in [t]/compared, in a folder for each.
// ! note: search 1 of 5, `higher-order`
// ! note: search 2 of 5, `delayed`
// ! note: search 3 of 5, `sound`
// ! note: search 4 of 5, `unsound`
// ! note: 1 run did not go where it should have gone: exploring all paths proves nothing then
// ! note: search 5 of 5, `default`
