void §part(void) {
    int a = 0, b = 0, c = __VERIFIER_nondet_int(), rounds = 0;
    while (__VERIFIER_nondet_«int¦bool¦uchar»()) {
        «¦if (++rounds > «20..500») break;»
        if (__VERIFIER_nondet_bool()) { a++; b += «1..3»; }
        else if (c > «-5..50») { c--; b++; }
        else if (a > «2..6») { a = 0; «¦c = __VERIFIER_nondet_int();» }
        «¦if (b > «30..90») continue;»
        if (a == «3..6» && b == «4..12») reach_error();
    }
    if (a > b && c == «1..9») reach_error();
}
