/* A binary search in a table that is assumed to be sorted. */
#include <klee/klee.h>
#include <stdint.h>

#define N 6

static int search(const uint8_t *table, uint8_t key) {
    int low = 0, high = N - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (table[middle] == key) return middle;
        if (table[middle] < key) low = middle + 1;
        else high = middle - 1;
    }
    return -1;
}

int main() {
    uint8_t table[N], key;
    klee_make_symbolic(table, sizeof table, "table");
    klee_make_symbolic(&key, sizeof key, "key");
    for (int i = 1; i < N; i++) klee_assume(table[i - 1] < table[i]);
    int at = search(table, key);
    if (at >= 0) klee_assert(table[at] == key);
    return at;
}
