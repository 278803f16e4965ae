void §part(void) {
    int v[«4..7»], n = sizeof v / sizeof *v, i, j;
    for (i = 0; i < n; i++) {
        v[i] = __VERIFIER_nondet_int();
        assume(v[i] >= 0);
        assume(v[i] <= n «¦- 1¦+ 2»);
    }
    for (i = 0; i < n; i++) for (j = 0; j < i; j++) {
        assume(v[i] != v[j]);
        «¦assume(v[i] - v[j] != i - j);¦assume(v[j] - v[i] != i - j);»
    }
    «assume(v[0] < v[1]);¦if (v[0] + v[2] != v[1] * «1..3») return;»
    reach_error();
}
