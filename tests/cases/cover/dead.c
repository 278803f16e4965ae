// Dead code is a report of its own: what nothing gets to, with the conditions that contradict each other. What was only not covered is not dead.
// REQUIRES: clang
// RUN: coax cover % --entry check --no-mutate --out %t/all > %t/said; tail -n 1 %t/said
// RUN: coax explain %t/all --dead
// RUN: coax cover % --entry endless --no-mutate --max-runs 60 --out %t/endless > %t/said; tail -n 1 %t/said
// RUN: coax explain %t/endless --dead
// RUN: coax cover % --entry rarely --no-mutate --max-runs 1 --out %t/none > %t/said; tail -n 1 %t/said
// RUN: coax explain %t/none --dead
// RUN: coax explain %t/none --dead dead.c:20
// EXIT: 2

static int never(int x) { return x + 1; }

static int behind(int x) {
    return never(x) * 2;
}

int check(unsigned x) {
    if (x > 10) {
        if (x < 5) {
            x = behind(x);
            return x;
        }
        return 1;
    }
    return 2;
}

int endless(const char *text) {
    unsigned sum = 0;
    for (int i = 0; text[i]; i++) {
        sum = sum * 31 + text[i];
        if ((sum & 3) == 5)
            return never(sum);
    }
    return sum;
}

int rarely(unsigned x) {
    if (x == 4711)
        return 3;
    return never(x);
}

// OUTPUT
// $ coax cover % --entry check --no-mutate --out %t/all > %t/said; tail -n 1 %t/said
// | Tests are in [t]/all/tests.
// $ coax explain %t/all --dead
// | dead  dead.c:21-22: no input goes from dead.c:20:15 to line 21
// | dead  dead.c:15: nothing calls `behind` from this entry
// | dead  dead.c:12: nothing calls `never` from this entry
// | dead  dead.c:31-34,37: nothing calls `endless` from this entry
// | dead  dead.c:40-43: nothing calls `rarely` from this entry
// $ coax cover % --entry endless --no-mutate --max-runs 60 --out %t/endless > %t/said; tail -n 1 %t/said
// | Tests are in [t]/endless/tests.
// $ coax explain %t/endless --dead
// | dead  dead.c:19-22,24,26-27: nothing calls `check` from this entry
// | dead  dead.c:15: nothing calls `behind` from this entry
// | dead  dead.c:12: nothing calls `never` from this entry
// | dead  dead.c:34: what must hold on every way there contradicts itself: dead.c:33:23
// | dead  dead.c:40-43: nothing calls `rarely` from this entry
// | What is proved assumes: `endless` is called once, when the program has just begun.
// $ coax cover % --entry rarely --no-mutate --max-runs 1 --out %t/none > %t/said; tail -n 1 %t/said
// | Tests are in [t]/none/tests.
// $ coax explain %t/none --dead
// | dead  dead.c:19-22,24,26-27: nothing calls `check` from this entry
// | dead  dead.c:15: nothing calls `behind` from this entry
// | dead  dead.c:31-34,37: nothing calls `endless` from this entry
// $ coax explain %t/none --dead dead.c:20
// ! error: the argument '--dead' cannot be used with '[FILE:LINE]'
// !
// ! Usage: coax explain --dead <DIRECTORY> [FILE:LINE]
// !
// ! For more information, try '--help'.
