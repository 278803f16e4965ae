// A length that has a sign may be negative: programs ask for that. What fails then only is told with what it supposes of a caller.
// REQUIRES: clang
// RUN: coax cover % --entry checked --scope checked --no-mutate --out %t/checked | grep tests,
// RUN: coax cover % --entry unchecked --scope unchecked --no-mutate --out %t/unchecked | grep -A 1 -e FAILS -e tests,
// RUN: coax cover % --entry both --scope both --no-mutate --out %t/both | grep -A 1 -e FAILS
// RUN: coax replay % --test %t/unchecked/tests | grep -o '^FAIL.*trapped'

int checked(const char *text, int len) {
    if (len < 0) return -1;
    return len == 3 && text[2] == 'x';
}

int unchecked(const unsigned char *bytes, int len) {
    if (len > 4) return 1;
    unsigned all[4] = {6, 3, 2, 1};
    if (len < 0) return 7 / (int)(all[0] - 6);
    return len > 0 && bytes[0] == 1;
}

int both(const char *text, int len) {
    if (len != 2) return 7 / (len == 5 || len < 0 ? 0 : 1);
    return 0;
}

// OUTPUT
// $ coax cover % --entry checked --scope checked --no-mutate --out %t/checked | grep tests,
// | 3 tests, 0 failures; branches 4/4 (100 %), lines 3/3 (100 %), functions 1/1 (100 %)
// $ coax cover % --entry unchecked --scope unchecked --no-mutate --out %t/unchecked | grep -A 1 -e FAILS -e tests,
// | FAILS  trapped: integer divide by zero at negative_lengths.c:16:27  fails-IntegerDivideByZero-line-16-ce59b6.json
// |        if `len` is negative, though it is a length
// | 4 tests, 1 failure; branches 6/6 (100 %), lines 6/6 (100 %), functions 1/1 (100 %)
// | [work], [time]; all paths are explored
// $ coax cover % --entry both --scope both --no-mutate --out %t/both | grep -A 1 -e FAILS
// | FAILS  trapped: integer divide by zero at negative_lengths.c:21:28  fails-IntegerDivideByZero-line-21-49050d.json
// | FAILS  trapped: integer divide by zero at negative_lengths.c:21:28  fails-IntegerDivideByZero-line-21-f14478.json
// |        if `len` is negative, though it is a length
// $ coax replay % --test %t/unchecked/tests | grep -o '^FAIL.*trapped'
// | FAIL  [t]/unchecked/tests/fails-IntegerDivideByZero-line-16-ce59b6.json: trapped
