// Reads a number of up to four digits, as `strtol` does: blanks, a sign, digits.
//
//     coax cover examples/small/number.c --entry parse
#include <limits.h>

enum { MOST_BLANKS = 2, MOST_DIGITS = 4, NO_NUMBER = INT_MIN };

static int is_digit(char character) {
    return character >= '0' && character <= '9';
}

int parse(const char *text) {
    int blanks = 0;
    while (*text == ' ' || *text == '\t') {
        if (++blanks > MOST_BLANKS) return NO_NUMBER;
        text++;
    }
    int is_negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    if (!is_digit(*text)) return NO_NUMBER;
    int value = 0, digits = 0;
    while (is_digit(*text)) {
        int digit = *text++ - '0';
        if (++digits > MOST_DIGITS) return NO_NUMBER;
        if (value > (INT_MAX - digit) / 10) return NO_NUMBER; /* so few digits are no such number */
        value = value * 10 + digit;
    }
    if (*text != 0) return NO_NUMBER;
    return is_negative ? -value : value;
}
