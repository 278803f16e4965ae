// What gcc leaves of a program after preprocessing, on a system with glibc.
// REQUIRES: clang
// RUN: grep -v '^//' % > %t/task.i; coax replay %t/task.i --stdin %
// RUN: coax replay %t/task.i --value 7 | head -n 4
// RUN: coax replay %t/task.i --value 8 | head -n 1
# 1 "task.c"
# 1 "<built-in>" 1
# 1 "<command-line>" 1
# 1 "task.c"
# 1 "/usr/include/stdio.h" 1 3 4
typedef unsigned long int size_t;
typedef __builtin_va_list __gnuc_va_list;
typedef long int __ssize_t;
__extension__ typedef signed long long int __quad_t;
struct _IO_FILE;
typedef struct _IO_FILE __FILE;
typedef struct _IO_FILE FILE;
extern struct _IO_FILE *stdin;
extern struct _IO_FILE *stdout;
extern struct _IO_FILE *stderr;
extern int fprintf (FILE *__restrict __stream, const char *__restrict __format, ...);
extern int __isoc99_sscanf (const char *__restrict __s, const char *__restrict __format, ...) __attribute__ ((__nothrow__ , __leaf__));
extern int sscanf (const char *__restrict __s, const char *__restrict __format, ...) __asm__ ("" "__isoc23_sscanf") __attribute__ ((__nothrow__ , __leaf__));
extern int _IO_getc (FILE *__fp);
extern int _IO_putc (int __c, FILE *__fp);
extern char *gets (char *__s);
extern void *malloc (size_t __size) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__malloc__)) ;
extern void free (void *__ptr) __attribute__ ((__nothrow__ , __leaf__));
extern long int strtol (const char *__restrict __nptr, char **__restrict __endptr, int __base) __asm__ ("" "__isoc23_strtol") __attribute__ ((__nothrow__ , __leaf__));
extern _Float128 strtof128 (const char *__restrict __nptr, char **__restrict __endptr) __attribute__ ((__nothrow__ , __leaf__));
extern _Float32 strtof32 (const char *__restrict __nptr, char **__restrict __endptr) __attribute__ ((__nothrow__ , __leaf__));
extern __inline __attribute__ ((__gnu_inline__)) int getchar (void) { return _IO_getc (stdin); }
extern int *__errno_location (void) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));
extern const unsigned short int **__ctype_b_loc (void) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));
extern int __isinf (double __value) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__const__));
extern int __xstat (int __ver, const char *__filename, struct stat *__stat_buf) __attribute__ ((__nothrow__ , __leaf__));
extern char *__strcpy_chk (char *, const char *, size_t);
typedef unsigned long int pthread_t;
typedef union { char __size[40]; long int __align; } pthread_mutex_t;
extern int pthread_mutex_lock (pthread_mutex_t *__mutex) __attribute__ ((__nothrow__));
extern void __assert_fail (const char *__assertion, const char *__file, unsigned int __line, const char *__function) __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__noreturn__));
# 2 "task.c" 2
extern int __VERIFIER_nondet_int(void);

static char *copy(const char *from) {
  char *to = malloc(8);
  return __strcpy_chk(to, from, 8);
}

int main(void) {
  char line[80], *end;
  int number = 0, second = 0;
  gets(line);
  sscanf("12", "%d", &number);
  __isoc99_sscanf("34", "%d", &second);
  (*__errno_location ()) = 0;
  fprintf(stdout, "%.5s %d %ld %s\n", line, number + second, strtol("0x2a!", &end, 0), end);
  if (((*__ctype_b_loc ())[(int) ('7')] & (unsigned short int) 2048)) _IO_putc('d', stdout);
  _IO_putc('0' + __isinf(-1e308 * 10), stdout);
  _IO_putc(_IO_getc(stdin), stdout);
  int x = __VERIFIER_nondet_int();
  free(copy(x == 7 ? "too long" : "short"));
  ((x != 8) ? (void) (0) : __assert_fail ("x != 8", "task.c", 24, __extension__ __PRETTY_FUNCTION__));
  return 0;
}

// OUTPUT
// $ grep -v '^//' % > %t/task.i; coax replay %t/task.i --stdin %
// | ok    run: returned
// |       input  | {"name":"nondet_int#1","i32":0}
// |       stdout | // Wh 46 42 !
// |       stdout | d//
// $ coax replay %t/task.i --value 7 | head -n 4
// | FAIL  run: trapped: unreachable at task.c:6:10 in copy
// |       input  | {"name":"nondet_int#1","i32":7}
// |       stdout |  46 42 !
// |       stderr | *** buffer overflow detected ***: terminated
// $ coax replay %t/task.i --value 8 | head -n 1
// | FAIL  run: trapped: unreachable (assertion failed: x != 8) at task.c:22:28 in main
