// A hash table of linked lists: pointers followed through memory that no cache line predicts.

enum { BUCKETS = 1024, ITEMS = 8192 };

struct item {
    unsigned key, count;
    struct item *next;
};

static struct item items[ITEMS], *buckets[BUCKETS], *unused;

static void empty(void) {
    unused = 0;
    for (int i = 0; i < BUCKETS; i++) buckets[i] = 0;
    // 2053 has no common divisor with the number of items: neighbours in the list are far apart in memory.
    for (unsigned i = 0; i < ITEMS; i++) {
        struct item *item = &items[i * 2053 % ITEMS];
        item->next = unused;
        unused = item;
    }
}

static struct item **find(unsigned key) {
    struct item **place = &buckets[key * 2654435761u >> 22];
    while (*place && (*place)->key != key) place = &(*place)->next;
    return place;
}

static void add(unsigned key) {
    struct item **place = find(key);
    if (!*place) {
        if (!unused) return;
        struct item *item = unused;
        unused = item->next;
        item->key = key, item->count = 0, item->next = 0;
        *place = item;
    }
    (*place)->count++;
}

static void drop(unsigned key) {
    struct item **place = find(key), *item = *place;
    if (!item) return;
    *place = item->next;
    item->next = unused;
    unused = item;
}

int run(int n) {
    unsigned state = 3, sum = 0;
    empty();
    for (int round = 0; round < n; round++) {
        for (int i = 0; i < 4096; i++) {
            state = state * 1664525u + 1013904223u;
            unsigned key = (state >> 12) % 12000;
            if (state >> 30) add(key);
            else drop(key);
        }
        for (int i = round & 7; i < BUCKETS; i += 8)
            for (struct item *item = buckets[i]; item; item = item->next) sum = sum * 31 + item->key * item->count;
    }
    return (int)sum;
}
