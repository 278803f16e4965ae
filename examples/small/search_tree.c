// A binary search tree in an array: keys are inserted, then one is looked for.
//
//     coax cover examples/small/search_tree.c --entry depth_of
enum { MOST = 4, NONE = -1, TOO_MANY = -2, BROKEN = -3 };

struct node {
    int key;
    int left, right;
};

struct tree {
    struct node nodes[MOST];
    int count;
};

static int insert(struct tree *tree, int key) {
    int *link = 0;
    int at = tree->count > 0 ? 0 : NONE;
    while (at != NONE) {
        struct node *node = &tree->nodes[at];
        if (node->key == key) return 1;
        link = key < node->key ? &node->left : &node->right;
        at = *link;
    }
    if (tree->count == MOST) return 0; /* who calls has looked */
    tree->nodes[tree->count] = (struct node){key, NONE, NONE};
    if (link) *link = tree->count;
    tree->count++;
    return 1;
}

/* How deep a key is in the tree of these keys; the first is at depth 0. */
int depth_of(const int *keys, int count, int key) {
    struct tree tree = {.count = 0};
    if (count > MOST) return TOO_MANY;
    for (int i = 0; i < count; i++) {
        if (!insert(&tree, keys[i])) return BROKEN;
    }
    int depth = 0;
    for (int at = tree.count > 0 ? 0 : NONE; at != NONE; depth++) {
        const struct node *node = &tree.nodes[at];
        if (node->key == key) return depth;
        at = key < node->key ? node->left : node->right;
        if (depth > MOST) return BROKEN; /* it would have a cycle */
    }
    return NONE;
}
