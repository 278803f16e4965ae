// The greatest common divisor, by recursion.
//
//     coax cover examples/small/gcd.c --entry reduce
enum { LARGEST = 20, DEEPEST = 6, BAD = -1 };

static int gcd(int a, int b, int depth) {
    if (depth > DEEPEST) return BAD; /* Lamé: numbers that take longer are larger */
    if (b == 0) return a;
    return gcd(b, a % b, depth + 1);
}

/* What is left of a fraction's sum of both numbers when it is reduced. */
int reduce(int numerator, int denominator) {
    if (numerator < 0 || numerator > LARGEST) return BAD;
    if (denominator <= 0 || denominator > LARGEST) return BAD;
    int divisor = gcd(numerator, denominator, 0);
    if (divisor <= 0) return BAD; /* the denominator is positive */
    if (divisor == 1) return 0;
    return numerator / divisor + denominator / divisor;
}
