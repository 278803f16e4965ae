// Branches that are left have names that differ, though they are at the same place and lead to the same line.
// REQUIRES: clang
// RUN: coax cover % --entry f --no-mutate --max-runs 1 --out %t/cover > %t/said
// RUN: coax reach % --entry f --uncovered %t/cover --no-mutate --max-runs 300 --out %t/reach | sed 's/-[0-9a-f]*.json//'

#define BETWEEN(x, low, high) ((x) > (low) && (x) < (high) && (x) != (low) + 1)

int f(int x, int y) {
    if (BETWEEN(x, 10, 20)) return 1;
    if (BETWEEN(y, 30, 40)) return 2;
    return 0;
}

// OUTPUT
// $ coax cover % --entry f --no-mutate --max-runs 1 --out %t/cover > %t/said
// $ coax reach % --entry f --uncovered %t/cover --no-mutate --max-runs 300 --out %t/reach | sed 's/-[0-9a-f]*.json//'
// | reached      uncovered_names.c:9:9 to line 9 (site:1, direction 0)  f-line-9-to-line-9
// | reached      uncovered_names.c:9:9 to line 9 (site:2, direction 0)  f-line-9-to-line-9
// | reached      uncovered_names.c:9:9 to line 10 (site:2, direction 1)  f-line-9-to-line-10
// | reached      uncovered_names.c:9:9 to line 9 (site:3, direction 0)  f-line-9-to-line-9
// | reached      uncovered_names.c:9:9 to line 10 (site:3, direction 1)  f-line-9-to-line-9
// | reached      uncovered_names.c:10:9 to line 10 (site:4, direction 0)  f-line-10-to-line-10
// | reached      uncovered_names.c:10:9 to line 10 (site:5, direction 0)  f-line-10-to-line-10
// | reached      uncovered_names.c:10:9 to line 11 (site:5, direction 1)  f-line-10-to-line-11
// | reached      uncovered_names.c:10:9 to line 10 (site:6, direction 0)  f-line-10-to-line-10
// | reached      uncovered_names.c:10:9 to line 11 (site:6, direction 1)  f-line-10-to-line-10
