// libFuzzer's class that splits bytes comes along, and takes the same bytes for the same calls: numbers from the back.
// REQUIRES: clang
// RUN: printf 'ab\\\\c\\x\001\002' > %t/file && coax replay % -- %t/file
// The compiler may have the header, too: what its code decides is its own matter.
// RUN: coax dump path % --param abcd 2>&1 | grep -o '^site.*fuzzed_data.cpp.*data\[.*' | sed 's,^[^ ]* ,,'
#include <fuzzer/FuzzedDataProvider.h>
#include <stdio.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzedDataProvider provider(data, size);
    unsigned last = provider.ConsumeIntegral<uint8_t>();
    int small = provider.ConsumeIntegralInRange<int>(10, 12);
    std::string text = provider.ConsumeRandomLengthString(9);
    if (last == 'd')
        return 1;
    printf("%u %d %s %zu\n", last, small, text.c_str(), provider.remaining_bytes());
    return 0;
}

// OUTPUT
// $ printf 'ab\\\\c\\x\001\002' > %t/file && coax replay % -- %t/file
// | ok    [t]/file: returned i32 0
// |       stdout | 2 11 ab\c 0
// $ coax dump path % --param abcd 2>&1 | grep -o '^site.*fuzzed_data.cpp.*data\[.*' | sed 's,^[^ ]* ,,'
// | fuzzed_data.cpp:14:14  branch to line 15  (eq data[3] 100:8)
