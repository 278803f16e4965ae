/* Everything that coax.h offers, once. */
#include <coax.h>
#include <string.h>

static int unknown(int x) { return x * 2654435761u >> 7; }

int main(void) {
    char text[6];
    coax_bytes(text, sizeof text, "text");
    int8_t i8 = coax_i8("i8");
    uint8_t u8 = coax_u8("u8");
    int16_t i16 = coax_i16("i16");
    uint16_t u16 = coax_u16("u16");
    int32_t i32 = coax_i32("i32");
    uint32_t u32 = coax_u32("u32");
    int64_t i64 = coax_i64("i64");
    uint64_t u64 = coax_u64("u64");
    float f32 = coax_f32("f32");
    double f64 = coax_f64("f64");
    bool flag = coax_bool("flag");
    size_t size = coax_size("size");
    int32_t range = coax_range(-3, 4, "range");
    coax_unknown((void (*)(void))unknown);
    coax_assume(text[5] == 0);
    coax_assert(range >= -3 && range < 4);
    if (!strcmp(text, "coax")) coax_cover("the word");
    if (i8 < 0 && u8 > 128 && i16 < -300 && u16 > 40000) coax_cover("narrow");
    if (i32 == -7 && u32 > 4000000000u && i64 < -5000000000ll && u64 > 9000000000ull) coax_cover("wide");
    if (f32 > 0.5f && f64 < 0.25 && flag && size == 3) coax_cover("the rest");
    return unknown(i32) == 5;
}
