/* A sequence of operations that the tool chooses. */
#include <klee/klee.h>

static int stack[4], depth;

int main() {
    for (int step = 0; step < 4; step++) {
        klee_open_merge();
        switch (klee_choose(3)) {
        case 0:
            if (depth < 4) stack[depth++] = klee_int("pushed");
            break;
        case 1:
            if (depth > 0) depth--;
            break;
        default:
            if (depth > 1) stack[depth - 2] += stack[depth - 1], depth--;
        }
        klee_close_merge();
    }
    klee_assert(depth >= 0 && depth <= 4);
    return depth > 0 && stack[0] == 42;
}
