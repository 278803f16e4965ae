// Compresses standard input with bzip2, restores it and compares.
#include <bzlib.h>
#include <stdio.h>
#include <string.h>

static char input[1 << 14], packed[1 << 15], restored[1 << 14];

int main(void) {
    unsigned length = (unsigned)fread(input, 1, sizeof input, stdin);
    unsigned packed_length = sizeof packed, restored_length = sizeof restored;
    if (BZ2_bzBuffToBuffCompress(packed, &packed_length, input, length, 1, 0, 0) != BZ_OK) return 1;
    if (BZ2_bzBuffToBuffDecompress(restored, &restored_length, packed, packed_length, 0, 0) != BZ_OK) return 2;
    if (restored_length != length || memcmp(input, restored, length) != 0) return 3;
    printf("bzip2 %s: %u bytes become %u\n", BZ2_bzlibVersion(), length, packed_length);
    return 0;
}
