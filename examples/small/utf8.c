// Decodes one character of UTF-8.
//
//     coax cover examples/small/utf8.c --entry decode
#include <stddef.h>
#include <stdint.h>

enum { TOO_SHORT = -1, BAD_START = -2, BAD_BYTE = -3, TOO_LONG = -4, SURROGATE = -5, TOO_LARGE = -6 };

static const int32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};

int32_t decode(const uint8_t *bytes, size_t size) {
    if (size == 0) return TOO_SHORT;
    uint8_t first = bytes[0];
    if (first < 0x80) return first;
    size_t length;
    int32_t code;
    if (first < 0xc0) return BAD_START;
    if (first < 0xe0) {
        length = 2;
        code = first & 0x1f;
    } else if (first < 0xf0) {
        length = 3;
        code = first & 0x0f;
    } else if (first < 0xf8) {
        length = 4;
        code = first & 0x07;
    } else {
        return BAD_START;
    }
    if (size < length) return TOO_SHORT;
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) return BAD_BYTE;
        code = code << 6 | (bytes[i] & 0x3f);
    }
    if (code < smallest[length]) return TOO_LONG;
    if (code >= 0xd800 && code <= 0xdfff) return SURROGATE;
    if (code > 0x10ffff) return TOO_LARGE;
    if (length == 3 && code > 0xffff) return TOO_LARGE; /* three bytes have 16 bits */
    return code;
}
