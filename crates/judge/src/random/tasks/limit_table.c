static unsigned char §map[«1000..90000»];
void §part(void) {
    unsigned i, n = __VERIFIER_nondet_uint(), hash = «1..9999»;
    «¦n &= 0xfffff;»
    for (i = 0; i < n; i++) {
        hash = hash * 1103515245u + 12345u;
        §map[hash % sizeof §map] ^= (unsigned char)(n «>> 3¦+ i»);
    }
    if (§map[«0..999»] == «1..200») reach_error();
}
