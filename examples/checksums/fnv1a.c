// Chunks with FNV-1a of 32 bits.
//
//     coax cover examples/checksums/fnv1a.c
#include <stddef.h>
#include <stdint.h>

static uint32_t fnv1a(const uint8_t *data, size_t length) {
    uint32_t hash = 2166136261;
    for (size_t i = 0; i < length; i++) hash = (hash ^ data[i]) * 16777619;
    return hash;
}

#define CHECKSUM fnv1a
#define CHECKSUM_BYTES 4
#include "chunks.h"
