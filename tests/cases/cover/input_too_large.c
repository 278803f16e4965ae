// One input is too large for the memory that the program may have: it is told, and the search goes on.
// RUN: coax cover % --entry f --max-len 1000000 --cflags=-Wl,--max-memory=8585216 --max-runs 30 --out %t/out

#include <stddef.h>
int f(const char *data, size_t size) {
    if (size < 3) return 0;
    if (size > 300000 && data[1] == 'a') return 1;
    return data[0] == 'x' ? 2 : 3;
}

// OUTPUT
// $ coax cover % --entry f --max-len 1000000 --cflags=-Wl,--max-memory=8585216 --max-runs 30 --out %t/out
// | not covered  input_too_large.c:7:23 to line 7: runs that should have taken it met a limit before they came there, or could not be made
// | not covered  input_too_large.c:7:23 to line 7: no run came here
// | not covered  input_too_large.c:7:23 to line 8: no run came here
// | 2 tests, 0 failures; branches 3/6 (50 %), lines 4/4 (100 %), functions 1/1 (100 %)
// | [work], [time]; there is nothing left to try
// | Tests are in [t]/out/tests.
// ! note: 1 input could not be run, see `not_run` in the report; of the first: the program has no room for 524288 bytes that its parameters point to.
