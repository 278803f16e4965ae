// What glibc's headers declare, a program may declare once more, before and after the headers of this C library.
// REQUIRES: clang
// RUN: coax replay %
// RUN: coax replay % --value 3
// EXIT: 1
extern void abort(void) __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
extern void __assert_fail(const char *__assertion, const char *__file, unsigned int __line, const char *__function)
    __attribute__((__nothrow__, __leaf__)) __attribute__((__noreturn__));
extern int errno;
#include <assert.h>
#include <errno.h>
#include <stdio.h>
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
extern int errno;
extern struct _IO_FILE *stdout;
extern FILE *stderr;
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
    errno = __VERIFIER_nondet_int();
    fprintf(stdout, "%d\n", *__errno_location());
    if (errno == 3)
        reach_error();
    return 0;
}

// OUTPUT
// $ coax replay %
// | ok    run: returned
// |       input  | {"name":"nondet_int#1","i32":0}
// |       stdout | 0
// $ coax replay % --value 3
// | FAIL  run: trapped: unreachable (assertion failed: 0) at glibc_assert.c:18:26 in reach_error
// |       input  | {"name":"nondet_int#1","i32":3}
// |       stdout | 3
// |       stderr | Assertion failed: 0 (glibc_assert.c: reach_error: 18)
// |         at libc-bottom-half/sources/abort.c:5:5 in abort
// |         at libc-top-half/musl/src/exit/assert.c:7:2 in __assert_fail
// |         at glibc_assert.c:18:26 in reach_error
// |         at glibc_assert.c:24:9 in main
// |         at build/libc-bottom-half/crt/crt1.c:14:13 in _start
