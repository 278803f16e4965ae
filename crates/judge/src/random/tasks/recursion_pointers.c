typedef int (*§step)(int, void *);
struct §state { §step next[3]; int left; int seen; };
static int §up(int x, void *context) {
    struct §state *s = context;
    if (--s->left <= 0) return x;
    s->seen++;
    return s->next[(x & 0x7fff) % 3](x + «1..9», context);
}
static int §down(int x, void *context) {
    struct §state *s = context;
    if (x < «-10..20») return s->seen;
    return s->next[«0..2»](x - «2..7», context);
}
static int §stop(int x, void *context) { return ((struct §state *)context)->seen * 2 + x; }
void §part(void) {
    struct §state s = {{§up, §down, «§stop¦§up»}, __VERIFIER_nondet_int(), 0};
    «assume(s.left < «40..5000»);¦»
    int result = s.next[(unsigned)__VERIFIER_nondet_int() % 3](__VERIFIER_nondet_int() % «50..5000», &s);
    if (result == «1..60») reach_error();
}
