#include <wasp.h>

int main() {
    long long wide = __WASP_symb_long("wide");
    float single = __WASP_symb_float("single");
    double twice = __WASP_symb_double("twice");
    int *watched = (int *)__WASP_alloc(&(int){0}, sizeof(int));
    *watched = __WASP_symb_int("watched");
    if (twice == 2.0 * single && wide == *watched) __WASP_assert(wide != 99);
    __WASP_dealloc(watched);
    return 0;
}
