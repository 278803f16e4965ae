// Tests as a C file, which was compiled and run before it was written: values and structures as the source has them.
// REQUIRES: clang
// REQUIRES: gcc
// RUN: coax cover % --entry sum --max-runs 60 --out %t/out --emit c > %t/said
// EXIT: 1
// RUN: gcc -w -fwrapv -I. -o %t/tests %t/out/c/tests.c -lm && %t/tests | sed 's/_[0-9a-f]*\(:.*\)*$//' | sort | uniq -c | sort -rn | sed 's/^ *//' | tail -n 1
// RUN: grep -c '^static void test_' %t/out/c/tests.c; grep -m 1 'the_list\[0\].value = ' %t/out/c/tests.c; grep -m 1 -o 'COAX_EQUAL(sum(.*' %t/out/c/tests.c
#include <stdlib.h>
struct node {
    int value;
    struct node *next;
};

static int sum(struct node *list, unsigned char limit) {
    int sum = 0;
    for (int i = 0; i < limit && list; i++, list = list->next) {
        if (list->value == 42) abort();
        sum += list->value;
    }
    return sum;
}

int main(void) {
    struct node only = {1, NULL};
    return sum(&only, 1);
}

// OUTPUT
// $ coax cover % --entry sum --max-runs 60 --out %t/out --emit c > %t/said
// $ gcc -w -fwrapv -I. -o %t/tests %t/out/c/tests.c -lm && %t/tests | sed 's/_[0-9a-f]*\(:.*\)*$//' | sort | uniq -c | sort -rn | sed 's/^ *//' | tail -n 1
// | 1 2 tests, 0 failed
// $ grep -c '^static void test_' %t/out/c/tests.c; grep -m 1 'the_list\[0\].value = ' %t/out/c/tests.c; grep -m 1 -o 'COAX_EQUAL(sum(.*' %t/out/c/tests.c
// | 2
// |     the_list[0].value = 0;
// | COAX_EQUAL(sum(coax_heap(the_list, sizeof the_list), (uint8_t)1), 0);
