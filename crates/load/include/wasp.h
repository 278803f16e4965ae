/* The functions that WASP offers to C programs, so that sources written for it compile as they are. They are compiled
 * in terms of coax.h, by wasp.c. */
#ifndef WASP_H
#define WASP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. */
int __WASP_symb_int(char *name);
long long __WASP_symb_long(char *name);
float __WASP_symb_float(char *name);
double __WASP_symb_double(char *name);

/* What holds, and what must: the tool's own, so that the place is the program's. */
__attribute__((import_module("env"), import_name("coax_assume"))) void __WASP_assume(int condition);
#define __WASP_assert(...) \
    ((__VA_ARGS__) ? (void)0 : coax_assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __func__))
__attribute__((__noreturn__)) void coax_assert_fail(const char *text, const char *file, unsigned int line,
                                                    const char *function);
#ifndef assume
__attribute__((import_module("env"), import_name("coax_assume"))) void assume(int condition);
#endif

/* Memory that the tool watches, if it does. */
void *__WASP_alloc(void *base, unsigned int size);
void __WASP_dealloc(void *base);

/* Questions and words to the tool. */
int __WASP_is_symbolic(void *base, unsigned int size);
int __WASP_print_stack(int value);
void __WASP_print_pc();

/* Operators without branches. */
int and_(int, int);
int or_(int, int);
int ite(int, int, int);

#ifdef __cplusplus
}
#endif

#endif
