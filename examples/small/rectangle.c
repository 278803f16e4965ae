// The part that two rectangles have in common.
//
//     coax cover examples/small/rectangle.c --entry overlap
#include <stdint.h>

struct rectangle {
    int16_t left, top, right, bottom;
};

enum { BAD = -1, APART = 0, TOUCHING = 1, OVERLAPPING = 2, INSIDE = 3, BROKEN = -2 };

static int is_good(const struct rectangle *it) {
    return it->left < it->right && it->top < it->bottom;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

int overlap(const struct rectangle *one, const struct rectangle *two) {
    if (!is_good(one) || !is_good(two)) return BAD;
    int width = smaller(one->right, two->right) - larger(one->left, two->left);
    int height = smaller(one->bottom, two->bottom) - larger(one->top, two->top);
    if (width < 0 || height < 0) return APART;
    if (width == 0 || height == 0) return TOUCHING;
    if (width > one->right - one->left) return BROKEN; /* a part is not wider than the whole */
    if (width == two->right - two->left && height == two->bottom - two->top) return INSIDE;
    return OVERLAPPING;
}
