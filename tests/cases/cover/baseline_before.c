// A baseline of before, when all ways to give up were called what they are to wasm, is still good.
// REQUIRES: clang
// RUN: echo '{"failures": [{"function": "risky", "kind": "unreachable"}]}' > %t/known.json
// RUN: coax cover % --entry risky --out %t/out --baseline %t/known.json | grep '^FAILS\|^known'
#include <assert.h>
#include <stdlib.h>

int risky(unsigned n) {
    if (n == 77) abort();
    assert(n != 78);
    return 0;
}

// OUTPUT
// $ echo '{"failures": [{"function": "risky", "kind": "unreachable"}]}' > %t/known.json
// $ coax cover % --entry risky --out %t/out --baseline %t/known.json | grep '^FAILS\|^known'
// | known  abort at baseline_before.c:9:18  fails-Abort-line-9-3482a4.json
// | known  assertion failed (n != 78) at baseline_before.c:10:5  fails-Assertion-line-10-d92d79.json
// ! note: 0 of the failures are not in [t]/known.json
