// Branches of a function that nobody calls are one line for people; the report has each of them.
// REQUIRES: clang
// RUN: coax cover % --entry f --no-mutate --max-runs 20 --out %t/cover > %t/said
// RUN: coax reach % --entry f --uncovered %t/cover --target %:20 --no-mutate --max-runs 20 --out %t/reach
// EXIT: 3
// RUN: grep -c '"verdict": "unreachable"' %t/reach/report.json

int f(int x) {
    if (x > 5)
        if (x < 3) return 2;
    return 0;
}

int once(int x) {
    return x > 1 ? 2 : 3;
}

int uncalled(int x) {
    if (x > 7) return 1;
    if (x < 3) return 2;
    return 0;
}

// OUTPUT
// $ coax cover % --entry f --no-mutate --max-runs 20 --out %t/cover > %t/said
// $ coax reach % --entry f --uncovered %t/cover --target %:20 --no-mutate --max-runs 20 --out %t/reach
// | unreachable  uncovered_uncalled.c:20: its function is never called from this entry
// | unreachable  uncovered_uncalled.c:10:15 to line 10: what must hold on every way there contradicts itself: uncovered_uncalled.c:9:11, uncovered_uncalled.c:10:15
// | unreachable  uncalled, 4 branches: it is never called from this entry
// $ grep -c '"verdict": "unreachable"' %t/reach/report.json
// | 6
