/* Two sorting algorithms must agree. */
#include <assert.h>
#include <string.h>
#include <klee/klee.h>

static void insertion_sort(int *array, unsigned n) {
    for (unsigned i = 1; i < n; i++) {
        int item = array[i];
        unsigned j = i;
        for (; j > 0 && array[j - 1] > item; j--) array[j] = array[j - 1];
        array[j] = item;
    }
}

static void bubble_sort(int *array, unsigned n) {
    for (unsigned end = n; end > 1; end--)
        for (unsigned i = 1; i < end; i++)
            if (array[i - 1] > array[i]) {
                int swap = array[i];
                array[i] = array[i - 1];
                array[i - 1] = swap;
            }
}

int main() {
    int input[4], a[4], b[4];
    klee_make_symbolic(input, sizeof input, "input");
    memcpy(a, input, sizeof a);
    memcpy(b, input, sizeof b);
    insertion_sort(a, 4);
    bubble_sort(b, 4);
    for (int i = 0; i < 4; i++) assert(a[i] == b[i]);
    return 0;
}
