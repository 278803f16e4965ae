// What lies next to what the function read belongs to that: a direct call that goes on reading where the run's ended has shown nothing of calls like the run's.
// REQUIRES: clang
// RUN: coax cover % --unknown number --no-auto-unknown --no-mutate --max-runs 300 --time 60 --out %t/out | grep -v 'Tests are in'
// RUN: grep -o '"divergences": [0-9]*' %t/out/report.json

#include <unistd.h>
static unsigned char line[6];

__attribute__((noinline)) static unsigned number(void) {
    unsigned h = 7;
    for (int i = 0; i < 6 && line[i] >= '0' && line[i] <= '9'; i++)
        h = (h ^ line[i]) * 2654435761u, h ^= h >> 15;
    return h;
}

int main(void) {
    if (read(0, line, 6) != 6)
        return 1;
    unsigned h = number();
    if (h % 32 == 5)
        return 2;
    if (h % 64 == 7)
        return 3;
    return 0;
}

// OUTPUT
// $ coax cover % --unknown number --no-auto-unknown --no-mutate --max-runs 300 --time 60 --out %t/out | grep -v 'Tests are in'
// | not covered  neighbours.c:20:16 to line 21: the solver gave up on 6 paths: it depends on values of `number` that were not seen: if each of them is 0, no input goes there
// | 3 tests, 0 failures; branches 11/12 (92 %), lines 11/12 (92 %), functions 2/2 (100 %)
// | [work], [time]; there is nothing left to try
// | `number` is unknown: [n] values seen, [n] direct calls; failures in it were not searched for
// $ grep -o '"divergences": [0-9]*' %t/out/report.json
// | "divergences": 0
