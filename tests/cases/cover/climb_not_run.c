// A climb comes to an input that is too large for the memory that the program may have: it is told, though there is no run left to ask again.
// REQUIRES: clang
// RUN: coax cover % --entry f --max-len 1000000 --no-mutate --cflags=-Wl,--max-memory=8585216 --max-runs 11 --out %t/out | grep runs

#include <stddef.h>
#include <stdlib.h>
int f(const char *data, size_t size) {
    if (size < 5) abort();
    if (data[0] != 'a') abort();
    if (data[1] != 'b') abort();
    if (data[2] != 'c') abort();
    if (data[3] != 'd') abort();
    if (size < 300000) abort();
    if (data[4] == 'e') return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry f --max-len 1000000 --no-mutate --cflags=-Wl,--max-memory=8585216 --max-runs 11 --out %t/out | grep runs
// | [work], [time]; as many runs as allowed (`--max-runs`)
// ! note: 1 input could not be run, see `not_run` in the report; of the first: the program has no room for 524288 bytes that its parameters point to.
