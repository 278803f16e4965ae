// CRC-32 as it is in PNG, gzip and zip: a table of 256 numbers, made at the start.
#include <stddef.h>
#include <stdint.h>

static uint32_t crc_table[256];

__attribute__((constructor)) static void make_crc_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ crc >> 1 : crc >> 1;
        crc_table[byte] = crc;
    }
}

static uint32_t crc32(const uint8_t *data, size_t length) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < length; i++) crc = crc_table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}
