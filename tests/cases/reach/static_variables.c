// What is in static variables, in structures on the stack and behind pointers to functions is known, if accesses stay where they belong; what is proved so says so.
// REQUIRES: clang
// RUN: coax reach % --entry f --target %:39 --target %:41 --target %:14 --target %:43 --strategy backward --out %t/some
// EXIT: 3
// RUN: grep -c 'no access leaves the variable' %t/some/report.json
// RUN: coax reach % --entry f --target %:45 --target %:47 --target %:49 --no-mutate --out %t/others

static unsigned verbose;
static int limit = 3;
int table[4];

static int never(int x) {
    if (x > 7)
        return 5;
    return 1;
}
static int always(int x) { return x + 1; }
struct hooks {
    int (*call)(int);
    int (*spare)(int);
    int depth;
};
static struct hooks hooks = {always, never, 2};

static int *set(int *at, int index, int value) {
    at[index & 3] = value;
    return at;
}
static int use(const struct hooks *with, int x) { return with->call(x); }

int f(int a, int *p) {
    struct hooks own = hooks;
    int local = 0;
    set(table, a, a);
    local = *set(&table[2], a & 1, a);
    if (p)
        *p = 7;
    if (verbose)
        return 1;
    if (limit != 3)
        return 2;
    if (own.depth == 5)
        return 3;
    if (table[1] == 5)
        return 4;
    if (local == 6)
        return 5;
    if (use(&own, a) == 100)
        return 6;
    return 0;
}

// OUTPUT
// $ coax reach % --entry f --target %:39 --target %:41 --target %:14 --target %:43 --strategy backward --out %t/some
// | unreachable  static_variables.c:39: what must hold on every way there contradicts itself: static_variables.c:38:9, if the program is as assumed
// | unreachable  static_variables.c:41: what must hold on every way there contradicts itself: static_variables.c:40:15, if the program is as assumed
// | unreachable  static_variables.c:14: what must hold on every way there contradicts itself: static_variables.c:29:51, if the program is as assumed
// | unreachable  static_variables.c:43: what must hold on every way there contradicts itself: static_variables.c:42:19, if the program is as assumed
// | Assumed of the program: no access leaves the variable that its address was made from, no address is made from a number, and nothing is read before it is written.
// $ grep -c 'no access leaves the variable' %t/some/report.json
// | 4
// $ coax reach % --entry f --target %:45 --target %:47 --target %:49 --no-mutate --out %t/others
// | reached      static_variables.c:45  f-line-44-to-line-45-a2cd02.json
// | reached      static_variables.c:47  f-line-46-to-line-47-2da1b1.json
// | reached      static_variables.c:49  f-line-48-to-line-49-a002cd.json
