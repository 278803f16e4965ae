void §part(void) {
    unsigned n = __VERIFIER_nondet_uint(), i, spaces = 0;
    if (n == 0 «|| n > «8..40»¦|| n >= 100000¦» ) return;
    char *from = malloc(n), *to = malloc(n «¦+ 1»);
    «if (!from || !to) return;¦»
    for (i = 0; i < n; i++) from[i] = «'a' + i % 3¦__VERIFIER_nondet_char()¦(i < 4 ? __VERIFIER_nondet_char() : ' ')»;
    from[n - 1] = 0;
    «strcpy(to, from);¦for (i = 0; (to[i] = from[i]); i++);¦memcpy(to, from, n);»
    for (i = 0; to[i]; i++) if (to[i] == '«a¦b¦ »') spaces++;
    if (spaces == «2..6») reach_error();
    «free(from); free(to);¦»
}
