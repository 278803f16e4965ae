// What a program assumes of its input, one thing after the other, is passed in few runs, however it says so: each is asked for where a run
// ended, and what was passed is not asked about again. All numbers from 0 on, in an order in which all differences of neighbours are different.
// REQUIRES: clang
// RUN: coax reach % --target solved --no-mutate --max-runs 40 --out %t/aborts | grep -v FAILS | cut -c-20
// RUN: coax reach % --cflags=-DASSUMES --target solved --no-mutate --max-runs 40 --out %t/assumes | cut -c-20
// RUN: coax reach % --cflags=-DEXITS --target solved --no-mutate --max-runs 40 --out %t/exits | cut -c-20
// RUN: coax cover % --no-mutate --max-runs 40 --out %t/cover | grep -o 'functions.*'
extern int __VERIFIER_nondet_int(void);

#ifdef ASSUMES
extern void __VERIFIER_assume(int);
#define require __VERIFIER_assume
#elif defined EXITS
#include <stdlib.h>
#define require(holds) do { if (!(holds)) exit(0); } while (0)
#else
extern void abort(void) __attribute__((__noreturn__));
void require(int holds) {
    if (!holds)
        abort();
}
#endif

enum { COUNT = 7 };
static int reached;

void solved(void) {
    reached = 1;
}

int main(void) {
    int numbers[COUNT], distances[COUNT];
    for (int i = 0; i < COUNT; i++) {
        numbers[i] = __VERIFIER_nondet_int();
        require(numbers[i] >= 0);
        require(numbers[i] < COUNT);
    }
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < i; j++)
            require(numbers[i] != numbers[j]);
    for (int i = 1; i < COUNT; i++) {
        int way = numbers[i] - numbers[i - 1];
        distances[i] = way >= 0 ? way : -way;
        for (int j = 1; j < i; j++)
            require(distances[i] != distances[j]);
    }
    solved();
    return 0;
}

// OUTPUT
// $ coax reach % --target solved --no-mutate --max-runs 40 --out %t/aborts | grep -v FAILS | cut -c-20
// | reached      solved
// $ coax reach % --cflags=-DASSUMES --target solved --no-mutate --max-runs 40 --out %t/assumes | cut -c-20
// | reached      solved
// $ coax reach % --cflags=-DEXITS --target solved --no-mutate --max-runs 40 --out %t/exits | cut -c-20
// | reached      solved
// $ coax cover % --no-mutate --max-runs 40 --out %t/cover | grep -o 'functions.*'
// | functions 3/3 (100 %)
