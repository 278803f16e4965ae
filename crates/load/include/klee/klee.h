/* The functions that KLEE offers to programs, so that sources written for it compile as they are. A run of coax
 * answers them. */
#ifndef KLEE_H
#define KLEE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);
uintptr_t klee_choose(uintptr_t n);

/* What holds, and what must. */
void klee_assume(uintptr_t condition);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
#define klee_assert(expr) \
    ((expr) ? (void)0 : klee_assert_fail(#expr, __FILE__, __LINE__, __PRETTY_FUNCTION__))
__attribute__((__noreturn__)) void klee_assert_fail(const char *assertion, const char *file, unsigned line,
                                                    const char *function);
__attribute__((__noreturn__)) void klee_report_error(const char *file, int line, const char *message,
                                                     const char *suffix);
__attribute__((__noreturn__)) void klee_silent_exit(int status);
__attribute__((__noreturn__)) void klee_abort(void);

/* Questions. */
unsigned klee_is_symbolic(uintptr_t n);
unsigned klee_is_replay(void);
size_t klee_get_obj_size(void *ptr);
void klee_check_memory_access(const void *address, size_t size);
int klee_get_errno(void);
float klee_get_valuef(float expr);
double klee_get_valued(double expr);
long klee_get_valuel(long expr);
long long klee_get_valuell(long long expr);
int32_t klee_get_value_i32(int32_t expr);
int64_t klee_get_value_i64(int64_t expr);

/* Words to the tool. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *msg, ...);
void klee_print_range(const char *name, int arg);
void klee_stack_trace(void);
void klee_set_forking(unsigned enable);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_mark_global(void *object);
void klee_define_fixed_object(void *addr, size_t nbytes);
void klee_alias_function(const char *fn_name, const char *new_fn_name);

#ifdef __cplusplus
}
#endif

#endif
