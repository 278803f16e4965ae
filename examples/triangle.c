// Classifies triangles: the "hello, world" of test generation.
//
//     coax replay examples/triangle.c --coverage -- 3 4 5
#include <stdio.h>
#include <stdlib.h>

const char *classify(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return "no triangle: a side is missing";
    if (a > b + c || b > a + c || c > a + b) return "no triangle: a side is too long";
    if (a == b && b == c) return "equilateral";
    if (a == b || b == c || a == c) return "isosceles";
    return "scalene";
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: triangle A B C\n");
        return 2;
    }
    printf("%s\n", classify(atoi(argv[1]), atoi(argv[2]), atoi(argv[3])));
    return 0;
}
