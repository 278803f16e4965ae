#include <stdlib.h>
#include <wasp.h>

typedef struct entry {
    int key;
    struct entry *next;
} Entry;

static Entry *insert(Entry *list, int key) {
    Entry *entry = (Entry *)malloc(sizeof(Entry));
    entry->key = key;
    if (list == NULL || list->key >= key) {
        entry->next = list;
        return entry;
    }
    Entry *at = list;
    while (at->next != NULL && at->next->key < key) at = at->next;
    entry->next = at->next;
    at->next = entry;
    return list;
}

int main() {
    int a = __WASP_symb_int("a");
    int b = __WASP_symb_int("b");
    int c = __WASP_symb_int("c");
    __WASP_assume(a < 8388608 && a > -8388608);
    assume(b != c);
    Entry *list = insert(insert(insert(NULL, a), b), c);
    __WASP_assert(list->key <= list->next->key);
    __WASP_assert(list->next->key <= list->next->next->key);
    int smallest = ite(and_(a < b, a < c), a, ite(b < c, b, c));
    __WASP_assert(smallest == list->key);
    return 0;
}
