/* coax.h: what a test harness asks coax for. C and C++.
 *
 *     #include <coax.h>
 *
 *     int main(void) {
 *         char text[8];
 *         coax_bytes(text, sizeof text, "text");
 *         int limit = coax_range(1, 100, "limit");
 *         coax_assume(text[0] != 0);
 *         coax_assert(parse(text, limit) >= 0);
 *     }
 *
 * When coax compiles, the header is found without flags, and a run answers the calls: the program imports them from
 * "env". Names are C strings; they are how values are called in paths, in tests and in reports.
 *
 * For a build without coax, put this file on the include path and link a file that defines the functions, for
 * instance ones that return the values of a stored test.
 */
#ifndef COAX_H
#define COAX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Fills n bytes at p. */
void coax_bytes(void *p, size_t n, const char *name);

/* One value of a type. */
int8_t coax_i8(const char *name);
uint8_t coax_u8(const char *name);
int16_t coax_i16(const char *name);
uint16_t coax_u16(const char *name);
int32_t coax_i32(const char *name);
uint32_t coax_u32(const char *name);
int64_t coax_i64(const char *name);
uint64_t coax_u64(const char *name);
float coax_f32(const char *name);
double coax_f64(const char *name);
bool coax_bool(const char *name);
size_t coax_size(const char *name);

/* A value with begin <= value < end. */
int32_t coax_range(int32_t begin, int32_t end, const char *name);

/* Only runs in which this holds count; a run in which it does not ends here. */
void coax_assume(bool condition);

/* The run fails here unless this holds: coax_assert(condition), or coax_assert(condition, "what is wrong otherwise"). A condition
 * with a comma of its own needs parentheses. */
#define coax_assert(...) \
    COAX_ASSERT_FORM(__VA_ARGS__, COAX_ASSERT_SAYING, COAX_ASSERT_BARE, 0)(#__VA_ARGS__, __VA_ARGS__)
#define COAX_ASSERT_FORM(condition, text, form, ...) form
#define COAX_ASSERT_BARE(words, condition) \
    ((condition) ? (void)0 : coax_assert_fail(words, __FILE__, __LINE__, __func__))
/* What is said must be a string as it stands here: a second condition would never be looked at. */
#define COAX_ASSERT_SAYING(words, condition, text) \
    ((condition) ? (void)0 : coax_assert_fail(words, __FILE__, __LINE__, sizeof("" text) ? __func__ : 0))
__attribute__((__noreturn__)) void coax_assert_fail(const char *text, const char *file, uint32_t line,
                                                    const char *function);

/* A place that tests should reach, under this label. */
void coax_cover(const char *label);

/* Before the definition of a function without parameters: it is a harness, and what a run begins with if there is no main and no other. */
#if defined(__wasm__)
#define COAX_HARNESS(name) __attribute__((export_name("__coax_harness_" #name)))
#else
#define COAX_HARNESS(name)
#endif

/* The function is a black box: nothing is known of it but what it answered. Any function, cast to this type. (It is for whoever searches; a
 * single path, as `coax dump path` shows it, looks into every function.) */
void coax_unknown(void (*function)(void));

#ifdef __cplusplus
}
#endif

#endif
