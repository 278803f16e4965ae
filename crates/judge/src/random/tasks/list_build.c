struct §node { int value; struct §node *next; };
static struct §node *§push(struct §node *list, int value) {
    struct §node *node = malloc(sizeof *node);
    «if (!node) abort();¦if (!node) return list;¦»
    node->value = value;
    node->next = list;
    return node;
}
void §part(void) {
    struct §node *list = 0, *it;
    int length = 0, sum = 0;
    while («__VERIFIER_nondet_int()¦__VERIFIER_nondet_bool() && length < «4..3000»¦length < «10..90»») {
        list = §push(list, «length¦__VERIFIER_nondet_int()¦__VERIFIER_nondet_uchar()»);
        length++;
    }
    «struct §node *back = 0; while (list) { it = list->next; list->next = back; back = list; list = it; } list = back;¦»
    for (it = list; it; it = it->next) {
        if (it->value == «2..40» && it->next && it->next->value > it->value) reach_error();
        sum += it->value;
    }
    if (sum == «3..90») reach_error();
    while («list¦0») { it = list->next; free(list); list = it; }
}
