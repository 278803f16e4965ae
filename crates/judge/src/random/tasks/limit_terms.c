void §part(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(), i, n = «__VERIFIER_nondet_uint()¦2000000¦«100..90000»»;
    for (i = 0; i < n; i++) {
        x = x * «3..99» + y;
        y ^= x >> «1..9»;
        «¦if (x == y) break;¦if (x % 1000 == 7) y++;»
    }
    if (x == «1..9») reach_error();
}
