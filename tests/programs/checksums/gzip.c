// Unpacks a gzip file, with zlib: its header may have a CRC-16, what was packed has a CRC-32 and a length at the end.
#include <stdint.h>
#include <zlib.h>

enum { GZIP = 16, MOST_OUTPUT = 1 << 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t output[MOST_OUTPUT];
    char name[16], comment[16];
    uint8_t extra[16];
    gz_header header = {0};
    header.name = (Bytef *)name;
    header.name_max = sizeof name;
    header.comment = (Bytef *)comment;
    header.comm_max = sizeof comment;
    header.extra = extra;
    header.extra_max = sizeof extra;
    z_stream stream = {0};
    if (inflateInit2(&stream, GZIP + MAX_WBITS) != Z_OK) return 0;
    inflateGetHeader(&stream, &header);
    stream.next_in = (Bytef *)data;
    stream.avail_in = (uInt)size;
    stream.next_out = output;
    stream.avail_out = sizeof output;
    inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return 0;
}
