void §part(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    «unsigned¦volatile unsigned» steps = 0;
    while (1) {
        steps++;
        if (x == y) «break;¦return;¦reach_error();»
        if («x > y¦(steps & 1)») x -= «1..3»; else y -= «1..3»;
        «¦if (steps > «1000..1000000») { if (x < 0) reach_error(); break; }»
        «¦x ^= __VERIFIER_nondet_uchar();»
    }
}
