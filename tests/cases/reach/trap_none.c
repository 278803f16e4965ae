// A function in which nothing can trap, calls included; and one of which only runs show whether it traps.
// REQUIRES: clang
// RUN: coax reach % --entry f --target compares:trap --target f:trap --no-mutate --max-runs 1 --out %t/out
// EXIT: 4

int compares(int a, int b) {
    if (a > b) return 1;
    return a < 0 ? 2 : 3;
}

int f(int a, int b) {
    int more = compares(a, b);
    return more * 2;
}

// OUTPUT
// $ coax reach % --entry f --target compares:trap --target f:trap --no-mutate --max-runs 1 --out %t/out
// | unreachable  compares:trap: nothing in it can trap
// | unknown      f:trap: as many runs as allowed (`--max-runs`); it was not searched for backwards: accesses or calls in it may trap, which only runs show
