// A length, a payload and a CRC-32 of both, bit by bit: what is behind it is covered without following it.
// REQUIRES: clang
// RUN: coax cover % --unknown crc32 --no-mutate --max-runs 120 --out %t/out

#include <stddef.h>
#include <stdint.h>

static uint32_t crc32(const uint8_t *data, size_t length) {
    uint32_t crc = 0xffffffff;
    while (length--) {
        crc ^= *data++;
        for (int i = 0; i < 8; i++)
            crc = crc >> 1 ^ (0xedb88320 & -(crc & 1));
    }
    return ~crc;
}

static int read_payload(const uint8_t *data, size_t length) {
    if (length < 3)
        return 0;
    if (data[0] == 'A')
        return data[1] == 'B' ? 1 : 2;
    return data[2] > 100 ? 3 : 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 5 || size - 5 < data[0])
        return 0;
    size_t length = data[0];
    const uint8_t *end = data + 1 + length;
    uint32_t stored = end[0] | end[1] << 8 | end[2] << 16 | (uint32_t)end[3] << 24;
    if (stored == crc32(data, 1 + length))
        read_payload(data + 1, length);
    return 0;
}

// OUTPUT
// $ coax cover % --unknown crc32 --no-mutate --max-runs 120 --out %t/out
// | 7 tests, 0 failures; branches 14/14 (100 %), lines 19/19 (100 %), functions 3/3 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | `crc32` is unknown: [n] values seen, [n] direct calls
// | Tests are in [t]/out/tests.
