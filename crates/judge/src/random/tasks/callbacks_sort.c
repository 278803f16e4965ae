static int §calls;
static int §order(const void *a, const void *b) {
    «¦if (++§calls > «3..40») return 0;¦int more[2] = {2, 1}; if (++§calls < «3..100000») qsort(more, 2, sizeof(int), §order);»
    int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}
void §part(void) {
    int a[«3..5»], i, n = sizeof a / sizeof *a;
    for (i = 0; i < n; i++) a[i] = «__VERIFIER_nondet_int()¦__VERIFIER_nondet_char()»;
    qsort(a, n, sizeof *a, §order);
    if (a[0] == a[1] «¦&& a[1] == «3..60»») reach_error();
}
