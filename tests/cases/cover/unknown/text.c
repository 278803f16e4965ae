// What reads text gives the same for most bytes: those that it reads on with are gone on from, one byte after the other.
// REQUIRES: clang
// RUN: coax cover % --entry order --unknown amount --no-auto-unknown --no-mutate --max-runs 400 --time 60 --out %t/out | grep -v 'function that is unknown\|Tests are in'
// RUN: grep -o '"divergences": [0-9]*' %t/out/report.json

/* Pounds and pence: `12.50`. */
static int amount(const char *text) {
    int pence = 0;
    for (; *text >= '0' && *text <= '9'; text++) pence = pence * 10 + (*text - '0') * 100;
    if (*text != '.') return pence;
    for (int i = 0, unit = 10; i < 2 && *++text >= '0' && *text <= '9'; i++, unit /= 10) pence += (*text - '0') * unit;
    return pence;
}

int order(const char *price) {
    if (amount(price) == 730) return 1;
    if (amount(price) > 1999 && amount(price) < 2100) return 2;
    return 0;
}

// OUTPUT
// $ coax cover % --entry order --unknown amount --no-auto-unknown --no-mutate --max-runs 400 --time 60 --out %t/out | grep -v 'function that is unknown\|Tests are in'
// | 4 tests, 0 failures; branches 18/18 (100 %), lines 8/8 (100 %), functions 2/2 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | `amount` is unknown: [n] values seen, [n] direct calls
// $ grep -o '"divergences": [0-9]*' %t/out/report.json
// | "divergences": 0
