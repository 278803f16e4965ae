int §N;
void §part(void) {
    §N = __VERIFIER_nondet_int();
    if (§N <= «0¦1») return;
    «if (!(§N <= 2147483647 / sizeof(int))) abort();¦if (§N > «4..64») return;»
    «double¦float» *x = malloc(sizeof(*x) * §N), *y = malloc(sizeof(*y) * §N);
    long long i;
    for (i = 0; i < §N; i++) {
        if (i == 0) y[0] = 1; else y[i] = y[i - 1] + 2;
    }
    for (i = 0; i < §N; i++) {
        if (i == 0) x[0] = «1¦0.5»; else x[i] = x[i - 1] «+¦*» y[i - 1] + 2;
    }
    for (i = 0; i < §N; i++) if (!(x[i] «==¦<=¦!=» (i + 1) * (i + 1))) reach_error();
}
