/* Percent-encoding, as in the addresses of web pages: "50% more" becomes "50%25+more". */
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    int length;
};

static void put(struct text *text, char c) {
    text->bytes[text->length++] = c;
}

static int is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static char digit(int value) {
    if (value > 15)
        return '?';
    return value < 10 ? '0' + value : 'A' + value - 10;
}

/* The encoded text, in a block of its own. */
char *encode(const char *plain) {
    struct text text = {malloc(2 * strlen(plain) + 1), 0};
    for (; *plain; plain++) {
        unsigned char c = *plain;
        if (is_plain(c)) {
            put(&text, c);
        } else if (c == ' ') {
            put(&text, '+');
        } else {
            put(&text, '%');
            put(&text, digit(c / 16));
            put(&text, digit(c % 16));
        }
    }
    put(&text, 0);
    return text.bytes;
}
