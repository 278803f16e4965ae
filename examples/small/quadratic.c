// How many roots a x^2 + b x + c has, for small whole numbers.
//
//     coax cover examples/small/quadratic.c --entry roots
enum { ANY = -1, OUT_OF_RANGE = -2, IMPOSSIBLE = -3 };

static int is_small(int number) {
    return number >= -20 && number <= 20;
}

/* The root of a square, or -1. */
static int exact_root(int number) {
    for (int root = 0; root <= 45; root++) {
        if (root * root == number) return root;
        if (root * root > number) break;
    }
    return -1;
}

int roots(int a, int b, int c) {
    if (!is_small(a) || !is_small(b) || !is_small(c)) return OUT_OF_RANGE;
    if (a == 0) {
        if (b != 0) return 1;
        return c == 0 ? ANY : 0;
    }
    int discriminant = b * b - 4 * a * c;
    if (discriminant % 4 == 2) return IMPOSSIBLE; /* a square is 0 or 1 more than a multiple of 4 */
    if (discriminant < 0) return 0;
    if (discriminant == 0) return 1;
    return exact_root(discriminant) > 0 ? 20 : 2; /* 20: two, and both are fractions */
}
