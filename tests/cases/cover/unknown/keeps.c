// A counter: the same argument never gives the same. That is seen as soon as two calls of a run change it, also if their arguments differ. Where each run has
// only one call it always begins with the same, and is a function.
// REQUIRES: clang
// RUN: coax cover % --entry twice --unknown ticket --no-mutate --out %t/twice | grep -v 'never called'
// RUN: coax cover % --entry others --unknown ticket --no-mutate --out %t/others | grep -v 'never called'
// RUN: coax cover % --entry once --unknown ticket --no-mutate --out %t/once | grep -v 'never called'
// RUN: coax cover % --entry filled --unknown in_table --no-mutate --out %t/filled | grep -v 'never called'

static int calls;

static int ticket(int value) {
    unsigned long long mixed = ((unsigned)value + 0x9e3779b97f4a7c15ull) * 0xff51afd7ed558ccdull;
    return (int)(mixed ^ mixed >> 29) + calls++;
}

/* A table that the first call fills stays as it is. */
static int in_table(int value) {
    static int is_filled, table[4];
    if (!is_filled)
        for (int i = 0; i < 4; i++)
            table[i] = i * 0x01234567;
    is_filled = 1;
    return table[value & 3] ^ value;
}

int twice(int x) {
    return ticket(x) == ticket(x) ? 1 : 0;
}

int others(int x, int y) {
    ticket(1);
    ticket(2);
    if (x == ticket(y))
        return 1;
    return 0;
}

int once(int x, int y) {
    if (x == ticket(y))
        return 1;
    return 0;
}

int filled(int x, int y) {
    in_table(1);
    in_table(2);
    if (x == in_table(y))
        return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry twice --unknown ticket --no-mutate --out %t/twice | grep -v 'never called'
// | 1 test, 0 failures; branches 0/10 (0 %), lines 3/24 (12 %), functions 2/6 (33 %)
// | [work], [time]; all paths are explored
// | `ticket` was to be unknown: [n] values seen, [n] direct calls, 1 call that showed nothing; it is no function of what it is given (it keeps something in memory from one call to the next), so its calls were followed
// | Tests are in [t]/twice/tests.
// $ coax cover % --entry others --unknown ticket --no-mutate --out %t/others | grep -v 'never called'
// | 2 tests, 0 failures; branches 2/10 (20 %), lines 8/24 (33 %), functions 2/6 (33 %)
// | [work], [time]; all paths are explored
// | `ticket` was to be unknown: [n] value seen, [n] direct calls, 2 calls that showed nothing; it is no function of what it is given (it keeps something in memory from one call to the next), so its calls were followed
// | Tests are in [t]/others/tests.
// $ coax cover % --entry once --unknown ticket --no-mutate --out %t/once | grep -v 'never called'
// | 2 tests, 0 failures; branches 2/10 (20 %), lines 6/24 (25 %), functions 2/6 (33 %)
// | [work], [time]; there is nothing left to try
// | `ticket` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/once/tests.
// $ coax cover % --entry filled --unknown in_table --no-mutate --out %t/filled | grep -v 'never called'
// | 2 tests, 0 failures; branches 6/10 (60 %), lines 11/24 (46 %), functions 2/6 (33 %)
// | [work], [time]; there is nothing left to try
// | `in_table` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/filled/tests.
