// What stands in the way of a line: the branch before it, or calls that were never made.
// REQUIRES: clang
// RUN: coax cover % --entry check --max-runs 40 --out %t/out > %t/said; tail -n 1 %t/said
// RUN: coax explain %t/out explain.c:21
// RUN: coax explain %t/out explain.c:15
// RUN: coax explain %t/out explain.c:18
// RUN: coax explain %t/out explain.c:19
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
// $ coax explain %t/out explain.c:21
// | explain.c:21 is not covered
// | no run came there, because
// |   explain.c:19:20 to line 19 is not covered: proved infeasible: no input takes it
// |       if (x * x == 3 && y < 9) {
// $ coax explain %t/out explain.c:15
// | explain.c:15 is not covered
// | its function is called only here, where no run came:
// |   explain.c:21:20
// $ coax explain %t/out explain.c:18
// | explain.c:18 is covered, for instance by check-line-18-to-line-19-040d34, check-line-18-to-line-18-86368d
// $ coax explain %t/out explain.c:19
// | explain.c:19 is covered, for instance by check-line-18-to-line-19-040d34
// | explain.c:19:20 to line 19 is not covered: proved infeasible: no input takes it
// |     if (x * x == 3 && y < 9) {
// | explain.c:19:20 to line 20 is not covered: proved infeasible: no input takes it
// |     if (x * x == 3 && y < 9) {
// | no run came there, because
// |   explain.c:19:20 to line 19 is not covered: proved infeasible: no input takes it
// |       if (x * x == 3 && y < 9) {
// | explain.c:19:20 to line 23 is not covered: proved infeasible: no input takes it
// |     if (x * x == 3 && y < 9) {
// $ coax explain %t/out explain.c:3
// ! error: explain.c:3 has no code; the nearest line that has is 15
// $ coax explain %t/out explain.c
// ! error: `explain.c` is not FILE:LINE; write for instance parser.c:412
// $ coax explain %t/nothing explain.c:3
// ! error: cannot read [t]/nothing/report.json; name the directory that `coax cover` wrote: No such file or directory (os error 2)
