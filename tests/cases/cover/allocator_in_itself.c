// An allocator of the program's own that goes through itself, and fails far down: the module that checks memory has two calls for each of its
// allocator's, so of the calls that are kept it has fewer. That is no difference, and no input ends a search.
// RUN: coax cover % --max-runs 12 --out %t/out
// EXIT: 1

#include <stddef.h>
extern unsigned int __VERIFIER_nondet_uint(void);
void *alloc(size_t n);
void *malloc(size_t n) { return alloc(n + 1); }
void *alloc(size_t n) {
    if (n > 400) __builtin_trap();
    return (char *)malloc(n + 1) + 1;
}
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n < 100) return 0;
    if (n > 300) return 1;
    return malloc(n) != 0;
}

// OUTPUT
// $ coax cover % --max-runs 12 --out %t/out
// | FAILS  trapped: unreachable at allocator_in_itself.c:11:18  fails-Unreachable-line-11-a357c3.json
// | 3 tests, 1 failure; branches 6/6 (100 %), lines 8/8 (100 %), functions 3/3 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | Tests are in [t]/out/tests.
