// A line is covered exactly if something of it is executed that the compiler calls its own: `cover`, `reach` and `explain` agree. What begins the code behind a
// line that is not executed (lines 21, 28, 35) the compiler often leaves to nobody;
// the end of another branch may stand on the line (52) of a condition that is not evaluated.
// REQUIRES: clang
// RUN: coax cover % --entry classify --out %t/out | grep 'branches'
// RUN: for line in 21 25 28 32 35 47 49 52; do coax explain %t/out lines.c:$line | head -n 1; done
// RUN: coax reach % --entry classify --target lines.c:21 --target lines.c:25 --target lines.c:28 --target lines.c:32 --target lines.c:35 --target lines.c:47 --target lines.c:49 --target lines.c:52 --out %t/reach | grep 'lines.c:' | cut -c 1-26
// RUN: coax explain %t/out --dead | grep -v assumes | cut -d : -f 1-2 | sort | head -n 1

int seen[4];

#define SET(place, value) \
    do { \
        seen[place] = (value); \
        seen[0]++; \
    } while (0)


int classify(int a, int b) {
    if (a == 9 && a > 0 && a < 6)
        seen[1] = 1;
    switch (b) {
    case 1:
        if (a < 0) {
            return 3;
        } else {
            if (a < -5)
                seen[2] = 2;
        }
        break;
    case 2:
        for (int i = 0; i < 3 && seen[i] == 7; i++)
            ;
        if (a > 3 && a < 2)
            SET(3, 4);
        break;
    default:
        return a > 0
            ? b > 4
                ? 1
                : 2
            : a > 5
                ? 3
                : 4;
    }
    if (b < 2 && b > 4)
        seen[1] = 5;
    while (b > 5)
        b--;
    if (b > 9 || b < 10) {
        seen[2] = a;
    } else if (a > 12) {
        return 7;
    }
    return seen[1];
}

// OUTPUT
// $ coax cover % --entry classify --out %t/out | grep 'branches'
// | 6 tests, 0 failures; branches 23/35 (66 %), lines 18/25 (72 %), functions 1/1 (100 %)
// $ for line in 21 25 28 32 35 47 49 52; do coax explain %t/out lines.c:$line | head -n 1; done
// | lines.c:21 is not covered
// | lines.c:25 is covered, for instance by classify-line-24-to-line-25-d061c9
// | lines.c:28 is not covered
// | lines.c:32 is covered, for instance by classify-line-22-1-ef3830, classify-line-34-to-line-34-2b549f
// | lines.c:35 is not covered
// | lines.c:47 is not covered
// | lines.c:49 is not covered
// | lines.c:52:18 to line 53 is not covered: proved infeasible: no input takes it
// $ coax reach % --entry classify --target lines.c:21 --target lines.c:25 --target lines.c:28 --target lines.c:32 --target lines.c:35 --target lines.c:47 --target lines.c:49 --target lines.c:52 --out %t/reach | grep 'lines.c:' | cut -c 1-26
// | unreachable  lines.c:21: w
// | reached      lines.c:25  c
// | unreachable  lines.c:28: w
// | reached      lines.c:32  c
// | unreachable  lines.c:35: w
// | unreachable  lines.c:47: w
// | unreachable  lines.c:49: a
// | unreachable  lines.c:52: w
// $ coax explain %t/out --dead | grep -v assumes | cut -d : -f 1-2 | sort | head -n 1
// | dead  lines.c:21,28,35,47,49,52-53
