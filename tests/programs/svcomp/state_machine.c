// A machine that is driven for ever by what comes in, as in the tasks of the class "reachability in controllers".
extern int __VERIFIER_nondet_int();
extern void abort(void);
#include <assert.h>
void reach_error() { assert(0); }

int state = 1;
int last = 0;

int step(int input) {
    if (state == 1 && input == 3) { state = 2; return 20; }
    if (state == 2 && input == 5) { state = 3; return 21; }
    if (state == 2 && input != 5) { state = 1; return 22; }
    if (state == 3 && input == last + 1) { state = 4; return 23; }
    return -2;
}

int main() {
    int output = -1;
    for (int round = 0; round < 6; round++) {
        int input = __VERIFIER_nondet_int();
        if (input != 1 && input != 2 && input != 3 && input != 5 && input != 6) return -2;
        output = step(input);
        if (state == 4) { ERROR: { reach_error(); abort(); } }
        last = input;
    }
    return output > 0;
}
