// Long loops over the input, whose every step makes terms larger and paths more: the memory of a search grows without bound.
#include <stddef.h>
#include <stdint.h>

int walk(const uint8_t *data, size_t size) {
    uint32_t state = 1, seen = 0;
    for (int round = 0; round < 50; round++) {
        for (size_t i = 0; i < size; i++) {
            state = state * 33 + data[i];
            if (state % 7 == 3) seen++;
            if (data[i] < seen) state ^= seen;
        }
    }
    return (int)seen;
}
