// All branches that some input takes are covered; the one that none takes is proved.
// REQUIRES: clang
// RUN: coax cover % --entry classify --out %t/out
// RUN: ls %t/out %t/out/tests | wc -l
// RUN: coax replay % --test %t/out/tests --coverage | tail -n 3

int classify(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if (a > 5 && a < 3) return 1;
    if (a == b && b == c) return 2;
    if (a == b || b == c || a == c) return 3;
    return 4;
}
