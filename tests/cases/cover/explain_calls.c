// A function that is called from everywhere: some of the places are named, the others counted.
// REQUIRES: clang
// RUN: coax cover % --entry f --no-mutate --out %t/out | tail -n 2 | head -n 1
// RUN: coax explain %t/out %:8 | tail -n 3

#define CALL(n) total += helper(n)
static int helper(int n) {
    if (n == 7) return 1;
    return 0;
}

int f(int x) {
    int total = 0;
    if (x > 5 && x < 3) {
        CALL(1); CALL(2); CALL(3); CALL(4); CALL(5); CALL(6); CALL(7); CALL(8);
        CALL(1); CALL(2); CALL(3); CALL(4); CALL(5); CALL(6); CALL(7); CALL(8);
        CALL(1); CALL(2); CALL(3); CALL(4); CALL(5); CALL(6); CALL(7); CALL(8);
    }
    return total;
}

// OUTPUT
// $ coax cover % --entry f --no-mutate --out %t/out | tail -n 2 | head -n 1
// | [work], [time]; all paths are explored
// $ coax explain %t/out %:8 | tail -n 3
// |   and at 4 more
// | explain_calls.c:8:11 to line 9 is not covered: proved: its function is never called from this entry
// |     if (n == 7) return 1;
