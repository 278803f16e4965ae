# 1 "preprocessed.c"
# 1 "<built-in>"
# 1 "<command-line>"
# 1 "/usr/include/assert.h" 1 3 4
extern void __assert_fail (const char *__assertion, const char *__file,
      unsigned int __line, const char *__function)
     __attribute__ ((__nothrow__ )) __attribute__ ((__noreturn__));
# 2 "preprocessed.c" 2
extern void abort(void) __attribute__ ((__nothrow__)) __attribute__ ((__noreturn__));
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int expression);
void reach_error() { ((void) sizeof ((0) ? 1 : 0), __extension__ ({ if (0) ; else __assert_fail ("0", "preprocessed.c", 5, __extension__ __PRETTY_FUNCTION__); })); }
void __VERIFIER_assert(int cond) {
  if (!(cond)) {
    ERROR: {reach_error();abort();}
  }
  return;
}
unsigned int gcd(unsigned int a, unsigned int b) {
  while (b != 0) { unsigned int t = a % b; a = b; b = t; }
  return a;
}
int main(void) {
  unsigned int a = __VERIFIER_nondet_uint();
  unsigned int b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a > 0 && a < 100 && b < 100);
  unsigned int g = gcd(a, b);
  __VERIFIER_assert(a % g == 0);
  __VERIFIER_assert(g != 13);
  return 0;
}
