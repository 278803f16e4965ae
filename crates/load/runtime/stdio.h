/* wasi-libc leaves out what ISO C says about temporary files (iso_c.c has the functions), and its streams are constants, so that a
   program that declares them as other C libraries do, `extern FILE *stdin;`, would contradict it. */
#define stdin __coax_stdin
#define stdout __coax_stdout
#define stderr __coax_stderr
#include_next <stdio.h>
#undef stdin
#undef stdout
#undef stderr

#ifdef __cplusplus
extern "C" {
#endif
extern FILE *stdin, *stdout, *stderr;
#ifdef __cplusplus
}
#endif
#define stdin stdin
#define stdout stdout
#define stderr stderr

#ifndef L_tmpnam
#define L_tmpnam 20
#endif
#ifndef TMP_MAX
#define TMP_MAX 25
#endif
