// Functions that read variables on the stack before they set them depend on what was left there: it is one of their arguments. Where that was computed by a call that was
// not followed nobody knows how it depends on the input, and the function is followed.
// REQUIRES: clang
// RUN: coax cover % --entry twice --unknown use --no-auto-unknown --no-mutate --out %t/twice | grep -v 'never called'
// RUN: coax cover % --entry once --unknown pick --no-auto-unknown --no-mutate --out %t/once | grep -v 'never called'

static int use(int n) {
    char room[n];
    room[0] = 1;
    room[n - 1] = 2;
    return room[0] + room[n / 2];
}

static unsigned pick(unsigned word) {
    volatile unsigned never_set;
    return word * 0x9e3779b1 ^ never_set;
}

static void leave(unsigned number) {
    volatile unsigned cells[8];
    for (int i = 0; i < 8; i++) cells[i] = number;
}

int twice(int n) {
    if (n <= 0 || n > 200) return 0;
    if (use(n + 1) + use(n + 2) == 7) return 1;
    return 2;
}

int once(unsigned word, unsigned expected, int is_other) {
    if (is_other) leave(5);
    else leave(6);
    if (pick(word) == expected) return 1;
    return 2;
}

// OUTPUT
// $ coax cover % --entry twice --unknown use --no-auto-unknown --no-mutate --out %t/twice | grep -v 'never called'
// | not covered  stack_left.c:26:33 to line 26: proved infeasible: no input takes it
// | 3 tests, 0 failures; branches 5/12 (42 %), lines 10/20 (50 %), functions 2/5 (40 %)
// | [work], [time]; all paths are explored
// | `use` was to be unknown: [n] value seen, [n] direct calls, 1 call that showed nothing; it is no function of what it is given (it reads what an earlier call left on the stack), so its calls were followed
// | Tests are in [t]/twice/tests.
// $ coax cover % --entry once --unknown pick --no-auto-unknown --no-mutate --out %t/once | grep -v 'never called'
// | 2 tests, 0 failures; branches 6/12 (50 %), lines 10/20 (50 %), functions 3/5 (60 %)
// | [work], [time]; there is nothing left to try
// | `pick` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// | Tests are in [t]/once/tests.
