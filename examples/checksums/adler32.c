// Chunks with Adler-32, the checksum of zlib's streams.
//
//     coax cover examples/checksums/adler32.c
#include <stddef.h>
#include <stdint.h>

static uint32_t adler32(const uint8_t *data, size_t length) {
    uint32_t low = 1, high = 0;
    for (size_t i = 0; i < length; i++) {
        low = (low + data[i]) % 65521;
        high = (high + low) % 65521;
    }
    return high << 16 | low;
}

#define CHECKSUM adler32
#define CHECKSUM_BYTES 4
#include "chunks.h"
