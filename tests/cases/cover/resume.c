// A search that goes on where another was ends as one that was never interrupted.
// REQUIRES: clang
// RUN: coax cover % --entry count --max-runs 700 --out %t/whole | grep runs
// RUN: coax cover % --entry count --max-runs 300 --out %t/parts > %t/said; coax cover % --entry count --max-runs 500 --out %t/parts > %t/said; coax cover % --entry count --max-runs 700 --out %t/parts | grep runs
// RUN: diff -r %t/whole/tests %t/parts/tests && echo the same tests
// RUN: coax cover % --entry count --max-runs 10 --seed 2 --out %t/parts | grep runs

int count(const char *s) {
    int n = 0;
    for (int i = 0; s[i] && i < 12; i++) {
        if (s[i] == 'a' + i) n++;
        else if (s[i] > 'x') n += 2;
    }
    if (n == 9) return 1;
    return n > 20 ? 2 : 0;
}

// OUTPUT
// $ coax cover % --entry count --max-runs 700 --out %t/whole | grep runs
// | [work], [time]; as many runs as allowed (`--max-runs`)
// $ coax cover % --entry count --max-runs 300 --out %t/parts > %t/said; coax cover % --entry count --max-runs 500 --out %t/parts > %t/said; coax cover % --entry count --max-runs 700 --out %t/parts | grep runs
// | [work], [time]; as many runs as allowed (`--max-runs`)
// ! note: going on with the search of [t]/parts
// ! note: going on with the search of [t]/parts
// $ diff -r %t/whole/tests %t/parts/tests && echo the same tests
// | the same tests
// $ coax cover % --entry count --max-runs 10 --seed 2 --out %t/parts | grep runs
// | [work], [time]; as many runs as allowed (`--max-runs`)
// ! note: 3 tests of an earlier search, which was another one, are removed
