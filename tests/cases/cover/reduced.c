// Failing inputs lose all that the failure does not need: bytes go, others become plain, numbers come near to 0.
// REQUIRES: clang
// RUN: mkdir -p %t/seeds; printf 'a long [text] with two (pairs) of [brackets] in it, and !this!' > %t/seeds/a
// RUN: coax cover % --seeds %t/seeds --max-runs 2 --no-mutate --out %t/1 > %t/said; grep -h '"bytes"' %t/1/tests/fails*
// RUN: coax cover % --entry number --out %t/2 > %t/said; grep -h '"i32"\|"u32"\|"f64"' %t/2/tests/fails*
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t open = 0;
    for (size_t at = 0; at < size; at++) {
        if (data[at] == '[') open++;
        if (data[at] == ']' && open == 2) abort();
    }
    return 0;
}

int number(int a, unsigned b, double c) {
    if (a > 1000 && b % 16 == 3) {
        if (c > 0.5) abort();
    }
    return 0;
}

// OUTPUT
// $ mkdir -p %t/seeds; printf 'a long [text] with two (pairs) of [brackets] in it, and !this!' > %t/seeds/a
// $ coax cover % --seeds %t/seeds --max-runs 2 --no-mutate --out %t/1 > %t/said; grep -h '"bytes"' %t/1/tests/fails*
// |         "bytes": "[][]"
// |         "bytes": "[[]"
// ! note: 1 input is read from [t]/seeds, 0 refused
// $ coax cover % --entry number --out %t/2 > %t/said; grep -h '"i32"\|"u32"\|"f64"' %t/2/tests/fails*
// |         "i32": 1001
// |         "u32": 3
// |         "f64": 1.0
