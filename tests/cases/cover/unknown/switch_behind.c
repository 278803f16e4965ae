// Behind the checksum a switch, in a packet whose length is part of it: whoever is brought back to the switch goes where it was promised to go, or nothing was promised.
// REQUIRES: clang
// RUN: coax cover % --unknown crc16 --no-mutate --max-runs 1500 --out %t/out | grep tests,
// RUN: grep divergences %t/out/report.json

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
    uint8_t magic, type, number, length;
};

static uint16_t crc16(const uint8_t *data, size_t length) {
    uint16_t crc = 0xffff;
    while (length--) {
        crc ^= (uint16_t)(*data++ << 8);
        for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

static int packet(uint8_t *next, int *is_open, const uint8_t *data, size_t size) {
    struct header header;
    if (size < sizeof header + 2) return -1;
    memcpy(&header, data, sizeof header);
    if (header.magic != 0xA5 || header.length > 8 || size < sizeof header + header.length + 2u) return -2;
    size_t used = sizeof header + header.length;
    if (crc16(data, used) != (data[used] | data[used + 1] << 8)) return -3;
    if (header.number != (*next)++) return -4;
    switch (header.type) {
        case 1:
            if (*is_open) return -5;
            *is_open = 1;
            break;
        case 2:
            if (!*is_open) return -6;
            break;
        case 3:
            if (!*is_open) return -6;
            *is_open = 0;
            break;
        default: return -7;
    }
    return (int)used + 2;
}

int main(void) {
    uint8_t data[48], next = 0;
    int is_open = 0;
    size_t size = fread(data, 1, sizeof data, stdin), at = 0;
    while (at < size) {
        int used = packet(&next, &is_open, data + at, size - at);
        if (used < 0) return 1;
        at += (size_t)used;
    }
    return 0;
}

// OUTPUT
// $ coax cover % --unknown crc16 --no-mutate --max-runs 1500 --out %t/out | grep tests,
// | 12 tests, 0 failures; branches 32/32 (100 %), lines 32/32 (100 %), functions 3/3 (100 %)
// $ grep divergences %t/out/report.json
// |   "divergences": 0,
