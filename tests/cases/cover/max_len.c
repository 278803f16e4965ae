// What is made by itself is no longer than --max-len, even if that is less than usual; longer seeds are refused.
// REQUIRES: clang
// RUN: for f in LLVMFuzzerTestOneInput text field numbers; do coax cover % --entry $f --max-len 3 --max-runs 60 --out %t/$f | grep 'FAILS\|^[0-9]* test'; done
// RUN: coax dump path % --entry numbers --max-len 3 2>/dev/null | tail -n 1
// RUN: coax cover % --entry LLVMFuzzerTestOneInput --max-len 0 --out %t/none | tail -n 3 | head -n 1
// RUN: mkdir %t/seeds; printf abcdefgh > %t/seeds/long; printf ab > %t/seeds/short; coax cover % --entry text --max-len 3 --seeds %t/seeds --out %t/out > %t/said

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct named {
    const char *name;
    size_t name_len;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 3) __builtin_trap();
    return size > 1 && data[1] == 'x';
}

int text(const char *text) {
    if (strlen(text) > 3) __builtin_trap();
    return text[0] == 'a';
}

int field(struct named *it) {
    if (it->name_len > 3) __builtin_trap();
    return it->name_len;
}

int numbers(const short *numbers, size_t count) {
    if (count > 1) __builtin_trap();
    return count > 0 && numbers[0] == 7;
}

// OUTPUT
// $ for f in LLVMFuzzerTestOneInput text field numbers; do coax cover % --entry $f --max-len 3 --max-runs 60 --out %t/$f | grep 'FAILS\|^[0-9]* test'; done
// | 2 tests, 0 failures; branches 3/12 (25 %), lines 2/8 (25 %), functions 1/4 (25 %)
// | 1 test, 0 failures; branches 1/12 (8 %), lines 2/8 (25 %), functions 1/4 (25 %)
// | 1 test, 0 failures; branches 1/12 (8 %), lines 2/8 (25 %), functions 1/4 (25 %)
// | 2 tests, 0 failures; branches 3/12 (25 %), lines 2/8 (25 %), functions 1/4 (25 %)
// $ coax dump path % --entry numbers --max-len 3 2>/dev/null | tail -n 1
// | returned i32 0
// $ coax cover % --entry LLVMFuzzerTestOneInput --max-len 0 --out %t/none | tail -n 3 | head -n 1
// | [work], [time]; all paths are explored
// $ mkdir %t/seeds; printf abcdefgh > %t/seeds/long; printf ab > %t/seeds/short; coax cover % --entry text --max-len 3 --seeds %t/seeds --out %t/out > %t/said
// ! note: 1 input is read from [t]/seeds, 1 refused
// ! note: [t]/seeds/long is refused: it is a string of more than 3 bytes (`--max-len`)
