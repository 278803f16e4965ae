/* WASP's functions in terms of coax.h; weak, because programs bring some of them along. What is assumed and asserted
   is not here: wasp.h leaves it to the place in the program. */

#include <coax.h>

#define WEAK __attribute__((__weak__))

WEAK int __WASP_symb_int(char *name) { return coax_i32(name); }
WEAK long long __WASP_symb_long(char *name) { return coax_i64(name); }
WEAK float __WASP_symb_float(char *name) { return coax_f32(name); }
WEAK double __WASP_symb_double(char *name) { return coax_f64(name); }

/* Memory is the program's own business: nothing is watched. */
WEAK void *__WASP_alloc(void *base, unsigned int size) {
    (void)size;
    return base;
}
WEAK void __WASP_dealloc(void *base) { (void)base; }

WEAK int __WASP_print_stack(int value) { return value; }
WEAK void __WASP_print_pc(void) {}

WEAK int and_(int a, int b) { return (a != 0) & (b != 0); }
WEAK int or_(int a, int b) { return (a != 0) | (b != 0); }
WEAK int ite(int condition, int yes, int no) {
    int mask = -(condition != 0);
    return (yes & mask) | (no & ~mask);
}
