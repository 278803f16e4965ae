// A line is covered exactly if something of it is executed that the compiler calls its own: `cover`, `reach` and `explain` agree. What begins the code behind a
// line that is not executed (lines 20, 27, 34) the compiler often leaves to nobody.
// REQUIRES: clang
// RUN: coax cover % --entry classify --out %t/out | grep 'branches'
// RUN: for line in 20 24 27 31 34 46 48; do coax explain %t/out lines.c:$line | head -n 1; done
// RUN: coax reach % --entry classify --target lines.c:20 --target lines.c:24 --target lines.c:27 --target lines.c:31 --target lines.c:34 --target lines.c:46 --target lines.c:48 --out %t/reach | cut -c 1-26
// RUN: coax explain %t/out --dead | cut -d : -f 1-2 | sort

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
    return seen[1];
}
