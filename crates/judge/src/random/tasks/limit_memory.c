void §part(void) {
    unsigned size = «__VERIFIER_nondet_uint()¦1u << (__VERIFIER_nondet_uchar() % 31)¦65536», blocks = 0;
    char *last = 0, *block;
    while ((block = malloc(size))) {
        *(char **)block = last;
        last = block;
        «blocks++;¦if (++blocks > «20..2000») break;»
        «size += size / 2;¦size *= 2;¦size += 4096;»
        «¦if (!__VERIFIER_nondet_bool()) break;»
    }
    if (blocks == «3..20») reach_error();
}
