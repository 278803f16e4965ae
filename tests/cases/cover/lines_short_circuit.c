// A line that begins with `&&` or `||` is covered if its operand is evaluated: what decides on that stands there too, and is executed before.
// REQUIRES: clang
// RUN: coax cover % --entry never --out %t/never | grep branches
// RUN: for line in 10 11; do coax explain %t/never lines_short_circuit.c:$line | head -n 1 | cut -d , -f 1; done
// RUN: coax cover % --entry some --out %t/some | grep branches
// RUN: for line in 17 18 19 23; do coax explain %t/some lines_short_circuit.c:$line | head -n 1 | cut -d , -f 1; done
// RUN: coax reach % --entry never --target lines_short_circuit.c:11 --out %t/reach | grep 'circuit.c:11' | cut -c 1-37
int limit = 4;
int never(int a) {
    if (a * a == 3
        && a + 1 > limit)
        return 1;
    return 0;
}

int some(int a, int b) {
    if (a > 5
        && a < 4
        && b > a) {
        return 1;
    }
    int is_small = a < 3
        || b < 4;
    return is_small;
}

// OUTPUT
// $ coax cover % --entry never --out %t/never | grep branches
// | not covered  lines_short_circuit.c:16 some, 8 branches: proved: it is never called from this entry
// | 1 test, 0 failures; branches 1/12 (8 %), lines 3/12 (25 %), functions 1/2 (50 %)
// $ for line in 10 11; do coax explain %t/never lines_short_circuit.c:$line | head -n 1 | cut -d , -f 1; done
// | lines_short_circuit.c:10 is covered
// | lines_short_circuit.c:11:9 to line 11 is not covered: proved infeasible: no input takes it
// $ coax cover % --entry some --out %t/some | grep branches
// | not covered  lines_short_circuit.c:9 never, 4 branches: proved: it is never called from this entry
// | 2 tests, 0 failures; branches 5/12 (42 %), lines 5/12 (42 %), functions 1/2 (50 %)
// $ for line in 17 18 19 23; do coax explain %t/some lines_short_circuit.c:$line | head -n 1 | cut -d , -f 1; done
// | lines_short_circuit.c:17 is covered
// | lines_short_circuit.c:18 is covered
// | lines_short_circuit.c:19:9 to line 19 is not covered: proved infeasible: no input takes it
// | lines_short_circuit.c:23 is covered
// $ coax reach % --entry never --target lines_short_circuit.c:11 --out %t/reach | grep 'circuit.c:11' | cut -c 1-37
// | unreachable  lines_short_circuit.c:11
