// A run that meets a limit in one engine and not in the other has not gone astray: the plain run of the loop ends for lack of fuel, the one
// with terms, which has more, comes to its end; how deep calls may go differs too. The limits are told, and nobody is told of runs that went elsewhere.
// RUN: coax cover % --fuel 20k --max-runs 12 --out %t/out
// EXIT: 1
// RUN: grep -c "\"divergences\": 0" %t/out/report.json

extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);

static unsigned id(unsigned x) {
    if (x == 0) return 0;
    return id(x - 1) + 1;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), sum = n;
    if (n % 2) {
        for (unsigned i = 0; i < 3000; i++) sum = sum * 3 + i;
        if (sum == 15) abort();
        return 0;
    }
    if (id(n) == 4) abort();
    return 0;
}

// OUTPUT
// $ coax cover % --fuel 20k --max-runs 12 --out %t/out
// | FAILS  ran out of fuel at limits_and_divergences.c:18  fails-ran-out-of-fuel-line-18-307034.json
// | FAILS  ran out of fuel at limits_and_divergences.c:11  fails-ran-out-of-fuel-line-11-ed905a.json
// | FAILS  abort at limits_and_divergences.c:22:21  fails-Abort-line-22-e023fa.json
// | not covered  limits_and_divergences.c:18:9 to line 19: on the paths that came here every input goes the same way; other paths are not explored
// | not covered  limits_and_divergences.c:19:17 to line 19: no input of the 1 path that came here goes there; other paths are not explored
// | not covered  limits_and_divergences.c:19:17 to line 24: no input of the 1 path that came here goes there; other paths are not explored
// | 4 tests, 3 failures; branches 7/10 (70 %), lines 8/10 (80 %), functions 2/2 (100 %)
// | [work], [time]; as many runs as allowed (`--max-runs`)
// | 3 runs met the limit of fuel
// | Tests are in [t]/out/tests.
// $ grep -c "\"divergences\": 0" %t/out/report.json
// | 1
