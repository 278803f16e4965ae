// Functions of C++: references, namespaces, members.
#include <cstdio>

static int print_at_once = std::setvbuf(stdout, nullptr, _IONBF, 0);

namespace geometry {
struct point {
    int x, y;
    int length() const {
        std::printf("%d %d", x, y);
        return x == 3 && y == 4 ? 5 : 0;
    }
};

int distance(const point &from, point &to) {
    std::printf("%d %d", from.x, to.y);
    to.x = from.x;
    return from.x == 6 && to.y == 7;
}

namespace {
int in_nobodys_namespace(int x) { return x == 9; }
}  // namespace
}  // namespace geometry

int use(geometry::point &point) { return point.length(); }
