// A branch in a function that is named: nobody looks for it as long as calls are not followed, so they are followed when nothing else is left to try.
// REQUIRES: clang
// RUN: coax cover % --entry f --unknown mixed --no-mutate --out %t/out
// EXIT: 1

static int mixed(unsigned value) {
    if (value == 0x1234)
        __builtin_trap();
    return (int)(value * 2654435761u);
}

int f(unsigned x, int y) {
    if (mixed(x) == y)
        return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry f --unknown mixed --no-mutate --out %t/out
// | FAILS  trapped: unreachable at fails_inside.c:8:9  fails-Unreachable-line-8-bd6703.json
// | 3 tests, 1 failure; branches 4/4 (100 %), lines 7/7 (100 %), functions 2/2 (100 %)
// | [work], [time]; all paths are explored
// | `mixed` was to be unknown: [n] value seen, [n] direct calls; when nothing was found any more, its calls were followed
// | Tests are in [t]/out/tests.
