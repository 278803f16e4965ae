// A linked list of accounts, ordered by number: the richest one.
//
//     coax cover examples/small/list.c --entry richest
struct account {
    int number;
    int balance;
    const struct account *next;
};

enum { NOBODY = -1, NOT_SORTED = -2, BROKEN = -3 };

int richest(const struct account *accounts) {
    int best = NOBODY, most = 0;
    for (const struct account *it = accounts; it; it = it->next) {
        if (it->number < 0) return NOBODY;
        if (it->next && it->next->number <= it->number) return NOT_SORTED;
        if (it->balance > most) {
            most = it->balance;
            best = it->number;
        }
    }
    if (best == NOBODY) return NOBODY;
    if (most <= 0) return BROKEN; /* nobody is the richest then */
    return best;
}
