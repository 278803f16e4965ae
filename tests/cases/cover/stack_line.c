// A stack that was used up has the line of the call that it was too small for.
// REQUIRES: clang
// RUN: coax cover % --entry down --no-mutate --max-runs 4 --out %t/out --emit sarif 2> %t/notes | grep FAILS; grep '"location"\|"kind"\|"function"' %t/out/report.json | head -n 3
// RUN: grep -h -o '"startLine": *[0-9]*' %t/out/sarif/* | head -n 1
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

// OUTPUT
// $ coax cover % --entry down --no-mutate --max-runs 4 --out %t/out --emit sarif 2> %t/notes | grep FAILS; grep '"location"\|"kind"\|"function"' %t/out/report.json | head -n 3
// | FAILS  exhausted the stack at stack_line.c:8:12  fails-exhausted-the-stack-line-8-05b821.json
// |       "function": "deeper",
// |       "kind": "exhausted the stack",
// |       "location": "stack_line.c:8:12",
// $ grep -h -o '"startLine": *[0-9]*' %t/out/sarif/* | head -n 1
// | "startLine": 8
// $ coax replay % --entry down --param 5 | grep FAIL
// | FAIL  run: exhausted the stack at stack_line.c:8:12 in deeper
