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

// OUTPUT
// $ coax dump smt % --param abc --max-len 16 | grep assert
// | (assert (bvule #x00000003 |data.length|))
// | (assert (not (= |data[1]| #x78)))
// | (assert (bvult |data.length| #x00000011))
// | (assert (bvule #x00000002 |data.length|))
// $ coax dump path % --param abcdefgh --max-len 4
// ! error: `data` has 8 bytes, but an input that is symbols may have 4 at most.
// ! Give a shorter one, or raise the limit with `--max-len`.
// $ printf 12345678 > %t/in && coax dump path % --param a --stdin %t/in --max-len 4
// ! error: `stdin` has 8 bytes, but an input that is symbols may have 4 at most.
// ! Give a shorter one, or raise the limit with `--max-len`.
// $ coax dump path % --param a --sym-stdin 8 --max-len 4
// ! error: --sym-stdin: 8 bytes are more than the 4 that a symbolic input may have; ask for fewer, or raise `--max-len`
// $ coax dump path % --param a --sym-arg 8 --max-len 4
// ! error: --sym-arg: 8 bytes are more than the 4 that a symbolic input may have; ask for fewer, or raise `--max-len`
// $ coax replay % --param abcdefgh --max-len 4
// | ok    run: returned i32 0
