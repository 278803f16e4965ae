/* The functions that Owi offers to C programs, so that sources written for it compile as they are: the present names
 * (owi_int32, owi_named_int32, …) and those of before 2025 (owi_i32, …).
 *
 * A value with a name can be asked for in two ways: owi_named_int("x"), or owi_int("x"). Those are compiled in
 * terms of coax.h, by owi.c; values without a name are imports of Owi's own. */
#ifndef OWI_H
#define OWI_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OWI_IMPORT(name) __attribute__((import_module("owi"), import_name(name)))

OWI_IMPORT("i32_symbol") int32_t owi_int32(void);
OWI_IMPORT("i32_symbol") uint32_t owi_uint32(void);
OWI_IMPORT("i64_symbol") int64_t owi_int64(void);
OWI_IMPORT("i64_symbol") uint64_t owi_uint64(void);
OWI_IMPORT("f32_symbol") float owi_float(void);
OWI_IMPORT("f64_symbol") double owi_double(void);
OWI_IMPORT("range_symbol") int owi_range(int lo, int hi);
__int128 owi_int128(void);
unsigned __int128 owi_uint128(void);
bool owi_bool(void);
char owi_char(void);
unsigned char owi_unsigned_char(void);
short owi_short(void);
unsigned short owi_unsigned_short(void);
int owi_int(void);
unsigned int owi_unsigned_int(void);
long owi_long(void);
unsigned long owi_unsigned_long(void);
long long owi_long_long(void);
unsigned long long owi_unsigned_long_long(void);

int32_t owi_named_int32(const char *name);
uint32_t owi_named_uint32(const char *name);
int64_t owi_named_int64(const char *name);
uint64_t owi_named_uint64(const char *name);
float owi_named_float(const char *name);
double owi_named_double(const char *name);
int owi_named_range(const char *name, int lo, int hi);
__int128 owi_named_int128(const char *name);
unsigned __int128 owi_named_uint128(const char *name);
bool owi_named_bool(const char *name);
char owi_named_char(const char *name);
unsigned char owi_named_unsigned_char(const char *name);
short owi_named_short(const char *name);
unsigned short owi_named_unsigned_short(const char *name);
int owi_named_int(const char *name);
unsigned int owi_named_unsigned_int(const char *name);
long owi_named_long(const char *name);
unsigned long owi_named_unsigned_long(const char *name);
long long owi_named_long_long(const char *name);
unsigned long long owi_named_unsigned_long_long(const char *name);

OWI_IMPORT("assume") void owi_assume(int condition);
OWI_IMPORT("assert") void owi_assert(int condition);
OWI_IMPORT("alloc") void *owi_malloc(void *base, unsigned int size);
OWI_IMPORT("print_char") void owi_print_char(int c);
OWI_IMPORT("cov_label_is_covered") int owi_label_is_covered(int id);
OWI_IMPORT("cov_label_set") void owi_label_set(int id, char *name);
OWI_IMPORT("open_scope_null_terminated") void owi_open_scope(const char *name);
OWI_IMPORT("close_scope") void owi_close_scope(void);

/* The names of before. */
#define OWI_SYMBOLIC(name) __attribute__((import_module("symbolic"), import_name(name)))
OWI_SYMBOLIC("i8_symbol") char owi_i8(void);
OWI_SYMBOLIC("i32_symbol") int owi_i32(void);
OWI_SYMBOLIC("i64_symbol") long long owi_i64(void);
OWI_SYMBOLIC("f32_symbol") float owi_f32(void);
OWI_SYMBOLIC("f64_symbol") double owi_f64(void);
__attribute__((import_module("summaries"), import_name("dealloc"))) void *owi_free(void *base);
__attribute__((import_module("summaries"), import_name("abort"))) void owi_abort(void);
__attribute__((import_module("summaries"), import_name("exit"))) void owi_exit(int status);

#undef OWI_SYMBOLIC
#undef OWI_IMPORT

#ifdef __cplusplus
}
#endif

/* With an argument the named function, without the other: the argument pushes the wanted one into third place. */
#define OWI_THIRD(first, second, third, ...) third
#define OWI_VALUE(type, ...) OWI_THIRD(, ##__VA_ARGS__, owi_named_##type(__VA_ARGS__), owi_##type())

#define owi_int32(...) OWI_VALUE(int32, ##__VA_ARGS__)
#define owi_uint32(...) OWI_VALUE(uint32, ##__VA_ARGS__)
#define owi_int64(...) OWI_VALUE(int64, ##__VA_ARGS__)
#define owi_uint64(...) OWI_VALUE(uint64, ##__VA_ARGS__)
#define owi_int128(...) OWI_VALUE(int128, ##__VA_ARGS__)
#define owi_uint128(...) OWI_VALUE(uint128, ##__VA_ARGS__)
#define owi_float(...) OWI_VALUE(float, ##__VA_ARGS__)
#define owi_double(...) OWI_VALUE(double, ##__VA_ARGS__)
#define owi_bool(...) OWI_VALUE(bool, ##__VA_ARGS__)
#define owi_char(...) OWI_VALUE(char, ##__VA_ARGS__)
#define owi_unsigned_char(...) OWI_VALUE(unsigned_char, ##__VA_ARGS__)
#define owi_short(...) OWI_VALUE(short, ##__VA_ARGS__)
#define owi_unsigned_short(...) OWI_VALUE(unsigned_short, ##__VA_ARGS__)
#define owi_int(...) OWI_VALUE(int, ##__VA_ARGS__)
#define owi_unsigned_int(...) OWI_VALUE(unsigned_int, ##__VA_ARGS__)
#define owi_long(...) OWI_VALUE(long, ##__VA_ARGS__)
#define owi_unsigned_long(...) OWI_VALUE(unsigned_long, ##__VA_ARGS__)
#define owi_long_long(...) OWI_VALUE(long_long, ##__VA_ARGS__)
#define owi_unsigned_long_long(...) OWI_VALUE(unsigned_long_long, ##__VA_ARGS__)

#endif
