#include <owi.h>

struct point {
    short x, y;
};

int main(void) {
    struct point p = {owi_short("x"), owi_short("y")};
    char c = owi_char("letter");
    long long wide = owi_long_long("wide");
    double weight = owi_double("weight");
    int side = owi_named_range("side", 0, 4);
    owi_open_scope("flags");
    _Bool on = owi_bool();
    owi_close_scope();
    if (p.x == p.y && c == 'q') owi_label_set(1, "diagonal");
    if (wide > 1000000000000ll && weight < 0.5 && side == 3) owi_assert(!on);
    return 0;
}
