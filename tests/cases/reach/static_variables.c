// What is in static variables, in structures on the stack and behind pointers to functions is known, if accesses stay where they belong; what is proved so says so.
// REQUIRES: clang
// RUN: coax reach % --entry f --target %:37 --target %:39 --target %:15 --target %:41 --strategy backward --out %t/some
// EXIT: 3
// RUN: grep -c 'no access leaves the variable' %t/some/report.json
// RUN: coax reach % --entry f --target %:43 --target %:45 --target %:47 --no-mutate --out %t/others
// EXIT: 0

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

static void set(int *at, int index, int value) { at[index & 3] = value; }
static int use(const struct hooks *with, int x) { return with->call(x); }

int f(int a, int *p) {
    struct hooks own = hooks;
    int local = 0;
    set(table, a, a);
    set(&local, 0, a);
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
