/* Owi's values with names, and those that are narrower than its own, in terms of coax.h. */

#include <owi.h>
#include <coax.h>

#define VALUE(type, name, ask)                                                    \
    __attribute__((__weak__)) type(owi_named_##name)(const char *label) { return ask(label); }
#define UNNAMED(type, name, ask)                                                  \
    __attribute__((__weak__)) type(owi_##name)(void) { return ask("owi_" #name); }
#define BOTH(type, name, ask) VALUE(type, name, ask) UNNAMED(type, name, ask)

VALUE(int32_t, int32, coax_i32)
VALUE(uint32_t, uint32, coax_u32)
VALUE(int64_t, int64, coax_i64)
VALUE(uint64_t, uint64, coax_u64)
VALUE(float, float, coax_f32)
VALUE(double, double, coax_f64)
BOTH(bool, bool, coax_bool)
BOTH(char, char, coax_i8)
BOTH(unsigned char, unsigned_char, coax_u8)
BOTH(short, short, coax_i16)
BOTH(unsigned short, unsigned_short, coax_u16)
BOTH(int, int, coax_i32)
BOTH(unsigned int, unsigned_int, coax_u32)
BOTH(long, long, coax_i32)
BOTH(unsigned long, unsigned_long, coax_u32)
BOTH(long long, long_long, coax_i64)
BOTH(unsigned long long, unsigned_long_long, coax_u64)

static unsigned __int128 wide(const char *label) {
    unsigned __int128 value;
    coax_bytes(&value, sizeof value, label);
    return value;
}

BOTH(__int128, int128, (__int128)wide)
BOTH(unsigned __int128, uint128, wide)

__attribute__((__weak__)) int owi_named_range(const char *label, int lo, int hi) {
    return coax_range(lo, hi, label);
}
