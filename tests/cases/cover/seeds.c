// Inputs from elsewhere: seeds, and a directory that a fuzzer shares.
// REQUIRES: clang
// RUN: mkdir -p %t/seeds %t/corpus; printf 'magic!!' > %t/seeds/a; printf 'mag' > %t/corpus/b
// RUN: coax cover % --seeds %t/seeds --max-runs 1 --no-mutate --out %t/out | tail -n 3 | head -n 1
// RUN: coax cover % --seeds %t/seeds --max-runs 2 --no-mutate --out %t/out2 | tail -n 3 | head -n 1
// RUN: coax cover % --sync-dir %t/corpus --max-runs 30 --no-mutate --out %t/out3 > %t/said; ls %t/corpus | grep -c coax- | grep -v '^0'
// RUN: coax replay % --entry other --param 3 --save %t/seeds/test.json; coax cover % --seeds %t/seeds --max-len 6 --out %t/out5 > %t/said
// RUN: coax cover % --seeds %t/nothing --out %t/out4
// EXIT: 2

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size != 7 || memcmp(data, "magic!", 6) != 0) return 0;
    return data[6] == '!' ? 0 : -1;
}

int other(int x) { return x; }

// OUTPUT
// $ mkdir -p %t/seeds %t/corpus; printf 'magic!!' > %t/seeds/a; printf 'mag' > %t/corpus/b
// $ coax cover % --seeds %t/seeds --max-runs 1 --no-mutate --out %t/out | tail -n 3 | head -n 1
// | 1 test, 0 failures; branches 1/4 (25 %), lines 2/4 (50 %), functions 1/2 (50 %)
// ! note: 1 input is read from [t]/seeds, 0 refused
// $ coax cover % --seeds %t/seeds --max-runs 2 --no-mutate --out %t/out2 | tail -n 3 | head -n 1
// | 2 tests, 0 failures; branches 3/4 (75 %), lines 3/4 (75 %), functions 1/2 (50 %)
// ! note: 1 input is read from [t]/seeds, 0 refused
// $ coax cover % --sync-dir %t/corpus --max-runs 30 --no-mutate --out %t/out3 > %t/said; ls %t/corpus | grep -c coax- | grep -v '^0'
// | 3
// $ coax replay % --entry other --param 3 --save %t/seeds/test.json; coax cover % --seeds %t/seeds --max-len 6 --out %t/out5 > %t/said
// | ok    run: returned i32 3
// ! note: 0 inputs are read from [t]/seeds, 2 refused
// ! note: [t]/seeds/a is refused: `data` has 7 bytes, but an input that is symbols may have 6 at most
// ! note: [t]/seeds/test.json is refused: it is for `other`
// $ coax cover % --seeds %t/nothing --out %t/out4
// ! error: cannot read the seeds in [t]/nothing; name a directory with files: No such file or directory (os error 2)
