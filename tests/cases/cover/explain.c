// What stands in the way of a line: the branch before it, or calls that were never made.
// REQUIRES: clang
// RUN: coax cover % --entry check --max-runs 40 --out %t/out > %t/said; tail -n 1 %t/said
// RUN: coax explain %t/out explain.c:20
// RUN: coax explain %t/out explain.c:14
// RUN: coax explain %t/out explain.c:17
// RUN: coax explain %t/out explain.c:3
// EXIT: 2
// RUN: coax explain %t/out explain.c
// EXIT: 2
// RUN: coax explain %t/nothing explain.c:3
// EXIT: 2

static int never(int x) { return x > 3 ? 1 : 2; }

int check(unsigned x, unsigned y) {
    if (y > 10) return 0;
    if (x * x == 3 && y < 9) {
        if (y == 4)
            return never(y);
    }
    return x > 5;
}

// OUTPUT
// $ coax cover % --entry check --max-runs 40 --out %t/out > %t/said; tail -n 1 %t/said
// | Tests are in [t]/out/tests.
// $ coax explain %t/out explain.c:20
// | explain.c:20 is not covered
// | no run came there, because
// |   explain.c:18:20 to line 18 is not covered: proved infeasible: no input takes it
// |       if (x * x == 3 && y < 9) {
// $ coax explain %t/out explain.c:14
// | explain.c:14 is not covered
// | its function is called only here, where no run came:
// |   explain.c:20:20
// $ coax explain %t/out explain.c:17
// | explain.c:17 is covered, for instance by check-line-17-to-line-18-040d34, check-line-17-to-line-17-86368d
// $ coax explain %t/out explain.c:3
// ! error: explain.c:3 has no code; the nearest line that has is 14
// $ coax explain %t/out explain.c
// ! error: `explain.c` is not FILE:LINE; write for instance parser.c:412
// $ coax explain %t/nothing explain.c:3
// ! error: cannot read [t]/nothing/report.json; name the directory that `coax cover` wrote: No such file or directory (os error 2)
