// What the solvers were asked, how many questions came to one proper, and how long they took.
// REQUIRES: clang
// RUN: coax cover % --entry check --no-mutate --out %t/out > %t/said; grep -A 7 '"solver"' %t/out/report.json

int check(unsigned x, unsigned y) {
    if (x * y == 35 && x > 1 && x < 10 && y < 10) return 1;
    return x > 5;
}

// OUTPUT
// $ coax cover % --entry check --no-mutate --out %t/out > %t/said; grep -A 7 '"solver"' %t/out/report.json
// |   "solver": {
// |     "backend_calls": 2,
// |     "queries": 4,
// |     "sat": 4,
// |     "time_ms": [time],
// |     "unknown": 0,
// |     "unsat": 0
// |   },
