// What kind of number a float is, and whether it is whole.
//
//     coax cover examples/small/float_kind.c --entry kind
#include <float.h>

enum kind { NOT_A_NUMBER, INFINITE, ZERO, SUBNORMAL, SMALL, LARGE, WHOLE, MIXED };

enum kind kind(float x) {
    if (x != x) return NOT_A_NUMBER;
    float size = x < 0 ? -x : x;
    if (size > FLT_MAX) return INFINITE;
    if (size == 0) return ZERO;
    if (size < FLT_MIN) return SUBNORMAL;
    if (size < 1) return SMALL;
    if (size >= 1000000) return LARGE;
    if (size + 1 <= size) return NOT_A_NUMBER; /* ones count at this size */
    int whole = (int)x;
    if ((float)whole == x) return WHOLE;
    if ((x > 0) != (whole >= 0)) return NOT_A_NUMBER; /* rounding towards zero keeps the sign */
    return MIXED;
}
