// A function of the user's own is joined once all its ways are covered: as long as each digit is decided, one of 65,536 paths fits the number.
// REQUIRES: clang
// RUN: coax cover % --entry check --no-mutate --max-runs 3000 --time 100 --out %t/out | grep -v 'Tests are in'

static int value_of(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    return -1;
}

int check(const char *key) {
    unsigned long long number = 0;
    for (int i = 0; i < 16; i++) {
        int value = value_of(key[i]);
        if (value < 0) return 1;
        number = number << 4 | value;
    }
    if (key[16]) return 2;
    if (number == 0x9e3779b97f4a7c15) __builtin_trap();
    return 0;
}

// OUTPUT
// $ coax cover % --entry check --no-mutate --max-runs 3000 --time 100 --out %t/out | grep -v 'Tests are in'
// | FAILS  trapped: unreachable at joined_own.c:19:39  fails-Unreachable-line-19-ec566e.json
// | 5 tests, 1 failure; branches 16/16 (100 %), lines 12/12 (100 %), functions 2/2 (100 %)
// | [work], [time]; all paths are explored
