// Failures that are known do not count.
// REQUIRES: clang
// RUN: coax cover % --entry risky --out %t/out --baseline %t/known.json > %t/said
// RUN: cat %t/known.json
// RUN: coax cover % --entry risky --out %t/out2 --baseline %t/known.json > %t/said
// RUN: coax cover % --entry risky --out %t/out3 --baseline %t/known.json --cflags -DMORE > %t/said
// EXIT: 1
// RUN: grep '^FAILS\|^known' %t/said; grep '"kind"\|"known"' %t/out3/report.json
// RUN: echo nonsense > %t/bad.json; coax cover % --entry risky --out %t/out4 --baseline %t/bad.json > %t/said
// EXIT: 2

#include <stdlib.h>

int risky(unsigned n) {
    if (n == 77) abort();
#ifdef MORE
    if (n == 78) return 1 / (n - 78);
#endif
    return 0;
}

// OUTPUT
// $ coax cover % --entry risky --out %t/out --baseline %t/known.json > %t/said
// ! note: [t]/known.json has the failures of now; later ones count
// $ cat %t/known.json
// | {
// |   "failures": [
// |     {
// |       "function": "risky",
// |       "kind": "abort"
// |     }
// |   ]
// | }
// $ coax cover % --entry risky --out %t/out2 --baseline %t/known.json > %t/said
// ! note: 0 of the failures are not in [t]/known.json
// $ coax cover % --entry risky --out %t/out3 --baseline %t/known.json --cflags -DMORE > %t/said
// ! note: 1 of the failures are not in [t]/known.json
// $ grep '^FAILS\|^known' %t/said; grep '"kind"\|"known"' %t/out3/report.json
// | known  abort at baseline.c:15:18  fails-Abort-line-15-3482a4.json
// | FAILS  trapped: integer divide by zero at baseline.c:17:27  fails-IntegerDivideByZero-line-17-d92d79.json
// |       "kind": "abort",
// |       "known": true,
// |       "kind": "integer-divide-by-zero",
// |       "known": false,
// $ echo nonsense > %t/bad.json; coax cover % --entry risky --out %t/out4 --baseline %t/bad.json > %t/said
// ! error: [t]/bad.json is not a baseline; remove it, and the next search writes one: expected ident at line 1 column 2
