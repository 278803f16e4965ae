// Compresses standard input with zlib at several levels, restores it and compares.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static unsigned char input[1 << 16];

static int roundtrip(int level, uLong length) {
    uLongf packed_length = compressBound(length);
    unsigned char *packed = malloc(packed_length);
    unsigned char *restored = malloc(length + 1);
    uLongf restored_length = length + 1;
    if (!packed || !restored) return 1;
    if (compress2(packed, &packed_length, input, length, level) != Z_OK) return 2;
    if (uncompress(restored, &restored_length, packed, packed_length) != Z_OK) return 3;
    if (restored_length != length || memcmp(input, restored, length) != 0) return 4;
    printf("level %d: %lu bytes become %lu\n", level, (unsigned long)length, (unsigned long)packed_length);
    free(packed);
    free(restored);
    return 0;
}

int main(void) {
    uLong length = fread(input, 1, sizeof input, stdin);
    printf("zlib %s, crc32 %08lx\n", zlibVersion(), (unsigned long)crc32(0, input, (uInt)length));
    for (int level = 0; level <= 9; level += 3) {
        int problem = roundtrip(level, length);
        if (problem) return problem;
    }
    return 0;
}
