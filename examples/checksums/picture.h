// Pictures: what is in the chunks, once their checksums are right.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MOST_COLOURS = 16, MOST_PIXELS = 64 * 64 };

enum error {
    FINE,
    NO_MAGIC,
    FILE_DAMAGED,
    TRUNCATED,
    CHUNK_DAMAGED,
    UNKNOWN_CHUNK,
    BAD_HEADER,
    BAD_PALETTE,
    BAD_TEXT,
    BAD_TIME,
    BAD_PIXELS,
    WRONG_ORDER,
};

struct picture {
    unsigned width, height, bits;
    int has_header, is_grey, is_done;
    unsigned colours;
    uint8_t palette[MOST_COLOURS][3];
    unsigned pixels;
    unsigned texts, month;
};

static enum error read_header(struct picture *picture, const uint8_t *data, size_t length) {
    if (picture->has_header) return WRONG_ORDER;
    if (length != 4) return BAD_HEADER;
    picture->width = data[0];
    picture->height = data[1];
    picture->bits = data[2];
    if (picture->width == 0 || picture->height == 0) return BAD_HEADER;
    if (picture->width * picture->height > MOST_PIXELS) return BAD_HEADER;
    switch (picture->bits) {
        case 1:
        case 2:
        case 4: break;
        default: return BAD_HEADER;
    }
    if (data[3] > 1) return BAD_HEADER;
    picture->is_grey = data[3];
    picture->has_header = 1;
    return FINE;
}

static enum error read_palette(struct picture *picture, const uint8_t *data, size_t length) {
    if (!picture->has_header || picture->colours) return WRONG_ORDER;
    if (picture->is_grey) return BAD_PALETTE;
    if (length == 0 || length % 3 != 0) return BAD_PALETTE;
    if (length / 3 > 1u << picture->bits) return BAD_PALETTE;
    picture->colours = length / 3;
    memcpy(picture->palette, data, length);
    return FINE;
}

/* A key and a value: `key=value`, with `\` before a character that is meant as it is. */
static enum error read_text(struct picture *picture, const uint8_t *data, size_t length) {
    size_t key = 0, value = 0;
    int in_value = 0;
    for (size_t i = 0; i < length; i++) {
        if (data[i] == '\\') {
            if (++i == length) return BAD_TEXT;
        } else if (data[i] == '=' && !in_value) {
            in_value = 1;
            continue;
        } else if (data[i] < ' ') {
            return BAD_TEXT;
        }
        if (in_value) {
            value++;
        } else {
            key++;
        }
    }
    if (!in_value || key == 0) return BAD_TEXT;
    if (value == 0) return FINE; /* says nothing */
    picture->texts++;
    return FINE;
}

static enum error read_time(struct picture *picture, const uint8_t *data, size_t length) {
    if (length != 4) return BAD_TIME;
    unsigned year = data[0] << 8 | data[1], month = data[2], day = data[3];
    if (year < 1970 || month < 1 || month > 12 || day < 1 || day > 31) return BAD_TIME;
    if (month == 2 && day > 29) return BAD_TIME;
    picture->month = (year - 1970) * 12 + month - 1;
    return FINE;
}

/* Runs of pixels: how many, and their colour. */
static enum error read_pixels(struct picture *picture, const uint8_t *data, size_t length) {
    if (!picture->has_header) return WRONG_ORDER;
    if (!picture->is_grey && !picture->colours) return WRONG_ORDER;
    if (length % 2 != 0) return BAD_PIXELS;
    for (size_t i = 0; i < length; i += 2) {
        unsigned count = data[i], colour = data[i + 1];
        if (count == 0) return BAD_PIXELS;
        if (picture->is_grey ? colour >> picture->bits : colour >= picture->colours) return BAD_PIXELS;
        picture->pixels += count;
    }
    if (picture->pixels > picture->width * picture->height) return BAD_PIXELS;
    return FINE;
}

static enum error read_end(struct picture *picture, size_t length) {
    if (length != 0) return TRUNCATED;
    if (!picture->has_header) return WRONG_ORDER;
    if (picture->pixels != picture->width * picture->height) return BAD_PIXELS;
    picture->is_done = 1;
    return FINE;
}

static enum error read_chunk(struct picture *picture, const uint8_t *type, const uint8_t *data, size_t length) {
    if (memcmp(type, "HEAD", 4) == 0) return read_header(picture, data, length);
    if (memcmp(type, "PALE", 4) == 0) return read_palette(picture, data, length);
    if (memcmp(type, "TEXT", 4) == 0) return read_text(picture, data, length);
    if (memcmp(type, "TIME", 4) == 0) return read_time(picture, data, length);
    if (memcmp(type, "PIXL", 4) == 0) return read_pixels(picture, data, length);
    if (memcmp(type, "DONE", 4) == 0) return read_end(picture, length);
    return type[0] >= 'a' ? FINE : UNKNOWN_CHUNK; /* small letters: not needed */
}
