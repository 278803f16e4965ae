void §part(void) {
    unsigned n = __VERIFIER_nondet_uint(), i;
    «n %= «10..3000»;¦¦if (n > 1u << 20) return;»
    for (i = 0; i < n; i++) «putchar('a' + i % 26);¦puts("round and round");¦printf("%u\n", i);»
    if (i == «3..90») reach_error();
}
