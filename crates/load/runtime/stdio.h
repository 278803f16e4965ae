/* wasi-libc leaves out what ISO C says about temporary files; iso_c.c has the functions. */
#include_next <stdio.h>

#ifndef L_tmpnam
#define L_tmpnam 20
#endif
#ifndef TMP_MAX
#define TMP_MAX 25
#endif
