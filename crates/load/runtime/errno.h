/* errno as a plain variable, so that a program may declare it once more, as `extern int errno;`. There are no threads. */
#ifdef __cplusplus
#define thread_local
#include_next <errno.h>
#undef thread_local
#else
#define _Thread_local
#include_next <errno.h>
#undef _Thread_local
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* What errno is made of where glibc is; glibc.c has it. */
int *__errno_location(void) __attribute__((__const__, __nothrow__));
#ifdef __cplusplus
}
#endif
