/* What bounded model checkers know without a declaration: CBMC's and ESBMC's primitives. Included before a C source
 * that mentions them; COAX_DECLARED_NAME is defined if the source declares NAME by itself. */
#ifndef COAX_CHECKERS_H
#define COAX_CHECKERS_H

typedef _Bool __CPROVER_bool;
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;

#ifndef COAX_DECLARED___CPROVER_assume
void __CPROVER_assume(_Bool assumption);
#endif
#ifndef COAX_DECLARED___CPROVER_assert
void __CPROVER_assert(_Bool assertion, const char *description);
#endif
#ifndef COAX_DECLARED___CPROVER_precondition
void __CPROVER_precondition(_Bool condition, const char *description);
#endif
#ifndef COAX_DECLARED___CPROVER_postcondition
void __CPROVER_postcondition(_Bool condition, const char *description);
#endif
#ifndef COAX_DECLARED___CPROVER_input
void __CPROVER_input(const char *id, ...);
#endif
#ifndef COAX_DECLARED___CPROVER_output
void __CPROVER_output(const char *id, ...);
#endif
#ifndef COAX_DECLARED___ESBMC_assume
void __ESBMC_assume(_Bool assumption);
#endif
#ifndef COAX_DECLARED___ESBMC_assert
void __ESBMC_assert(_Bool assertion, const char *description);
#endif

void coax_cover(const char *label);
#define __CPROVER_cover(...) ((__VA_ARGS__) ? coax_cover(#__VA_ARGS__) : (void)0)

#define __CPROVER_printf __builtin_printf
#define __CPROVER_isnan __builtin_isnan
#define __CPROVER_isnanf __builtin_isnan
#define __CPROVER_isnand __builtin_isnan
#define __CPROVER_isfinite __builtin_isfinite
#define __CPROVER_isinf __builtin_isinf
#define __CPROVER_isnormal __builtin_isnormal
#define __CPROVER_sign __builtin_signbit
#define __CPROVER_abs __builtin_abs
#define __CPROVER_labs __builtin_labs
#define __CPROVER_fabs __builtin_fabs
#define __CPROVER_fabsf __builtin_fabsf
#define __CPROVER_fabsl __builtin_fabsl

#define COAX_OVERFLOWS(operation, type, ...) \
    __extension__({ type coax_ignored; __builtin_##operation##_overflow(__VA_ARGS__, &coax_ignored); })
#define __CPROVER_overflow_plus(a, b) COAX_OVERFLOWS(add, __typeof__((a) + (b)), a, b)
#define __CPROVER_overflow_minus(a, b) COAX_OVERFLOWS(sub, __typeof__((a) - (b)), a, b)
#define __CPROVER_overflow_mult(a, b) COAX_OVERFLOWS(mul, __typeof__((a) * (b)), a, b)
#define __CPROVER_overflow_unary_minus(a) COAX_OVERFLOWS(sub, __typeof__(-(a)), 0, a)

/* There are no other threads. */
#define __CPROVER_atomic_begin() ((void)0)
#define __CPROVER_atomic_end() ((void)0)
#define __ESBMC_atomic_begin() ((void)0)
#define __ESBMC_atomic_end() ((void)0)

#endif
