// Files after `--` are the inputs of a libFuzzer target, one run each; a mutator of its own needs nothing.
// REQUIRES: clang
// RUN: printf ok > %t/ok; printf 'bad!' > %t/bad
// RUN: cd %t && coax replay %root/tests/cases/inputs/fuzz_file.c -- ok bad
// EXIT: 1
// RUN: cd %t && coax dump path %root/tests/cases/inputs/fuzz_file.c -- bad
// RUN: coax dump path % -- %t/ok %t/bad
// EXIT: 2
// RUN: coax replay % -- nothing_there
// EXIT: 2
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    return LLVMFuzzerMutate(data, size, most) + (seed & 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 4 && data[3] == '!')
        abort();
    return 0;
}

// OUTPUT
// $ printf ok > %t/ok; printf 'bad!' > %t/bad
// $ cd %t && coax replay %root/tests/cases/inputs/fuzz_file.c -- ok bad
// | ok    ok: returned i32 0
// | FAIL  bad: trapped: unreachable at [root]/tests/cases/inputs/fuzz_file.c:23:9 in LLVMFuzzerTestOneInput
// |         at libc-bottom-half/sources/abort.c:5:5 in abort
// |         at [root]/tests/cases/inputs/fuzz_file.c:23:9 in LLVMFuzzerTestOneInput
// | 2 tests, 1 failed
// $ cd %t && coax dump path %root/tests/cases/inputs/fuzz_file.c -- bad
// | site2 [root]/tests/cases/inputs/fuzz_file.c:22:19  branch to line 22  (eq size 4:32)
// | site4 [root]/tests/cases/inputs/fuzz_file.c:22:19  branch to line 23  (eq data[3] 33:8)
// | trapped: unreachable at [root]/tests/cases/inputs/fuzz_file.c:23:9 in LLVMFuzzerTestOneInput
// $ coax dump path % -- %t/ok %t/bad
// ! error: each file is an input of its own; name only one of them
// $ coax replay % -- nothing_there
// ! error: cannot read nothing_there: what follows `--` are files with the bytes for `LLVMFuzzerTestOneInput`: No such file or directory (os error 2)
