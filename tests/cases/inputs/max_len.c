// How long symbolic inputs can get is said by --max-len, and is part of what a solver is told.
// REQUIRES: clang
// RUN: coax dump smt % --param abc --max-len 16 | grep assert
// RUN: coax dump path % --param abcdefgh --max-len 4
// EXIT: 2
// RUN: printf 12345678 > %t/in && coax dump path % --param a --stdin %t/in --max-len 4
// EXIT: 2
// RUN: coax dump path % --param a --sym-stdin 8 --max-len 4
// EXIT: 2
// RUN: coax dump path % --param a --sym-arg 8 --max-len 4
// EXIT: 2
// RUN: coax replay % --param abcdefgh --max-len 4
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 2 && data[1] == 'x')
        return 1;
    return 0;
}
