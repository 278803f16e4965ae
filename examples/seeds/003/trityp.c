// The classification of triangles, of which Dinges 2014 wants three places.
//
//     coax reach examples/seeds/003/trityp.c --entry trityp --target trityp.c:14 --target trityp.c:17 --target trityp.c:22
enum { NONE, SCALENE, ISOSCELES, EQUILATERAL };

int trityp(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return NONE;
    int same = 0;
    if (a == b) same += 1;
    if (a == c) same += 2;
    if (b == c) same += 3;
    if (same == 0) {
        if (a + b <= c || b + c <= a || a + c <= b) return NONE;
        return SCALENE;
    }
    if (same > 3) {
        return EQUILATERAL;
    }
    if (same == 1 && a + b > c) return ISOSCELES;
    if (same == 2 && a + c > b) return ISOSCELES;
    if (same == 3 && b + c > a) {
        return ISOSCELES;
    }
    return NONE;
}
