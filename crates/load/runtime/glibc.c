/* Functions by which glibc's headers do what the standard's do: programs that were preprocessed on a glibc system, or that repeat its
   declarations, call them. wasi-libc has the same under other names. Weak, in case a C library has them after all.

   Not here is what depends on the layout of glibc's structures, such as __xstat: those of this C library are others. */

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#define WEAK __attribute__((__weak__))

_Noreturn void __assert_fail(const char *, const char *, unsigned, const char *);

WEAK _Noreturn void __assert(const char *text, const char *file, int line) {
  __assert_fail(text, file, (unsigned)line, "?");
}

WEAK _Noreturn void __assert_perror_fail(int number, const char *file, unsigned line, const char *function) {
  __assert_fail(strerror(number), file, line, function);
}

WEAK int *__errno_location(void) { return &errno; }

/* Kinds of numbers. An infinity has its sign. */
#define KINDS(type, suffix)                                                           \
  WEAK int __isnan##suffix(type x) { return __builtin_isnan(x); }                     \
  WEAK int __isinf##suffix(type x) { return __builtin_isinf_sign(x); }                \
  WEAK int __finite##suffix(type x) { return __builtin_isfinite(x); }                 \
  WEAK int __signbit##suffix(type x) { return __builtin_signbit(x) != 0; }            \
  WEAK int __fpclassify##suffix(type x) {                                             \
    return __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x); \
  }                                                                                   \
  WEAK int plain_isnan##suffix(type x) __asm__("isnan" #suffix);                      \
  WEAK int plain_isnan##suffix(type x) { return __builtin_isnan(x); }                 \
  WEAK int plain_isinf##suffix(type x) __asm__("isinf" #suffix);                      \
  WEAK int plain_isinf##suffix(type x) { return __builtin_isinf_sign(x); }            \
  WEAK int plain_finite##suffix(type x) __asm__("finite" #suffix);                    \
  WEAK int plain_finite##suffix(type x) { return __builtin_isfinite(x); }

KINDS(double, )
KINDS(float, f)
KINDS(long double, l)

/* Text to numbers, as C23 wants it; ours do not know `0b` either way. */
#define NUMBER(type, name) \
  WEAK type __isoc23_##name(const char *text, char **end, int base) { return name(text, end, base); }
NUMBER(long, strtol)
NUMBER(unsigned long, strtoul)
NUMBER(long long, strtoll)
NUMBER(unsigned long long, strtoull)
NUMBER(intmax_t, strtoimax)
NUMBER(uintmax_t, strtoumax)
WEAK long long strtoq(const char *text, char **end, int base) { return strtoll(text, end, base); }
WEAK unsigned long long strtouq(const char *text, char **end, int base) { return strtoull(text, end, base); }
WEAK double __strtod_internal(const char *text, char **end, int group) {
  (void)group;
  return strtod(text, end);
}

#define WITH_VALUES(type, call) \
  va_list values;               \
  va_start(values, format);     \
  type result = call;           \
  va_end(values);               \
  return result;

WEAK int __isoc23_scanf(const char *format, ...) { WITH_VALUES(int, vscanf(format, values)) }
WEAK int __isoc23_fscanf(FILE *file, const char *format, ...) { WITH_VALUES(int, vfscanf(file, format, values)) }
WEAK int __isoc23_sscanf(const char *text, const char *format, ...) { WITH_VALUES(int, vsscanf(text, format, values)) }
WEAK int __isoc23_vscanf(const char *format, va_list values) { return vscanf(format, values); }
WEAK int __isoc23_vfscanf(FILE *file, const char *format, va_list values) { return vfscanf(file, format, values); }
WEAK int __isoc23_vsscanf(const char *text, const char *format, va_list values) {
  return vsscanf(text, format, values);
}

/* Strings. */
WEAK char *__strdup(const char *text) { return strdup(text); }
WEAK char *__strndup(const char *text, size_t most) { return strndup(text, most); }
WEAK char *__strtok_r(char *text, const char *between, char **rest) { return strtok_r(text, between, rest); }
WEAK char *__stpcpy(char *to, const char *from) { return stpcpy(to, from); }
WEAK void *__mempcpy(void *to, const void *from, size_t bytes) { return (char *)memcpy(to, from, bytes) + bytes; }
WEAK void *rawmemchr(const void *from, int byte) {
  const unsigned char *at = from;
  while (*at != (unsigned char)byte) at++;
  return (void *)at;
}
WEAK void *__rawmemchr(const void *from, int byte) { return rawmemchr(from, byte); }

/* What _FORTIFY_SOURCE makes of calls whose room the compiler knows. */
WEAK _Noreturn void __chk_fail(void) {
  fputs("*** buffer overflow detected ***: terminated\n", stderr);
  abort();
}

static void need(size_t bytes, size_t room) {
  if (bytes > room) __chk_fail();
}

WEAK void *__memcpy_chk(void *to, const void *from, size_t bytes, size_t room) {
  need(bytes, room);
  return memcpy(to, from, bytes);
}
WEAK void *__mempcpy_chk(void *to, const void *from, size_t bytes, size_t room) {
  need(bytes, room);
  return __mempcpy(to, from, bytes);
}
WEAK void *__memmove_chk(void *to, const void *from, size_t bytes, size_t room) {
  need(bytes, room);
  return memmove(to, from, bytes);
}
WEAK void *__memset_chk(void *to, int byte, size_t bytes, size_t room) {
  need(bytes, room);
  return memset(to, byte, bytes);
}
WEAK char *__strcpy_chk(char *to, const char *from, size_t room) {
  need(strlen(from) + 1, room);
  return strcpy(to, from);
}
WEAK char *__stpcpy_chk(char *to, const char *from, size_t room) {
  need(strlen(from) + 1, room);
  return stpcpy(to, from);
}
WEAK char *__strncpy_chk(char *to, const char *from, size_t bytes, size_t room) {
  need(bytes, room);
  return strncpy(to, from, bytes);
}
WEAK char *__strcat_chk(char *to, const char *from, size_t room) {
  need(strlen(to) + strlen(from) + 1, room);
  return strcat(to, from);
}
WEAK char *__strncat_chk(char *to, const char *from, size_t most, size_t room) {
  need(strlen(to) + strnlen(from, most) + 1, room);
  return strncat(to, from, most);
}
WEAK char *__fgets_chk(char *to, size_t room, int most, FILE *file) {
  need(most > 0 ? (size_t)most : 0, room);
  return fgets(to, most, file);
}
WEAK size_t __fread_chk(void *to, size_t room, size_t bytes, size_t count, FILE *file) {
  if (bytes != 0 && count > room / bytes) __chk_fail();
  return fread(to, bytes, count, file);
}
WEAK ssize_t __read_chk(int file, void *to, size_t bytes, size_t room) {
  need(bytes, room);
  return read(file, to, bytes);
}

/* A text that does not fit is found before it is written. */
WEAK int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list values) {
  (void)flag;
  va_list again;
  va_copy(again, values);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length >= 0) need((size_t)length + 1, room);
  return vsprintf(to, format, values);
}
WEAK int __vsnprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, va_list values) {
  (void)flag;
  need(most, room);
  return vsnprintf(to, most, format, values);
}
WEAK int __vprintf_chk(int flag, const char *format, va_list values) {
  (void)flag;
  return vprintf(format, values);
}
WEAK int __vfprintf_chk(FILE *file, int flag, const char *format, va_list values) {
  (void)flag;
  return vfprintf(file, format, values);
}
WEAK int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
  WITH_VALUES(int, __vsprintf_chk(to, flag, room, format, values))
}
WEAK int __snprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, ...) {
  WITH_VALUES(int, __vsnprintf_chk(to, most, flag, room, format, values))
}
WEAK int __printf_chk(int flag, const char *format, ...) { WITH_VALUES(int, __vprintf_chk(flag, format, values)) }
WEAK int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  WITH_VALUES(int, __vfprintf_chk(file, flag, format, values))
}
