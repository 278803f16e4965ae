// The same for functions of C++: the harness is in C and calls them by their symbols.
// REQUIRES: clang
// RUN: coax init % --entry distance --out %t/h.c >/dev/null && grep asm %t/h.c && coax dump path % %t/h.c --entry harness_distance 2>&1 | grep references.cpp
// RUN: coax init % --entry point::length --out %t/l.c >/dev/null && coax dump path % %t/l.c --entry harness_length 2>&1 | grep references.cpp

namespace geometry {
struct point {
    int x, y;
    int length() const {
        if (x == 3 && y == 4) return 5;
        return 0;
    }
};

int distance(const point &from, point &to) {
    if (from.x == 6 && to.y == 7) return from.length();
    return 0;
}
}  // namespace geometry

// OUTPUT
// $ coax init % --entry distance --out %t/h.c >/dev/null && grep asm %t/h.c && coax dump path % %t/h.c --entry harness_distance 2>&1 | grep references.cpp
// | int32_t distance(void *, void *) __asm__("_ZN8geometry8distanceERKNS_5pointERS0_");
// | site2 references.cpp:16:21  branch to line 17  (not (eq from.x 6:32))
// $ coax init % --entry point::length --out %t/l.c >/dev/null && coax dump path % %t/l.c --entry harness_length 2>&1 | grep references.cpp
// | site7 references.cpp:10:20  branch to line 11  (not (eq this.x 3:32))
