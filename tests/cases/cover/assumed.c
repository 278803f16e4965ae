// What a proof assumes of the input is said: which parameter is the length of another, how long an input may be and who said so, what
// stays as it was given.
// REQUIRES: clang
// RUN: coax cover % --entry count --no-mutate --out %t/count | grep -e infeasible -e assumes
// RUN: coax cover % --entry inside --no-mutate --out %t/inside | grep -e infeasible -e assumes
// RUN: coax cover % --sym-stdin 2 --no-mutate --out %t/stdin | grep -e infeasible -e assumes
// RUN: coax cover % --sym-arg 2 --no-mutate --out %t/arg | grep assumes

#include <stdio.h>

struct list {
    const int *items;
    int count;
};

int count(const int *numbers, int count) {
    if (count < 0) return 1;
    if (count == 3000) return 2;
    return 0;
}

int inside(const struct list *list) {
    if (list->count < 0) return 1;
    return 0;
}

int main(void) {
    getchar();
    getchar();
    if (getchar() == 'x') return 1;
    return 0;
}

// OUTPUT
// $ coax cover % --entry count --no-mutate --out %t/count | grep -e infeasible -e assumes
// | not covered  assumed.c:18:15 to line 18: proved infeasible: no input takes it
// | What is proved assumes: `numbers` is not null and shares nothing with other pointers; `count` is how many elements `numbers` has, at most 1024 (`--max-len`); what pointers lead to is where it is in these runs.
// $ coax cover % --entry inside --no-mutate --out %t/inside | grep -e infeasible -e assumes
// | not covered  assumed.c:23:21 to line 23: proved infeasible: no input takes it
// | What is proved assumes: `list` is not null and shares nothing with other pointers, and what it leads to has the shape of the first input, with lengths that are true; what pointers lead to is where it is in these runs.
// $ coax cover % --sym-stdin 2 --no-mutate --out %t/stdin | grep -e infeasible -e assumes
// | not covered  assumed.c:30:19 to line 30: proved infeasible: no input takes it
// | What is proved assumes: standard input has at most 2 bytes (`--sym-stdin`); reads and writes do not fail (`--io-faults` lets them).
// $ coax cover % --sym-arg 2 --no-mutate --out %t/arg | grep assumes
// | What is proved assumes: standard input is as given; reads and writes do not fail (`--io-faults` lets them).
