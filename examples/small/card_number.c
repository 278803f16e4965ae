// Checks the last digit of a number of six digits (Luhn's algorithm).
//
//     coax cover examples/small/card_number.c --entry is_valid
enum { DIGITS = 6, NO_NUMBER = -1, BROKEN = -2 };

int is_valid(const char *text) {
    int sum = 0;
    for (int i = 0; i < DIGITS; i++) {
        if (text[i] < '0' || text[i] > '9') return NO_NUMBER;
        int digit = text[i] - '0';
        if (i % 2 == 0) {
            digit *= 2;
            if (digit > 9) digit -= 9;
        }
        if (digit > 9) return BROKEN; /* it is the sum of two digits */
        sum += digit;
    }
    if (text[DIGITS] != 0) return NO_NUMBER;
    if (sum > 9 * DIGITS) return BROKEN; /* no digit is larger */
    return sum % 10 == 0;
}
