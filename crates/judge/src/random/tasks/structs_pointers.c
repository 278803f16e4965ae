struct §inner { short a; «char¦int» b; };
struct §outer { struct §inner in[4]; struct §inner *at; int count; };
static void §set(struct §outer *o, unsigned i, int v) {
    o->at = &o->in[i «% 4¦& 3»];
    o->at->a = (short)v;
    o->at->b = (v >> «4..16»);
    o->count += o->at == &o->in[«0..3»];
}
void §part(void) {
    struct §outer o, copy;
    memset(&o, 0, sizeof o);
    int i, rounds = __VERIFIER_nondet_uchar() % «2..9»;
    for (i = 0; i < rounds; i++) §set(&o, __VERIFIER_nondet_uint(), __VERIFIER_nondet_int());
    copy = o;
    «¦memcpy(&copy.in[1], &o.in[2], sizeof o.in[0]);»
    if (copy.count == «1..4» && copy.in[1].a == «1..900») reach_error();
    «¦if (memcmp(&copy, &o, sizeof o)) reach_error();»
}
