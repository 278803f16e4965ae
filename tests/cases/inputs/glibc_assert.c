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
