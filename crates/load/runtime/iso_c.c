/* Functions of ISO C that wasi-libc lacks. In the sandbox there is no place for temporary files and no command
   processor, and the standard has an answer for that. Weak, in case a C library has them after all. */

#include <errno.h>
#include <stdio.h>

__attribute__((__weak__)) FILE *tmpfile(void) {
  errno = ENOTSUP;
  return NULL;
}

/* Gone since C11 for having no limit; programs whose fault it is are still tested. */
__attribute__((__weak__)) char *gets(char *line) {
  int byte = getchar(), length = 0;
  if (byte == EOF) return NULL;
  for (; byte != EOF && byte != '\n'; byte = getchar()) line[length++] = (char)byte;
  line[length] = 0;
  return line;
}

__attribute__((__weak__)) char *tmpnam(char *name) {
  (void)name;
  return NULL;
}

__attribute__((__weak__)) int system(const char *command) {
  if (command == NULL) return 0; /* there is no command processor */
  errno = ENOTSUP;
  return -1;
}
