// A turnstile as a state machine, told by standard input what happens: `c` is a coin, `p` a push, `k` the keeper's key.
//
//     printf cp | coax replay examples/small/turnstile.c --stdin -
//     coax cover examples/small/turnstile.c --max-len 8
#include <stdio.h>

enum state { LOCKED, OPEN, BROKEN };

enum { MOST_EVENTS = 5 };

static int passed, coins;

static enum state step(enum state state, int event) {
    switch (state) {
        case LOCKED:
            if (event == 'c') {
                coins++;
                return OPEN;
            }
            return event == 'p' ? LOCKED : BROKEN;
        case OPEN:
            if (event == 'p') {
                passed++;
                return LOCKED;
            }
            return event == 'c' ? OPEN : BROKEN;
        case BROKEN: return event == 'k' ? LOCKED : BROKEN;
        default: return BROKEN; /* there are no other states */
    }
}

int main(void) {
    enum state state = LOCKED;
    for (int i = 0; i < MOST_EVENTS; i++) {
        int event = getchar();
        if (event == EOF) break;
        state = step(state, event);
    }
    if (passed > coins) return 3; /* nobody passes without a coin */
    if (passed == 2) return 2;
    return state == BROKEN;
}
