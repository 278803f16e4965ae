// The directory that AFL's instances share: their queues are read, coax has one of its own.
// REQUIRES: clang
// RUN: mkdir -p %t/afl/fuzzer01/queue/.state; printf 'magic!!' > %t/afl/fuzzer01/queue/id:000000,time:0,execs:0,orig:seed; echo note > %t/afl/fuzzer01/fuzzer_stats
// RUN: coax cover % --sync-dir %t/afl --max-runs 2 --no-mutate --out %t/out | grep branches
// RUN: ls %t/afl %t/afl/coax/queue
// RUN: coax cover % --sync-dir %t/afl --max-runs 30 --no-mutate --out %t/out | grep branches; ls %t/afl/coax/queue; cat %t/afl/coax/queue/* | grep -a -c magic

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size != 7 || memcmp(data, "magic!", 6) != 0) return 0;
    return data[6] == '!' ? 0 : -1;
}

// OUTPUT
// $ mkdir -p %t/afl/fuzzer01/queue/.state; printf 'magic!!' > %t/afl/fuzzer01/queue/id:000000,time:0,execs:0,orig:seed; echo note > %t/afl/fuzzer01/fuzzer_stats
// $ coax cover % --sync-dir %t/afl --max-runs 2 --no-mutate --out %t/out | grep branches
// | 2 tests, 0 failures; branches 3/4 (75 %), lines 3/3 (100 %), functions 1/1 (100 %)
// $ ls %t/afl %t/afl/coax/queue
// | [t]/afl:
// | coax
// | fuzzer01
// |
// | [t]/afl/coax/queue:
// | id:000000,orig:coax
// | id:000001,orig:coax
// $ coax cover % --sync-dir %t/afl --max-runs 30 --no-mutate --out %t/out | grep branches; ls %t/afl/coax/queue; cat %t/afl/coax/queue/* | grep -a -c magic
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 3/3 (100 %), functions 1/1 (100 %)
// | id:000000,orig:coax
// | id:000001,orig:coax
// | id:000002,orig:coax
// | 1
