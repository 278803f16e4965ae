struct §tree { int key, count; struct §tree *kid[2]; };
static struct §tree *§add(struct §tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        if (t) t->key = key;
        return t;
    }
    if (t->key == key) t->count++;
    else t->kid[key > t->key] = §add(t->kid[key > t->key], key);
    return t;
}
static int §depth(struct §tree *t) {
    if (!t) return 0;
    int a = §depth(t->kid[0]), b = §depth(t->kid[1]);
    return 1 + (a > b ? a : b);
}
void §part(void) {
    struct §tree *root = 0;
    int i, n = «4..7»;
    for (i = 0; i < n; i++) root = §add(root, «__VERIFIER_nondet_int()¦__VERIFIER_nondet_char()¦i * «3..30» % 17»);
    if (§depth(root) == «2..7») reach_error();
    if (root && root->count == «1..3») reach_error();
}
