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

// OUTPUT
// $ coax cover % --entry classify --out %t/out
// | not covered  triangle.c:9:15 to line 9: proved infeasible: no input takes it
// | 8 tests, 0 failures; branches 19/20 (95 %), lines 6/6 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// | Tests are in [t]/out/tests.
// $ ls %t/out %t/out/tests | wc -l
// | 16
// $ coax replay % --test %t/out/tests --coverage | tail -n 3
// |   site10 triangle.c:11:26 in classify: taken to line 11 and to line 12
// |   in scope      branches 19/20, selects 0/0, functions 1/1
// |   whole module  branches 19/20, selects 0/0, functions 3/3
