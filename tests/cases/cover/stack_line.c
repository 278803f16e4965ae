// A stack that was used up has the line of the call that it was too small for.
// REQUIRES: clang
// RUN: coax cover % --entry down --no-mutate --max-runs 4 --out %t/out --emit sarif | grep FAILS; grep '"location"\|"kind"\|"function"' %t/out/report.json | head -n 3
// EXIT: 0
// RUN: grep -o '"startLine":[0-9]*' %t/out/sarif/* | head -n 1 | sed 's/.*://'
// RUN: coax replay % --entry down --param 5 | grep FAIL
static int deeper(int n) {
    if (n == -1) return 0;
    return deeper(n + 1) * n;
}

int down(int n) {
    if (n == 5)
        return deeper(n);
    return n;
}
