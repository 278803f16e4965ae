/* assert as glibc declares it: programs for glibc repeat its declaration, whose line has another type than
   wasi-libc's. Like any assert.h it may be included again, with another NDEBUG. */

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((void)((condition) || (__assert_fail(#condition, __FILE__, __LINE__, __func__), 0)))
#endif

#ifdef __cplusplus
extern "C" {
#endif

__attribute__((__noreturn__)) void __assert_fail(const char *, const char *, unsigned int, const char *);
__attribute__((__noreturn__)) void __assert_perror_fail(int, const char *, unsigned int, const char *);
__attribute__((__noreturn__)) void __assert(const char *, const char *, int);

#ifdef __cplusplus
}
#elif __STDC_VERSION__ >= 201112L && __STDC_VERSION__ < 202311L
#undef static_assert
#define static_assert _Static_assert
#endif
