// Counts bits in two ways, and finds the next power of two.
//
//     coax cover examples/small/bits.c --entry next_power
#include <stdint.h>

enum { WRONG = -1 };

static int count_by_clearing(uint8_t bits) {
    int count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

static int count_by_halves(uint8_t bits) {
    bits = (bits & 0x55) + (bits >> 1 & 0x55);
    bits = (bits & 0x33) + (bits >> 2 & 0x33);
    return (bits & 0x0f) + (bits >> 4);
}

int next_power(uint8_t number) {
    int count = count_by_clearing(number);
    if (count != count_by_halves(number)) return WRONG; /* both count the same */
    if (count == 0) return 1;
    if (count == 1) return number;
    int power = 1;
    while (power < number) power <<= 1;
    if (power > 256) return WRONG; /* the number has eight bits */
    return power;
}
