/* Messages of command-line tools in BSD's way, which wasi-libc declares and lacks. Weak, in case a C library has them
   after all. */

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WEAK __attribute__((__weak__))

WEAK void vwarnx(const char *format, va_list values) {
  if (format) vfprintf(stderr, format, values);
  fputc('\n', stderr);
}

WEAK void vwarn(const char *format, va_list values) {
  const char *reason = strerror(errno);
  if (format) {
    vfprintf(stderr, format, values);
    fputs(": ", stderr);
  }
  fprintf(stderr, "%s\n", reason);
}

WEAK _Noreturn void verr(int code, const char *format, va_list values) {
  vwarn(format, values);
  exit(code);
}

WEAK _Noreturn void verrx(int code, const char *format, va_list values) {
  vwarnx(format, values);
  exit(code);
}

#define WITH_VALUES(call)  \
  va_list values;          \
  va_start(values, format); \
  call;                    \
  va_end(values);

WEAK void warn(const char *format, ...) { WITH_VALUES(vwarn(format, values)) }
WEAK void warnx(const char *format, ...) { WITH_VALUES(vwarnx(format, values)) }
WEAK _Noreturn void err(int code, const char *format, ...) { WITH_VALUES(verr(code, format, values)) }
WEAK _Noreturn void errx(int code, const char *format, ...) { WITH_VALUES(verrx(code, format, values)) }
