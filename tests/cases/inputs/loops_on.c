// A run with symbols has limits like any other, can be that of a stored test, and says how it ended.
// REQUIRES: clang
// RUN: echo '{"format": 1, "input": {"values": [{"i32": 8}]}}' > %t/test.json
// RUN: coax dump path % --test %t/test.json --fuel 1M
// RUN: coax dump path % --test %t/test.json --fuel 1M --json | grep outcome
// RUN: coax dump path % --test %t/test.json --time 100ms | grep -o 'ran out of time'
// RUN: coax dump path % --value 9
// RUN: coax dump path % --test %t/test.json --value 9
// EXIT: 2
#include <coax.h>

int main(void) {
    int x = coax_i32("x");
    if (x == 8)
        for (;;)
            ;
    coax_assert(x != 9);
    return 0;
}

// OUTPUT
// $ echo '{"format": 1, "input": {"values": [{"i32": 8}]}}' > %t/test.json
// $ coax dump path % --test %t/test.json --fuel 1M
// | input {"name":"x","i32":8}
// | site7 loops_on.c:14:11  branch zero  (eq x 8:32)
// | ran out of fuel at loops_on.c:15:9 in main
// ! note: the run met a limit (fuel), so the path may be cut short
// $ coax dump path % --test %t/test.json --fuel 1M --json | grep outcome
// |   "outcome": "out-of-fuel",
// ! note: the run met a limit (fuel), so the path may be cut short
// $ coax dump path % --test %t/test.json --time 100ms | grep -o 'ran out of time'
// | ran out of time
// ! note: the run met a limit (time), so the path may be cut short
// $ coax dump path % --value 9
// | input {"name":"x","i32":9}
// | site7 loops_on.c:14:11  branch nonzero  (not (eq x 8:32))
// | site8 loops_on.c:17:5  branch to line 17  (eq x 9:32)
// | trapped: an assertion failed (x != 9 at loops_on.c:17) at loops_on.c:17:5 in main
// $ coax dump path % --test %t/test.json --value 9
// ! error: the argument '--test <TEST>' cannot be used with '--value <VALUE>'
// !
// ! Usage: coax dump --test <TEST> <WHAT> <PROGRAM>... [-- <ARGS>...]
// !
// ! For more information, try '--help'.
