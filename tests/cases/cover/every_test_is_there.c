// A test that is not needed may have the name of one that is: every test that the report counts is a file.
// REQUIRES: clang
// RUN: coax cover % --max-runs 40 --out %t/out | grep -E "FAILS|tests,"
// RUN: ls %t/out/tests

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t length) {
    size_t begin = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '[') begin = i + 1;
        if (text[i] == ']') {
            char *word = malloc(i - begin);
            if (i - begin > 2 && text[begin] == 'q') word[0] = 1;
            memcpy(word, text + begin, i - begin);
            word[i - begin] = 0;
            free(word);
        }
    }
    return 0;
}

// OUTPUT
// $ coax cover % --max-runs 40 --out %t/out | grep -E "FAILS|tests,"
// | FAILS  heap buffer overflow at every_test_is_there.c:18:29  fails-HeapBufferOverflow-line-18-e4c90d.json
// | 4 tests, 1 failure; branches 12/12 (100 %), lines 8/9 (89 %), functions 1/1 (100 %)
// $ ls %t/out/tests
// | LLVMFuzzerTestOneInput-line-13-to-line-13-5095f3.json
// | fails-HeapBufferOverflow-line-18-34f750.json
// | fails-HeapBufferOverflow-line-18-c5a696.json
// | fails-HeapBufferOverflow-line-18-e4c90d.json
