// A picture format of chunks, each with a checksum; what is behind it is in picture.h. The file that includes this one says which:
//
//     CHECKSUM(data, length)   computes it
//     CHECKSUM_BYTES           4 or 8
//     WHOLE_FILE               if set, a second one at the start covers all that follows, the chunks' checksums included
//
// A file is the magic `CHNK`, then chunks: 2 bytes length of the payload, 4 bytes type, payload, checksum of type and payload.
// Numbers are big-endian.
#include "picture.h"

enum { CHUNK_OVERHEAD = 2 + 4 + CHECKSUM_BYTES };

static uint64_t number(const uint8_t *data, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value = value << 8 | data[i];
    return value;
}

static enum error read_picture(struct picture *picture, const uint8_t *data, size_t size) {
    size_t at = 4;
    if (size < 4 || memcmp(data, "CHNK", 4) != 0) return NO_MAGIC;
#ifdef WHOLE_FILE
    at += CHECKSUM_BYTES;
    if (size < at) return TRUNCATED;
    if (number(data + 4, CHECKSUM_BYTES) != CHECKSUM(data + at, size - at)) return FILE_DAMAGED;
#endif
    while (!picture->is_done) {
        if (size - at < CHUNK_OVERHEAD) return TRUNCATED;
        size_t length = (size_t)number(data + at, 2);
        if (size - at - CHUNK_OVERHEAD < length) return TRUNCATED;
        const uint8_t *type = data + at + 2;
        if (number(type + 4 + length, CHECKSUM_BYTES) != CHECKSUM(type, 4 + length)) return CHUNK_DAMAGED;
        enum error error = read_chunk(picture, type, type + 4, length);
        if (error != FINE) return error;
        at += CHUNK_OVERHEAD + length;
    }
    return FINE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct picture picture = {0};
    read_picture(&picture, data, size);
    return 0;
}
