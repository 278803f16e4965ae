// A hash that no solver inverts: the rounds of splitmix64, cut to 32 bits.
#include <stdint.h>

static int hash(int value) {
    uint64_t mixed = (uint32_t)value + 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return (int)(mixed ^ mixed >> 31);
}
