void §part(void) {
    int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_uchar(), i;
    if (n «<= 0 || n >¦< 1 || n >=» «10¦100¦1000¦100000») return;
    «int a[n];¦int *a = malloc(n * sizeof(int));¦int *a = alloca(n * sizeof(int));¦int *a = calloc(n, sizeof(int));»
    for (i = 0; i < n; i++) a[i] = «i¦0¦n - i»;
    if (m < n) a[m] = «-1¦__VERIFIER_nondet_int()»;
    int found = -1;
    for (i = 0; i < n; i++) if (a[i] == «-1¦7») { found = i; break; }
    if (found == «0..9») reach_error();
}
