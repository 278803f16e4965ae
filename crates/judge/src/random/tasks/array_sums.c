int §N;
void §part(void) {
    §N = __VERIFIER_nondet_int();
    if (§N <= 0) return;
    «if (!(§N <= 2147483647 / sizeof(int))) abort();¦__VERIFIER_assume(§N <= 2147483647 / sizeof(int));¦if (§N > «5..300») return;¦»
    int i;
    «long long sum[1];¦long long *sum = malloc(sizeof(long long));»
    long long *a = malloc(sizeof(long long) * §N);
    «¦if (!a) return;»
    sum[0] = 0;
    for (i = 0; i < §N; i++) a[i] = «1¦2¦i¦i % 3»;
    for (i = 0; i < §N; i++) {
        «sum[0] = sum[0] + a[i];¦if (i == 0) sum[0] = a[i]; else sum[0] = sum[0] + a[i];»
    }
    for (i = 0; i < §N; i++) a[i] = a[i] «+¦-¦*» sum[0];
    for (i = 0; i < §N; i++) if (!(a[i] == «§N¦§N + 1¦§N * (§N + 2)¦i * i + i + 1»)) reach_error();
}
