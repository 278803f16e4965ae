/* A maze, walked by symbolic letters; the exit is a failure. */
#include <klee/klee.h>
#include <stdio.h>

static const char maze[5][8] = {"#######", "#  #  #", "## # ##", "#    x#", "#######"};

int main() {
    char moves[10];
    klee_make_symbolic(moves, sizeof moves, "moves");
    int x = 1, y = 1;
    for (unsigned i = 0; i < sizeof moves; i++) {
        int to_x = x, to_y = y;
        switch (moves[i]) {
        case 'w': to_y--; break;
        case 's': to_y++; break;
        case 'a': to_x--; break;
        case 'd': to_x++; break;
        default: printf("lost after %u moves\n", i); return 1;
        }
        if (maze[to_y][to_x] == 'x') klee_assert(0 && "out");
        if (maze[to_y][to_x] == ' ') x = to_x, y = to_y;
    }
    return 0;
}
