// How large something is that no length counts is a guess of coax's. What leaves it is no failure: it gets more room. What leaves what has a length is one, and
// so is what stays outside however much room there is; then it is said that the size is a guess.
// REQUIRES: clang cc
// RUN: coax cover % --entry between --scope between --max-runs 40 --no-mutate --out %t/between | grep tests,
// RUN: coax cover % --entry hex --scope hex --max-runs 40 --no-mutate --emit c --out %t/hex | grep 'tests\?,'
// RUN: cc -fwrapv -I. -o %t/run %t/hex/c/tests.c && %t/run | tail -n 1
// RUN: coax cover % --entry rows --scope rows --max-runs 40 --no-mutate --out %t/rows | grep 'tests\?,'
// RUN: coax cover % --entry large --scope large --no-mutate --out %t/large | grep tests,
// RUN: grep -ho '"spare": [0-9]*' -r %t/large/tests | sort -u
// RUN: coax cover % --entry counted --scope counted --no-mutate --out %t/counted | grep -A 1 FAILS
// RUN: coax cover % --entry nowhere --scope nowhere --no-mutate --out %t/nowhere | grep -A 1 FAILS

#include <stddef.h>

int between(const int *a, size_t n, int *out) {
    for (size_t i = 0; i < n; i++) out[i] = 2 * a[i];
    return n > 5 && out[5] == 14;
}

void hex(const unsigned char *in, size_t n, char *out) {
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = "0123456789abcdef"[in[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[in[i] & 15];
    }
    out[2 * n] = 0;
}

int rows(const int *m, int rows, int cols) {
    int sum = 0;
    for (int i = 0; i < rows * cols; i++) sum += m[i];
    return sum == 7;
}

int large(int *table, unsigned index) {
    if (index == 20000) return table[index] == 0 ? 1 : 2;
    return 0;
}

int counted(int *out, const int *a, size_t n) {
    *out = n == 3 ? a[n] : 0;
    return 0;
}

int nowhere(int *table, unsigned index) {
    if (index == 0x30000000) return table[index];
    return 0;
}

// OUTPUT
// $ coax cover % --entry between --scope between --max-runs 40 --no-mutate --out %t/between | grep tests,
// | 2 tests, 0 failures; branches 4/4 (100 %), lines 2/2 (100 %), functions 1/1 (100 %)
// $ coax cover % --entry hex --scope hex --max-runs 40 --no-mutate --emit c --out %t/hex | grep 'tests\?,'
// | 1 test, 0 failures; branches 2/2 (100 %), lines 5/5 (100 %), functions 1/1 (100 %)
// $ cc -fwrapv -I. -o %t/run %t/hex/c/tests.c && %t/run | tail -n 1
// | 1 tests, 0 failed
// $ coax cover % --entry rows --scope rows --max-runs 40 --no-mutate --out %t/rows | grep 'tests\?,'
// | 1 test, 0 failures; branches 2/2 (100 %), lines 2/2 (100 %), functions 1/1 (100 %)
// $ coax cover % --entry large --scope large --no-mutate --out %t/large | grep tests,
// | 2 tests, 0 failures; branches 2/2 (100 %), lines 3/3 (100 %), functions 1/1 (100 %)
// $ grep -ho '"spare": [0-9]*' -r %t/large/tests | sort -u
// | "spare": 1048576
// | "spare": 4096
// $ coax cover % --entry counted --scope counted --no-mutate --out %t/counted | grep -A 1 FAILS
// | FAILS  trapped: memory access out of bounds at guessed_sizes.c:40:21  fails-MemoryOutOfBounds-line-40-10fd5b.json
// | 2 tests, 1 failure; branches 2/2 (100 %), lines 2/2 (100 %), functions 1/1 (100 %)
// $ coax cover % --entry nowhere --scope nowhere --no-mutate --out %t/nowhere | grep -A 1 FAILS
// | FAILS  trapped: memory access out of bounds at guessed_sizes.c:45:37  fails-MemoryOutOfBounds-line-45-c4afea.json
// |        if what `table` leads to is no larger than coax makes it, for nothing says how large it is
