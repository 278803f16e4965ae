#include <owi.h>

int main(void) {
    int x = owi_int();
    int poly = x * x * x - 7 * x * x + 14 * x - 8;
    owi_assume(x > -100);
    owi_assume(x < 100);
    owi_assert(poly != 0);
    return 0;
}
