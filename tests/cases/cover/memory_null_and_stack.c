// Accesses through null, and a stack that is used up.
// REQUIRES: clang
// RUN: coax cover % --entry null_field --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry null_fixed --out %t/2 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry not_found --max-len 8 --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry found_fixed --max-len 8 --out %t/4 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry large_array --out %t/5 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry array_fixed --out %t/6 2>/dev/null | grep -c FAILS
// EXIT: 1
// RUN: coax cover % --entry deep --out %t/7 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// RUN: coax cover % --entry deep_fixed --out %t/8 2>/dev/null | grep -c FAILS
// EXIT: 1

#include <stddef.h>
#include <string.h>

struct account { int id, balance; };
static struct account accounts[3] = {{10, 5}, {20, 6}, {30, 7}};

static struct account *find(int id) {
    for (int i = 0; i < 3; i++)
        if (accounts[i].id == id) return &accounts[i];
    return NULL;
}
static int transfer(int from, int to, int checks) {
    struct account *a = find(from), *b = find(to);
    if (!a) return -1;
    if (checks && !b) return -1;
    b->balance += a->balance;
    return b->balance;
}
int null_field(int from, int to) { return transfer(from, to, 0); }
int null_fixed(int from, int to) { return transfer(from, to, 1); }

static int after_colon(const char *text, int checks) {
    const char *colon = strchr(text, ':');
    if (text[0] != 'k') return 0;
    if (checks && !colon) return 0;
    return colon[1];
}
int not_found(const char *text) { return after_colon(text, 0); }
int found_fixed(const char *text) { return after_colon(text, 1); }

// An array as long as the caller wants, on the stack.
__attribute__((noinline)) static void set(volatile char *place) { *place = 1; }
static int array(unsigned length, unsigned most) {
    if (length < 100 || length > most) return 0;
    volatile char array[length];
    set(array + length - 1);
    return array[length - 1];
}
int large_array(unsigned length) { return array(length, 1u << 30); }
int array_fixed(unsigned length) { return array(length, 120); }

static int nest(unsigned depth) {
    volatile int large[4000];
    large[depth % 4000] = depth;
    return depth == 0 ? 0 : nest(depth - 1) + large[depth % 4000];
}
int deep(unsigned depth) { return depth == 123456 ? nest(depth) : 0; }
int deep_fixed(unsigned depth) { return depth == 123456 ? nest(depth % 10) : 0; }

// OUTPUT
// $ coax cover % --entry null_field --out %t/1 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  null pointer dereference at memory_null_and_stack.c:31:16
// $ coax cover % --entry null_fixed --out %t/2 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry not_found --max-len 8 --out %t/3 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  null pointer dereference at memory_null_and_stack.c:41:12
// $ coax cover % --entry found_fixed --max-len 8 --out %t/4 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry large_array --out %t/5 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  stack overflow at memory_null_and_stack.c:50:5
// $ coax cover % --entry array_fixed --out %t/6 2>/dev/null | grep -c FAILS
// | 0
// $ coax cover % --entry deep --out %t/7 2>/dev/null | grep -o 'FAILS.* at [^ ]*'
// | FAILS  stack overflow at memory_null_and_stack.c:57
// $ coax cover % --entry deep_fixed --out %t/8 2>/dev/null | grep -c FAILS
// | 0
