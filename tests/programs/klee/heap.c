/* An object on the heap, with the size that the tool says it has. */
#include <klee/klee.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main() {
    struct node *list = 0;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        if (!node) return 1;
        klee_make_symbolic(node, sizeof *node, "node");
        node->next = list;
        list = node;
    }
    klee_check_memory_access(list, sizeof *list);
    int sum = 0;
    for (struct node *node = list; node; node = node->next)
        if (node->value > sum) sum = node->value;
    klee_assert(sum >= 0);
    return sum == 1234567;
}
