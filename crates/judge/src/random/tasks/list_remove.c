typedef struct §item { struct §item *next, *before; «char¦short» key; } §item;
static §item §head = {&§head, &§head, 0};
static void §insert(int key) {
    §item *it = malloc(sizeof *it);
    if (!it) return;
    it->key = key;
    it->next = §head.next; it->before = &§head;
    §head.next->before = it; §head.next = it;
}
static int §erase(int key) {
    §item *it;
    for (it = §head.next; it != &§head; it = it->next) {
        if (it->key != key) continue;
        it->before->next = it->next; it->next->before = it->before;
        «free(it);¦»
        return 1;
    }
    return 0;
}
void §part(void) {
    int i, n = __VERIFIER_nondet_uchar() % «3..9», erased = 0;
    for (i = 0; i < n; i++) §insert(«i * 3¦__VERIFIER_nondet_char()»);
    for (i = 0; i < n; i++) erased += §erase(«i¦__VERIFIER_nondet_char()»);
    if (erased == «1..4») «reach_error();¦if (§head.next == &§head) reach_error();»
}
